import { m } from '../../../../messages/index.ts'
import type { SitewardBridge } from '../../../../preload/bridge.ts'
import type { HistoryEntry, HistoryPage } from '../../../../shared/edit.ts'
import type { AppError } from '../../../../shared/result.ts'
import { PRIVACY } from '../../../../shared/website.ts'
import { revertQuestion, type Revert } from './history-text.ts'
import { coalesced } from '../../../lib/coalesced.ts'

const PER_PAGE = 50

/** The history, one page at a time, and the undo of its entries. It is loaded when it is first shown. */
export class HistoryList {
  readonly #bridge: SitewardBridge

  page = $state(1)
  result: HistoryPage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)

  /** The entry whose undo needs the user's consent or a password. */
  asking: { entry: HistoryEntry; what: Revert } | null = $state.raw(null)
  password = $state('')
  passwordError = $state('')
  /** The error of the last undo, with the id of its entry. */
  refusal: { id: string; error: AppError } | null = $state.raw(null)

  readonly pages = $derived(Math.max(1, Math.ceil((this.result?.total ?? 0) / PER_PAGE)))
  /** True if the undo recreates a website that needs a statistics password. */
  readonly needsPassword = $derived(
    this.asking?.entry.kind === 'delete' && this.asking.entry.before.privacy === PRIVACY.password,
  )

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listHistory({ page: this.page, per_page: PER_PAGE })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    if (this.page > this.pages) this.goTo(this.pages)
  })

  /** Reloads the history after an edit was sent, if it has been shown. */
  changed(): void {
    if (this.result !== null) void this.load()
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  /** Queues the undo of an entry. Returns false if the user has to consent first, or if it was refused. */
  async revert(entry: HistoryEntry, what: Revert): Promise<boolean> {
    this.refusal = null
    if (revertQuestion(entry, what) === null) return this.#send(entry, what)
    this.password = ''
    this.passwordError = ''
    this.asking = { entry, what }
    return false
  }

  /**
   * Queues the undo after the user's consent. Returns true if it was queued. The question stays open if the password is
   * missing or invalid.
   */
  async agree(): Promise<boolean> {
    if (!this.asking) return false
    if (this.needsPassword && this.password === '') {
      this.passwordError = m.password_missing_unseen()
      return false
    }
    return this.#send(this.asking.entry, this.asking.what)
  }

  cancel(): void {
    this.asking = null
    this.password = ''
  }

  reset(): void {
    this.cancel()
    this.page = 1
    this.result = null
    this.error = null
    this.refusal = null
  }

  async #send({ id }: HistoryEntry, what: Revert): Promise<boolean> {
    const answer = await this.#bridge.revertEdit({
      id,
      what,
      ...(this.needsPassword && { password: this.password }),
    })
    const onPassword = answer.ok ? undefined : answer.error.fields?.['password']
    if (onPassword) {
      this.passwordError = onPassword.join(' ')
      return false
    }
    this.cancel()
    if (!answer.ok) this.refusal = { id, error: answer.error }
    await this.load()
    return answer.ok
  }
}
