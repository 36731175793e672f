import { accountStatus } from '../../../messages/account-status.ts'
import { m } from '../../../messages/index.ts'
import type { ConnectionEntry, ConnectionView } from '../../../shared/connection.ts'
import type { AppState } from '../../../shared/state.ts'

/** Returns the address of the service. The sample service has a name instead, because its address changes with each start. */
export const addressText = ({ sample, address }: ConnectionEntry | ConnectionView): string =>
  sample ? m.sample_data() : address

/** Returns a text that changes whenever an account's data file is opened or can't be opened. */
export const accountFilesKey = ({ accounts }: Pick<AppState, 'accounts'>): string =>
  accounts.map(({ id, running, problem }) => `${id} ${String(running)} ${String(problem?.code)}`).join()

/** Returns the status of an account. If it doesn't run: its number of pending changes, or the state of its data file. */
export function connectionStatusText(appState: AppState, { id, opening, unsent }: ConnectionEntry): string {
  const account = appState.accounts.find((each) => each.id === id)
  if (account?.running) return accountStatus(account, appState, true).text
  if (opening) return m.connection_opening()
  if (unsent === null) return m.connection_unreadable()
  return unsent === 0 ? m.pending_none() : m.status_pending({ count: unsent })
}

/** True if the account needs a key from the user before anything can be read or sent. */
export const lacksKey = ({ accounts }: Pick<AppState, 'accounts'>, id: string): boolean =>
  accounts.some(
    (account) => account.id === id && account.key === 'missing' && !account.sample && account.problem === null,
  )

/** True if the user has to enter the key of the active account, even if the keychain is open but doesn't contain it. */
export const activeLacksKey = ({ connection, keychain }: Pick<AppState, 'connection' | 'keychain'>): boolean =>
  connection !== null &&
  !connection.sample &&
  (connection.key === 'missing' || (connection.key === 'locked' && keychain === 'ready'))
