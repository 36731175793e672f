import type { AppError } from '../../../shared/result.ts'
import { MOST_DELETED } from '../../../shared/fields.ts'
import { takenBackWords } from '../../../words/bulk.ts'
import { bulkDeletedWords, tooManyWords } from '../../../words/selection.ts'
import { errorWords } from '../../../words/errors.ts'
import { offerUndo } from './undo-toast.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { WebsiteList } from '../websites/website-list.svelte.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'

interface Desk {
  readonly bridge: SitewardBridge
  readonly websites: WebsiteList
  readonly toasts: Toasts
}

/** The question before the chosen websites are deleted: these, whatever comes to match meanwhile. */
export class BulkDelete {
  readonly #desk: Desk
  /** Null: nothing is asked. */
  keys: readonly string[] | null = $state.raw(null)

  constructor(desk: Desk) {
    this.#desk = desk
  }

  async begin(): Promise<void> {
    const { selection } = this.#desk.websites
    if (selection.count > MOST_DELETED) return this.#desk.toasts.say(tooManyWords)
    const keys = await selection.keys()
    if (keys.ok) this.keys = keys.value
    else this.#tell(keys.error)
  }

  cancel(): void {
    this.keys = null
  }

  async confirm(): Promise<void> {
    const { keys } = this
    this.keys = null
    if (keys === null) return
    const done = await this.#desk.bridge.bulkDelete({ keys: [...keys] })
    if (!done.ok) return this.#tell(done.error)
    this.#desk.websites.selection.clear()
    const { bulkChange, changed, refused } = done.value
    const said = bulkDeletedWords(changed, refused.length)
    if (changed > 0) offerUndo(this.#desk, said, bulkChange, takenBackWords)
    else this.#desk.toasts.say(said)
  }

  #tell(error: AppError): void {
    this.#desk.toasts.say(errorWords(error).what)
  }
}
