import { m } from '../../../messages/index.ts'
import type { ConnectionEntry, ConnectionView } from '../../../shared/connection.ts'
import type { AppState } from '../../../shared/state.ts'

/** Returns the address of the service. The sample service has another one at each start, so its name is returned. */
export const addressText = ({ sample, address }: ConnectionEntry | ConnectionView): string =>
  sample ? m.sample_data() : address

/** Says how many changes of a connection are pending. Null: its file couldn't be opened. */
export function pendingText(unsent: number | null): string {
  if (unsent === null) return m.connection_unreadable()
  return unsent === 0 ? m.connection_nothing_pending() : m.status_pending({ count: unsent })
}

/** True if the user has to enter the key of an account. */
export const lacksKey = ({ accounts }: Pick<AppState, 'accounts'>, id: string): boolean =>
  accounts.some(
    (account) => account.id === id && account.key === 'missing' && !account.sample && account.problem === null,
  )
