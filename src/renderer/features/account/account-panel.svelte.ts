import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { AccountView } from '../../../shared/account.ts'
import type { AppError } from '../../../shared/result.ts'
import { coalesced } from '../../lib/coalesced.ts'

/** The account as the service last returned it. */
export class AccountPanel {
  readonly #bridge: SitewardBridge

  /** Undefined: not read from the disk yet. Null: the service has never returned one. */
  view: AccountView | null | undefined = $state.raw(undefined)
  error: AppError | null = $state.raw(null)
  /** The reason why the last attempt to disconnect or to read the key from the keychain failed; null if it succeeded. */
  refusal: AppError | null = $state.raw(null)
  /** True while the form to replace the key is open. */
  replacing = $state(false)

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.getAccount()
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  })

  /** Disconnects. Returns true if the key is left in the keychain; false also if disconnecting failed (`refusal`). */
  async disconnect(): Promise<boolean> {
    this.refusal = null
    const answer = await this.#bridge.disconnect()
    if (answer.ok) return answer.value.keyLeft
    this.refusal = answer.error
    return false
  }

  async retryKeychain(): Promise<void> {
    this.refusal = null
    const answer = await this.#bridge.retryKeychain()
    if (!answer.ok) this.refusal = answer.error
  }

  reset(): void {
    this.view = undefined
    this.replacing = false
    this.error = null
    this.refusal = null
  }
}
