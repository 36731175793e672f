import { ok, type Result } from '../../shared/result.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ConnectionsOptions } from './ports.ts'

/** Opens a connection that doesn't run, calls `inspect` and closes it. Sends nothing. Errors: those of opening its file. */
export async function openBriefly<T>(
  { key, open, service }: Pick<ConnectionsOptions, 'key' | 'open' | 'service'>,
  record: StoredConnection,
  inspect: (connection: OpenConnection) => T,
): Promise<Result<T>> {
  const holder = key(record.id)
  const opened = await open(
    record,
    holder,
    service(record.address, () => holder.current(), record.id),
  )
  if (!opened.ok) return opened
  const result = inspect(opened.value)
  await opened.value.close()
  return ok(result)
}
