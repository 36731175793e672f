import type { AccountCopyPreview, AccountCopyResult, ProtectedCopyPrivacy } from '../../../shared/bulk.ts'
import { MAX_BULK_CREATE } from '../../../shared/bulk.ts'
import { PRIVACY } from '../../../shared/fields.ts'
import type { AccountState } from '../../../shared/account-state.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { copyTargets } from '../shared/copy-targets.ts'
import { offerUndo } from '../shared/undo-bulk-change.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { readonly selection: { readonly count: number; keys(): Promise<Result<string[]>> } }
}

/** The user's choice for websites with a password; '' until there is one. */
export type ProtectedCopyChoice = '' | 'password' | 'private' | 'public' | 'skip'

/** Copies websites to another account, after a preview. */
export class CopyWebsites {
  readonly #app: App

  /** The websites to be copied; null if the dialog is closed. */
  keys: readonly string[] | null = $state.raw(null)
  /** The id of the account that gets the copies. */
  account = $state('')
  /** Null until main has answered. */
  preview: AccountCopyPreview | null = $state.raw(null)
  choice: ProtectedCopyChoice = $state('')
  password = $state('')
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** The websites that were refused, after the others were queued. */
  refused: AccountCopyResult['refused'] = $state.raw([])

  readonly targets: readonly AccountState[] = $derived.by(() => copyTargets(this.#app.appState))
  /** Number of websites with a statistics password, for which the user has to make a choice. */
  readonly protectedCount = $derived(this.preview?.filter(({ effect }) => effect === 'protected').length ?? 0)
  /** The number of websites that will be copied. */
  readonly count = $derived.by(() => {
    const plain = this.preview?.filter(({ effect }) => effect === 'copied').length ?? 0
    return this.choice === 'skip' || this.choice === '' ? plain : plain + this.protectedCount
  })
  /** True if the user still has to choose how websites with a password are copied. */
  readonly undecided = $derived(
    this.protectedCount > 0 && (this.choice === '' || (this.choice === 'password' && this.password === '')),
  )

  /** The reason why the copies may be added late, or be rejected. */
  readonly warning = $derived.by(() => {
    const { appState } = this.#app
    const target = this.targets.find(({ id }) => id === this.account)
    if (target === undefined) return undefined
    // A domain is unique across all accounts of a service (docs/service.md#domains).
    if (target.address === appState?.connection?.address) return m.copy_same_service()
    if (target.key === 'missing' || target.key === 'refused') return m.copy_no_key()
    return appState?.paused ? m.copy_paused() : undefined
  })

  constructor(app: App) {
    this.#app = app
  }

  /** Opens the dialog for the websites that are selected now, even if the selection changes later. */
  async begin(): Promise<void> {
    const { selection } = this.#app.websites
    if (selection.count > MAX_BULK_CREATE)
      return this.#app.toasts.show(m.copy_limit({ limit: formatNumber(MAX_BULK_CREATE) }))
    const keys = await selection.keys()
    if (keys.ok) this.beginWith(keys.value)
    else this.#app.toasts.show(fullErrorText(keys.error))
  }

  beginWith(keys: readonly string[]): void {
    this.cancel()
    this.keys = keys
    this.choose(this.targets[0]?.id ?? '')
  }

  /** Chooses the account that gets the copies. */
  choose(account: string): void {
    this.account = account
    this.preview = null
    void this.#look()
  }

  cancel(): void {
    this.keys = null
    this.preview = null
    this.choice = ''
    this.password = ''
    this.error = null
    this.refused = []
  }

  /**
   * Queues the copies, and shows a toast that offers to undo them. The dialog stays open if some websites were refused, and shows
   * why.
   */
  async copy(): Promise<void> {
    const { keys, account } = this
    if (this.busy || keys === null || this.undecided || this.count === 0) return
    this.busy = true
    const answer = await this.#app.bridge.copyWebsites({ keys: [...keys], account, protectedAs: this.#protectedAs() })
    this.busy = false
    if (!answer.ok) {
      if (this.keys === keys) this.error = answer.error
      return
    }
    this.error = null
    const { bulkChange, created, refused } = answer.value
    const name = this.targets.find(({ id }) => id === account)?.name ?? ''
    const done = m.copied({ count: created, account: isolateText(name) })
    if (created > 0) offerUndo(this.#app, done, bulkChange, { account: { id: account, name } })
    // The dialog may have been closed, or opened for other websites.
    if (this.keys !== keys) return
    if (refused.length === 0) this.cancel()
    else this.refused = refused
  }

  /** Returns how websites with a password are copied; null: they are skipped, or there are none. */
  #protectedAs(): ProtectedCopyPrivacy {
    if (this.protectedCount === 0) return null
    if (this.choice === 'password') return { privacy: PRIVACY.password, password: this.password }
    return this.choice === 'private' || this.choice === 'public' ? { privacy: PRIVACY[this.choice] } : null
  }

  /** Reads the preview. An answer is dropped if other websites or another account were chosen since. */
  async #look(): Promise<void> {
    const { keys, account } = this
    if (keys === null) return
    const answer = await this.#app.bridge.previewCopy({ keys: [...keys], account })
    if (this.keys !== keys || this.account !== account) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.preview = answer.value
  }
}
