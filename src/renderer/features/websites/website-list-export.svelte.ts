import { m } from '../../../messages/index.ts'
import type { EventPayload, SitewardBridge } from '../../../preload/bridge.ts'
import type { ListFormat } from '../../../shared/list-settings.ts'
import type { AppError } from '../../../shared/result.ts'
import type { ListSelection } from '../../../shared/form-draft.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import type { WebsiteList } from './website-list.svelte.ts'

/** Exports all websites in the list, or the selected ones, to a file that the user chooses. */
export class ListExport {
  readonly #bridge: SitewardBridge
  readonly #list: WebsiteList
  readonly #toasts: Toasts
  #busy = false
  /** True if the user has stopped the export or switched to another account. */
  #stopped = false
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, list: WebsiteList, toasts: Toasts) {
    this.#bridge = bridge
    this.#list = list
    this.#toasts = toasts
  }

  all(format: ListFormat): Promise<void> {
    return this.#export(format, { all: true, keys: [] })
  }

  selected(format: ListFormat): Promise<void> {
    return this.#export(format, this.#list.selection.chosen)
  }

  showProgress({ done, total }: EventPayload<'exporting'>): void {
    if (!this.#busy) return
    this.#toasts.progress = { text: m.list_exporting({ count: total }), done, total, stop: () => this.#stop() }
  }

  #stop(): void {
    this.#stopped = true
    void this.#bridge.cancelExport()
  }

  reset(): void {
    this.#stopped = true
    this.error = null
  }

  async #export(format: ListFormat, chosen: ListSelection): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    this.#stopped = false
    this.error = null
    const answer = await this.#bridge.exportWebsites({ ...this.#list.query(), format, chosen })
    this.#busy = false
    this.#toasts.progress = null
    if (answer.ok && answer.value.saved) this.#toasts.show(m.list_exported({ count: answer.value.websites }))
    else if (this.#stopped) this.#toasts.show(m.list_export_stopped())
    else if (!answer.ok) this.error = answer.error
  }
}
