import type { BulkWebsiteRow } from '../../../shared/bulk-change.ts'
import type { AppError } from '../../../shared/result.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import { coalesced } from '../../lib/coalesced.ts'

/** The panel with the result of the last bulk change for each website. */
export class BulkResults {
  readonly #bridge: SitewardBridge
  open = $state(false)
  page = $state(1)
  pages = $state(1)
  websites: readonly BulkWebsiteRow[] = $state.raw([])
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  show(): void {
    this.open = true
    this.goTo(1)
  }

  close(): void {
    this.open = false
    this.websites = []
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  readonly load = coalesced(async () => {
    if (!this.open) return
    const answer = await this.#bridge.listBulkWebsites({ page: this.page })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok || !this.open) return
    this.websites = answer.value.websites
    this.pages = answer.value.pages
  })
}
