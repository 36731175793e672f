import type { KeychainState } from '../shared/connection.ts'
import type { AppState } from '../shared/state.ts'
import { m } from './index.ts'

/** Headings that the window and the tray share. */

/** Says why the API key can't be read from the keychain. */
export const keychainHeadings: Record<KeychainState, () => string> = {
  missing: m.keychain_missing,
  frozen: m.keychain_frozen,
  locked: m.keychain_locked,
  ready: m.keychain_ready,
  unknown: m.keychain_unknown,
}

/** Says which file was damaged. */
export const recoveryHeadings: Record<NonNullable<AppState['salvaged']>['of'], () => string> = {
  app: m.recovery_app_head,
  connection: m.recovery_connection_head,
}
