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

/** The undo of delivered edits and the restoring of values that they have overwritten, wherever the user asks for it. */
export class RevertFlow {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts
  readonly #isListed: (id: string) => boolean
  readonly #onReverted: (website: string | null) => Promise<void>
  /** The ids of the entries whose undo main has not answered yet, so that a second press does not undo the save before it too. */
  readonly #sending = new SvelteSet<string>()

  /** The entry whose undo needs the user's consent or a password. */
  asking: { entry: HistoryEntry; action: RevertAction } | null = $state.raw(null)
  password = $state('')
  passwordError = $state('')
  /** The error of the last undo of an entry that is listed, with the id of the entry. */
  refusal: { id: string; error: AppError } | null = $state.raw(null)

  /** True while main has not answered the undo of {@link asking}. */
  readonly busy = $derived(this.asking !== null && this.#sending.has(this.asking.entry.id))

  /** True if the undo recreates a website that needs a statistics password. */
  readonly needsPassword = $derived(
    this.asking?.entry.kind === 'delete' && this.asking.entry.before.privacy === PRIVACY.password,
  )

  /** `isListed` returns true if the screen lists the entry. `onReverted` is called with the website after its change was undone, and with null if that was refused. */
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

  /** Queues the undo of an entry, or asks first. */
  async revert(entry: HistoryEntry, action: RevertAction): Promise<void> {
    this.refusal = null
    if (revertQuestion(entry, action) === null) return this.#send(entry, action)
    this.password = ''
    this.passwordError = ''
    this.asking = { entry, action }
  }

  /** Queues the undo after the user's consent. The question stays open if the password is missing or invalid. */
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
   * Queues the undo, closes the question and shows a toast. The question stays open only after an error about the password. Any
   * other error is shown at the entry or, if the entry is not listed, as a toast.
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
    // The user may have closed the question since, and opened that about another entry.
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
