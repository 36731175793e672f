import type { Account } from '../../shared/account.ts'
import { toConnectionName } from '../../shared/validate.ts'
import type { AppStore } from '../storage/app.ts'
import type { OpenConnection } from './open-connection.ts'

/** Returns the name of a connection to which the user gave none: the account's name, or else the host of the service. */
export const defaultName = (account: Account | null | undefined, address: string): string =>
  toConnectionName(account?.name ?? '') || toConnectionName(new URL(address).host)

/** Returns the {@link defaultName} of an open connection. */
export const defaultNameOf = ({ view, record }: Pick<OpenConnection, 'view' | 'record'>): string =>
  defaultName(view.account()?.account, record.address)

/** Renames the connection when its account is renamed, unless the user has chosen the name. */
export function followAccountName(
  connection: OpenConnection,
  app: Pick<AppStore, 'connections' | 'saveConnection'>,
): void {
  let was = defaultNameOf(connection)
  connection.refresh.onChange(({ account }) => {
    const is = defaultNameOf(connection)
    if (!account || is === was) return
    const stored = app.connections().find(({ id }) => id === connection.record.id)
    if (stored?.name === was) app.saveConnection({ ...stored, name: is })
    was = is
  })
}
