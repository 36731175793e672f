import type { SitewardBridge } from '../../preload/bridge.ts'
import type { ListFormat } from '../../shared/list-settings.ts'
import type { AppError } from '../../shared/result.ts'
import type { Chosen } from '../../shared/unfinished.ts'
import { exportedWebsites } from '../words/transfer.ts'
import type { Notices } from './notices.svelte.ts'
import type { WebsiteList } from './website-list.svelte.ts'

/** What the list shows into a file, or what is selected of it; main asks for the file. */
export class ListExport {
  readonly #bridge: SitewardBridge
  readonly #list: WebsiteList
  readonly #notices: Notices
  #busy = false
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, list: WebsiteList, notices: Notices) {
    this.#bridge = bridge
    this.#list = list
    this.#notices = notices
  }

  all(format: ListFormat): Promise<void> {
    return this.#export(format, { all: true, keys: [] })
  }

  selected(format: ListFormat): Promise<void> {
    return this.#export(format, this.#list.selection.chosen)
  }

  reset(): void {
    this.error = null
  }

  /** One file dialog at a time. */
  async #export(format: ListFormat, chosen: Chosen): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    this.error = null
    const answer = await this.#bridge.exportWebsites({ ...this.#list.question(), format, chosen })
    this.#busy = false
    if (!answer.ok) this.error = answer.error
    else if (answer.value.saved) this.#notices.say(exportedWebsites(answer.value.websites))
  }
}
