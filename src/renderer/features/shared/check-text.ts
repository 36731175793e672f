import { m } from '../../../messages/index.ts'
import type { KeychainState } from '../../../shared/connection.ts'
import type { SetUpCheck } from '../../../shared/diagnostics.ts'
import type { ErrorCode } from '../../../shared/result.ts'
import { checkErrorText, errorText, type ErrorText } from '../../../messages/errors.ts'
import { isOnLinux, isOnMac } from '../../lib/keys.ts'
import { hideTrayLabel } from './switches.ts'

type Part = SetUpCheck['part']
/** The texts for a part of the setup, by the result of its check. `unknown` is used for a result without a text. */
type Texts = Partial<Record<SetUpCheck['found'], () => string>> & { unknown: () => string }

/** The names of the parts that the set-up check covers. */
export const setUpPartNames: Record<Part, () => string> = {
  disk: m.check_disk,
  clock: m.check_clock,
  keychain: m.check_keychain,
  address: m.check_address,
  tls: m.check_tls,
  key: m.check_key,
  tray: () => (isOnMac() ? m.check_menu_bar() : m.check_tray()),
  notifications: m.check_notifications,
}

/** The short word for the result of a check, shown as a badge. */
export const findingLabels: Record<SetUpCheck['found'], () => string> = {
  good: m.check_good,
  bad: m.check_bad,
  absent: m.check_absent,
  unknown: m.check_unknown,
}

/** The texts for the result of each check, unless it is an error code. */
const texts: Record<Part, Texts> = {
  disk: { good: m.check_disk_good, bad: m.check_disk_bad, unknown: m.check_disk_unknown },
  clock: { good: m.check_clock_good, bad: m.check_clock_bad, unknown: m.check_clock_unknown },
  keychain: { good: m.check_keychain_good, unknown: m.check_keychain_unknown },
  address: { good: m.check_address_good, unknown: m.check_address_unknown },
  tls: { good: m.check_tls_good, bad: m.check_tls_bad, unknown: m.check_tls_unknown },
  key: { good: m.check_key_good, unknown: m.check_key_unknown },
  tray: { good: m.check_tray_good, absent: m.check_tray_absent, unknown: m.check_tray_unknown },
  notifications: {
    good: m.check_notifications_good,
    bad: m.check_notifications_bad,
    unknown: m.check_notifications_unknown,
  },
}

/** Why an API key can't be read, by the state of the keychain. */
export const unreadableKeyTexts: Record<KeychainState, () => string> = {
  missing: m.key_keychain_missing,
  frozen: m.key_keychain_frozen,
  locked: m.key_keychain_locked,
  ready: m.key_keychain_ready,
  unknown: m.key_keychain_unknown,
}

/** Returns the text for a failed request. For `keychain-locked`, the state of the keychain tells more than the code. */
export const requestErrorText = (code: ErrorCode, keychain: KeychainState): string =>
  code === 'keychain-locked' ? unreadableKeyTexts[keychain]() : checkErrorText(code)

/** Returns an error of the keychain. On Linux, its advice names a keychain to install if none can be accessed. */
export function keychainErrorText(code: ErrorCode): ErrorText {
  const text = errorText({ code, message: '' })
  return code === 'keychain-missing' && isOnLinux() ? { ...text, advice: m.keychain_install() } : text
}

/** The state in which the setup was checked. `hidesTray`: the user chose to have no tray icon. */
export interface CheckedState {
  keychain: KeychainState
  hasAccount: boolean
  hidesTray: boolean
}

/** Returns what was found for a part of the setup, and what to do about it. */
export function checkText(
  { part, found, code }: SetUpCheck,
  { keychain, hasAccount, hidesTray }: CheckedState,
): string {
  if (code === null) {
    if (part === 'tray' && found === 'absent' && hidesTray) return m.check_tray_hidden({ setting: hideTrayLabel() })
    if (part === 'tls' && found === 'unknown' && !hasAccount) return m.check_tls_no_account()
    if (part === 'key' && found === 'unknown' && !hasAccount) return m.check_key_no_account()
    return (texts[part][found] ?? texts[part].unknown)()
  }
  // The general text says that nothing was saved, but a check saves nothing.
  if (part === 'disk' && code === 'disk-full') return m.check_disk_full()
  return part === 'keychain' ? m.error_with_advice(keychainErrorText(code)) : requestErrorText(code, keychain)
}
