import { errorText } from './errors.ts'
import { keychainHeadings, recoveryHeadings } from './headings.ts'
import { m } from './index.ts'
import type { AccountState } from '../shared/account-state.ts'
import type { AppState } from '../shared/state.ts'

/** The urgencies of an account's status, from the least to the most urgent. */
export const urgencies = ['idle', 'pending', 'paused', 'offline', 'attention'] as const
export type Urgency = (typeof urgencies)[number]

/** The status of an account in a few words. */
export interface AccountStatus {
  urgency: Urgency
  text: string
  /** A second text with the number of pending changes, if there are any and `text` leaves them out. */
  pending?: string
}

/** The parts of the app's state that concern every account. */
type Shared = Pick<AppState, 'paused' | 'keychain'>

/**
 * Returns the status of an account in a few words. `isOpen`: true while the window is open. While it is closed, "Offline"
 * counts only if changes are pending, because nothing else is delayed by it.
 */
export function accountStatus(account: AccountState, { paused, keychain }: Shared, isOpen: boolean): AccountStatus {
  const { running, key, offline, rejected, waiting, unconfirmed } = account
  const problem = urgentProblem(account, keychain)
  if (problem !== null) return { urgency: 'attention', ...problem }
  if (!running) return { urgency: 'idle', text: key === 'loading' ? m.connection_opening() : m.status_not_connected() }
  if (paused) return { urgency: 'paused', text: withPending(m.status_paused(), waiting) }
  if (offline && (isOpen || waiting > 0)) {
    const text = rejected ? m.status_forbidden() : m.status_offline()
    return { urgency: 'offline', text: withPending(text, waiting) }
  }
  if (key === 'loading')
    return { urgency: waiting > 0 ? 'pending' : 'idle', text: withPending(m.status_keychain_waiting(), waiting) }
  if (waiting > 0) return { urgency: 'pending', text: m.status_pending({ count: waiting }) }
  return { urgency: 'idle', text: unconfirmed ? m.status_unconfirmed() : m.status_done() }
}

/** Returns the most urgent thing that needs the user's attention, or null. */
function urgentProblem(account: AccountState, keychain: AppState['keychain']): Omit<AccountStatus, 'urgency'> | null {
  const { running, readOnly, problem, key, restored, waiting, parked } = account
  if (readOnly) {
    return { text: waiting > 0 ? m.status_newer_version_pending({ count: waiting }) : m.status_newer_version() }
  }
  const withoutPending = (text: string) => ({
    text,
    ...(waiting > 0 && { pending: m.status_pending({ count: waiting }) }),
  })
  if (problem !== null) return withoutPending(errorText(problem).problem)
  if (!running) return null
  if (key === 'refused') return withoutPending(m.status_key_rejected())
  if (key === 'missing') return withoutPending(m.status_key_missing())
  if (key === 'locked') return { text: withPending(keychainHeadings[keychain](), waiting) }
  if (restored) return withoutPending(recoveryHeadings.connection())
  return parked > 0 ? withoutPending(m.status_need_attention({ count: parked })) : null
}

const withPending = (status: string, count: number): string =>
  count > 0 ? m.status_with_pending({ status, count }) : status
