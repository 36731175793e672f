import { m } from '../../../messages/index.ts'
import type { EventPayload } from '../../../preload/bridge.ts'
import type { ListFormat } from '../../../shared/list-settings.ts'
import type { AppError } from '../../../shared/result.ts'
import type { ListSelection } from '../../../shared/form-draft.ts'
import { joinSentences } from '../../../shared/display/format.ts'
import type { BaseApp } from '../../app/base-app.ts'
import type { WebsiteList } from './website-list.svelte.ts'

/** Exports all websites in the list, or the selected ones, to a file that the user chooses. */
export class ListExport {
  readonly #app: BaseApp
  readonly #list: WebsiteList
  #busy = false
  /** True if the user has stopped the export or switched to another account. */
  #stopped = false
  error: AppError | null = $state.raw(null)

  constructor(app: BaseApp, list: WebsiteList) {
    this.#app = app
    this.#list = list
  }

  all(format: ListFormat): Promise<void> {
    return this.#export(format, { all: true, keys: [] })
  }

  selected(format: ListFormat): Promise<void> {
    return this.#export(format, this.#list.selection.chosen)
  }

  showProgress({ done, total }: EventPayload<'exporting'>): void {
    if (!this.#busy) return
    this.#app.toasts.progress = { text: m.list_exporting({ count: total }), done, total, stop: () => this.#stop() }
  }

  #stop(): void {
    this.#stopped = true
    void this.#app.bridge.cancelExport()
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
    const isPartial = chosen.all && this.#app.isListIncomplete
    const answer = await this.#app.bridge.exportWebsites({ ...this.#list.query(), format, chosen })
    this.#busy = false
    this.#app.toasts.progress = null
    if (answer.ok && answer.value.saved) {
      const exported = m.list_exported({ count: answer.value.websites })
      this.#app.toasts.show(joinSentences([exported, isPartial && m.list_incomplete()]))
    } else if (this.#stopped) this.#app.toasts.show(m.list_export_stopped())
    else if (!answer.ok) this.error = answer.error
  }
}
