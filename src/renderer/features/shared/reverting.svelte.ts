import { SvelteSet } from 'svelte/reactivity'
import { m } from '../../../messages/index.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { joinSentences } from '../../../shared/display/format.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { HistoryEntry } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { PRIVACY } from '../../../shared/website.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { revertQuestion, revertToast, type RevertAction } from './result-text.ts'

/** Undoes sent edits, and restores values that they have overwritten, for all screens. */
export class RevertFlow {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts
  readonly #isListed: (id: string) => boolean
  readonly #onReverted: (website: string | null) => Promise<void>
  /** The ids of the entries whose undo is running, so that a second click doesn't also undo the save before. */
  readonly #sending = new SvelteSet<string>()

  /** The entry in the open question, which asks for consent or a password before the undo. Null if no question is open. */
  asking: { entry: HistoryEntry; action: RevertAction } | null = $state.raw(null)
  password = $state('')
  passwordError = $state('')
  /** The error of the last undo, shown at the entry with this id. */
  refusal: { id: string; error: AppError } | null = $state.raw(null)

  /** True while the undo of {@link asking} is running. */
  readonly busy = $derived(this.asking !== null && this.#sending.has(this.asking.entry.id))

  /** True if the undo recreates a website with a statistics password, which the user has to type again. */
  readonly needsPassword = $derived(
    this.asking?.entry.kind === 'delete' && this.asking.entry.before.privacy === PRIVACY.password,
  )

  /** `isListed`: true if the screen lists the entry. `onReverted` gets the website after an undo, and null after an error. */
  constructor(
    bridge: SitewardBridge,
    toasts: Toasts,
    isListed: (id: string) => boolean,
    onReverted: (website: string | null) => Promise<void>,
  ) {
    this.#bridge = bridge
    this.#toasts = toasts
    this.#isListed = isListed
    this.#onReverted = onReverted
  }

  /** Queues the undo of an entry, or asks a question first. */
  async revert(entry: HistoryEntry, action: RevertAction): Promise<void> {
    this.refusal = null
    if (revertQuestion(entry, action) === null) return this.#send(entry, action)
    this.password = ''
    this.passwordError = ''
    this.asking = { entry, action }
  }

  /** Queues the undo after the user has agreed. The question stays open if the password is missing or invalid. */
  async agree(): Promise<void> {
    if (!this.asking) return
    if (this.needsPassword && this.password === '') this.passwordError = m.password_missing()
    else await this.#send(this.asking.entry, this.asking.action)
  }

  cancel(): void {
    this.asking = null
    this.password = ''
  }

  reset(): void {
    this.cancel()
    this.refusal = null
  }

  /**
   * Queues the undo. An error about the password keeps the question open. Other errors are shown at the entry, or as a toast if
   * it isn't listed.
   */
  async #send(entry: HistoryEntry, action: RevertAction): Promise<void> {
    const { id } = entry
    if (this.#sending.has(id)) return
    this.#sending.add(id)
    const answer = await this.#bridge.revertEdit({
      id,
      action,
      ...(this.needsPassword && { password: this.password }),
    })
    // The user may have opened the question about another entry in the meantime.
    const isAsking = this.asking?.entry.id === id
    const onPassword = answer.ok ? undefined : answer.error.fields?.['password']
    if (onPassword && isAsking) {
      this.#sending.delete(id)
      this.passwordError = joinSentences(onPassword)
      return
    }
    if (isAsking) this.cancel()
    await this.#onReverted(answer.ok ? entry.website : null)
    this.#sending.delete(id)
    if (answer.ok) this.#toasts.show(revertToast(entry, action))
    else if (this.#isListed(id)) this.refusal = { id, error: answer.error }
    else this.#toasts.show(fullErrorText(answer.error))
  }
}
