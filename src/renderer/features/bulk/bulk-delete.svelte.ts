import { m } from '../../../messages/index.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { MAX_BULK_DELETE } from '../../../shared/fields.ts'
import { joinSentences, formatNumber } from '../../../shared/display/format.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { offerUndo } from '../shared/undo-bulk-change.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: {
    readonly selection: { readonly count: number; keys(): Promise<Result<string[]>>; clear(): void }
  }
}

const MAX_DOMAINS_NAMED = 8

/** The question before the selected websites are deleted. It applies to the websites that were selected when it opened. */
export class BulkDelete {
  readonly #app: App
  /** The keys of the websites to delete; null if the question is closed. */
  keys: readonly string[] | null = $state.raw(null)
  /** The domains that the question lists. Websites that can't be read are left out. */
  domains: readonly string[] = $state.raw([])

  constructor(app: App) {
    this.#app = app
  }

  async begin(): Promise<void> {
    const { selection } = this.#app.websites
    if (selection.count > MAX_BULK_DELETE)
      return this.#app.toasts.show(m.selection_delete_limit({ limit: formatNumber(MAX_BULK_DELETE) }))
    const keys = await selection.keys()
    if (!keys.ok) return this.#tell(keys.error)
    const first = await Promise.all(
      keys.value.slice(0, MAX_DOMAINS_NAMED).map((key) => this.#app.bridge.getWebsite({ key })),
    )
    this.domains = first.flatMap((website) => (website.ok ? [website.value.domain] : []))
    this.keys = keys.value
  }

  cancel(): void {
    this.keys = null
  }

  /** Queues the deletes, and shows a toast with an Undo button. */
  async confirm(): Promise<void> {
    const { keys } = this
    this.keys = null
    if (keys === null) return
    const account = this.#app.appState?.connection
    const done = await this.#app.bridge.bulkDelete({ keys: [...keys] })
    if (!done.ok) return this.#tell(done.error)
    this.#app.websites.selection.clear()
    const { bulkChange, changed, refused } = done.value
    const failed = refused.filter(({ error }) => error.code !== 'website-gone')
    const reasons = failed.map(({ error }) => fullErrorText(error))
    const alreadyDeleted = refused.length - failed.length
    const text = joinSentences([
      (changed > 0 || refused.length === 0) && m.selection_deleted({ count: changed }),
      alreadyDeleted > 0 && m.selection_already_deleted({ count: alreadyDeleted }),
      failed.length > 0 && m.selection_not_deleted({ count: failed.length }),
      ...reasons.filter((reason, at) => reasons.indexOf(reason) === at),
    ])
    if (changed > 0) offerUndo(this.#app, text, bulkChange, { account })
    else this.#app.toasts.show(text)
  }

  #tell(error: AppError): void {
    this.#app.toasts.show(fullErrorText(error))
  }
}
