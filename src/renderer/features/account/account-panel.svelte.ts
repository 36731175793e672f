import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { AccountView } from '../../../shared/account.ts'
import { planLacks } from '../../../shared/plan.ts'
import type { AppError } from '../../../shared/result.ts'
import { m } from '../../../messages/index.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { coalesced } from '../../lib/coalesced.ts'

export class AccountPanel {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts

  /** The account as the service last returned it. Undefined: not read from the disk yet. Null: never returned. */
  view: AccountView | null | undefined = $state.raw(undefined)
  error: AppError | null = $state.raw(null)
  /** Why the last attempt to disconnect, or to read the key from the keychain, failed. Null if it succeeded. */
  refusal: AppError | null = $state.raw(null)
  replacing = $state(false)
  /** Incremented whenever another account is shown, to recognize a response that is about the former account. */
  #resets = 0

  constructor(bridge: SitewardBridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  get lacksReports(): boolean {
    const account = this.view?.account
    return account !== undefined && planLacks(account, 'email_reports')
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.getAccount()
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  })

  /** Disconnects the account. Shows a toast if the key could not be removed from the keychain. */
  async disconnect(): Promise<void> {
    this.refusal = null
    const answer = await this.#bridge.disconnect()
    if (!answer.ok) this.refusal = answer.error
    else if (answer.value.keyLeft) this.#toasts.show(m.key_not_deleted())
  }

  async retryKeychain(): Promise<void> {
    this.refusal = null
    const resets = this.#resets
    const answer = await this.#bridge.retryKeychain()
    // The keychain may respond only after the user has switched to another account, which must not show this error.
    if (!answer.ok && resets === this.#resets) this.refusal = answer.error
  }

  reset(): void {
    this.#resets += 1
    this.view = undefined
    this.replacing = false
    this.error = null
    this.refusal = null
  }
}
