import type { EventPayload, SitewardBridge } from '../../../preload/bridge.ts'
import type { ListFormat } from '../../../shared/list-settings.ts'
import type { AppError } from '../../../shared/result.ts'
import type { Chosen } from '../../../shared/form-draft.ts'
import { exportedWebsites, exportingWebsites, exportStopped } from '../../../words/transfer.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import type { WebsiteList } from './website-list.svelte.ts'

/** What the list shows into a file, or what is selected of it; main asks for the file. */
export class ListExport {
  readonly #bridge: SitewardBridge
  readonly #list: WebsiteList
  readonly #toasts: Toasts
  #busy = false
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

  /** A long one is under way. */
  goes({ done, total }: EventPayload<'exporting'>): void {
    if (!this.#busy) return
    this.#toasts.progress = { text: exportingWebsites(total), done, total, stop: () => this.#stop() }
  }

  #stop(): void {
    this.#stopped = true
    void this.#bridge.cancelExport()
  }

  reset(): void {
    this.error = null
  }

  /** One file dialog at a time. */
  async #export(format: ListFormat, chosen: Chosen): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    this.#stopped = false
    this.error = null
    const answer = await this.#bridge.exportWebsites({ ...this.#list.question(), format, chosen })
    this.#busy = false
    this.#toasts.progress = null
    if (!answer.ok) this.error = answer.error
    else if (answer.value.saved) this.#toasts.say(exportedWebsites(answer.value.websites))
    else if (this.#stopped) this.#toasts.say(exportStopped)
  }
}
