import type { Account } from '../../shared/account.ts'
import type { AppStore } from '../storage/app.ts'
import type { OpenConnection } from './open.ts'

/** What a connection is called that the person gave no name: as its account, else as its host. */
export const ownName = (account: Account | null | undefined, address: string): string =>
  account?.name ?? new URL(address).host

/** The same, of one that is open. */
export const ownNameOf = ({ view, record }: Pick<OpenConnection, 'view' | 'record'>): string =>
  ownName(view.account()?.account, record.address)

/** One that is called as its account goes on to be, when the account is renamed; what the person called otherwise stays. */
export function followAccount(connection: OpenConnection, app: Pick<AppStore, 'connections' | 'saveConnection'>): void {
  let was = ownNameOf(connection)
  connection.refresh.onChange(({ account }) => {
    const is = ownNameOf(connection)
    if (!account || is === was) return
    const stored = app.connections().find(({ id }) => id === connection.record.id)
    if (stored?.name === was) app.saveConnection({ ...stored, name: is })
    was = is
  })
}
