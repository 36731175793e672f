import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { ConnectionEntry } from '../../../shared/connection.ts'
import type { EditPage } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { m } from '../../../messages/index.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { coalesced } from '../../lib/coalesced.ts'

const PER_PAGE = 50

/** The question before a connection is removed, with a list of the edits that will be discarded. */
export class RemoveConnectionDialog {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts
  readonly #onRemoved: () => Promise<void>

  /** The connection to remove; null if the dialog is closed. */
  entry: ConnectionEntry | null = $state.raw(null)
  page = $state(1)
  result: EditPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** True after the edits were listed or failed to load. Only then can the user confirm. */
  shown = $state(false)
  /** True if tags, notes and views are kept for the case that the account is added again. */
  keepLocal = $state(true)
  busy = $state(false)

  readonly pages = $derived(Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))

  constructor(bridge: SitewardBridge, toasts: Toasts, onRemoved: () => Promise<void>) {
    this.#bridge = bridge
    this.#toasts = toasts
    this.#onRemoved = onRemoved
  }

  readonly load = coalesced(async () => {
    const { entry } = this
    if (entry === null) return
    const answer = await this.#bridge.listEditsOf({ id: entry.id, page: this.page, per_page: PER_PAGE })
    if (this.entry !== entry) return
    this.shown = true
    if (answer.ok) this.result = answer.value
    else this.error = answer.error
  })

  begin(entry: ConnectionEntry): void {
    this.cancel()
    this.entry = entry
    void this.load()
  }

  cancel(): void {
    this.entry = null
    this.page = 1
    this.result = null
    this.error = null
    this.shown = false
    this.keepLocal = true
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  /** Reloads the edits after a change, if the active connection is to be removed. */
  changed(): void {
    if (this.entry?.active) void this.load()
  }

  /** Removes the connection. If the error comes after disconnecting, which closes the dialog, a toast shows it. */
  async confirm(): Promise<void> {
    const { entry } = this
    if (entry === null || this.busy || !this.shown) return
    this.busy = true
    const answer = await this.#bridge.removeConnection({
      ...{ id: entry.id, unsent: this.result?.total ?? 0 },
      keepLocal: entry.localData === 'keepable' && this.keepLocal,
    })
    this.busy = false
    if (answer.ok) {
      this.cancel()
      const { keyLeft } = answer.value
      this.#toasts.show(keyLeft ? m.key_not_deleted() : m.connection_removed({ name: isolateText(entry.name) }))
      return this.#onRemoved()
    }
    this.error = answer.error
    void this.load()
    if (this.entry === null) this.#toasts.show(fullErrorText(answer.error))
  }
}
