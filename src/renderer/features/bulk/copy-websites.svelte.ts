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

/** The user's choice for websites with a statistics password: a privacy, or not to copy them. '' before the choice. */
export type ProtectedCopyChoice = '' | 'password' | 'private' | 'public' | 'skip'

/** The dialog that copies the selected websites to another account. */
export class CopyWebsites {
  readonly #app: App

  /** The keys of the websites to copy; null if the dialog is closed. */
  keys: readonly string[] | null = $state.raw(null)
  /** The id of the account that receives the copies. */
  account = $state('')
  /** Null until main has responded. */
  preview: AccountCopyPreview | null = $state.raw(null)
  choice: ProtectedCopyChoice = $state('')
  password = $state('')
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** The websites that main refused when it queued the copies of the other websites. */
  refused: AccountCopyResult['refused'] = $state.raw([])

  readonly targets: readonly AccountState[] = $derived.by(() => copyTargets(this.#app.appState))
  /** Number of websites with a statistics password. A password can't be copied, so the user chooses what to do. */
  readonly protectedCount = $derived(this.preview?.filter(({ effect }) => effect === 'protected').length ?? 0)
  /** Number of websites that will be copied. */
  readonly count = $derived.by(() => {
    const plain = this.preview?.filter(({ effect }) => effect === 'copied').length ?? 0
    return this.choice === 'skip' || this.choice === '' ? plain : plain + this.protectedCount
  })
  /** True while the user has to choose what to do with websites that have a password. */
  readonly undecided = $derived(
    this.protectedCount > 0 && (this.choice === '' || (this.choice === 'password' && this.password === '')),
  )

  /** Why the copies may be added late or be rejected; undefined if nothing is wrong. */
  readonly warning = $derived.by(() => {
    const { appState } = this.#app
    const target = this.targets.find(({ id }) => id === this.account)
    if (target === undefined) return undefined
    // A service allows each domain only once, across all accounts (docs/service.md#domains).
    if (target.address === appState?.connection?.address) return m.copy_same_service()
    if (target.key === 'missing' || target.key === 'refused') return m.copy_no_key()
    return appState?.paused ? m.copy_paused() : undefined
  })

  constructor(app: App) {
    this.#app = app
  }

  /** Opens the dialog for the selected websites. A later change of the selection has no effect. */
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

  /** Queues the copies, and shows a toast with an Undo button. If some are refused, the dialog stays open and shows why. */
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
    if (created > 0) offerUndo(this.#app, done, bulkChange, { account: { id: account, name }, named: true })
    // The user may have closed the dialog, or opened it for other websites, while main was busy.
    if (this.keys !== keys) return
    if (refused.length === 0) this.cancel()
    else this.refused = refused
  }

  /** Returns the privacy of the copies of websites with a password; null if there are none or they are not copied. */
  #protectedAs(): ProtectedCopyPrivacy {
    if (this.protectedCount === 0) return null
    if (this.choice === 'password') return { privacy: PRIVACY.password, password: this.password }
    return this.choice === 'private' || this.choice === 'public' ? { privacy: PRIVACY[this.choice] } : null
  }

  /** Reads the preview. Ignores the response if the websites or the account were changed in the meantime. */
  async #look(): Promise<void> {
    const { keys, account } = this
    if (keys === null) return
    const answer = await this.#app.bridge.previewCopy({ keys: [...keys], account })
    if (this.keys !== keys || this.account !== account) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.preview = answer.value
  }
}
