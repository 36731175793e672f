import { fail, ok, type Result } from '../../shared/result.ts'
import type { Service } from '../service/port.ts'
import type { StoredConnection } from '../storage/app.ts'
import { isAnybodys, sameAccount, type Identity, type Probe } from './probe.ts'

export interface Candidates {
  /** Asked with the key that was given. */
  service: Service
  /** The connections at the address, in the order in which they were made. */
  here: StoredConnection[]
  identity: (record: StoredConnection) => Promise<Result<Identity>>
  /** Whether it has this very key already. */
  holds: (record: StoredConnection) => boolean
}

/**
 * The connection that an address and a key belong to, if there is one already; `said`: the person's word, where nothing
 * else tells. Errors: `account-unclear`, where it may be one whose edits wait, or of which nothing
 * but the account is known; those of the service client, `storage`.
 */
export async function findKnown(
  { service, here, identity, holds }: Candidates,
  found: Probe,
  said: boolean | undefined,
): Promise<Result<StoredConnection | null>> {
  const id = found.account?.id
  const exact = here.find((record) => id !== undefined && record.accountId === id)
  if (exact !== undefined) return ok(exact)
  let empty: StoredConnection | null = null
  let unclear: StoredConnection | null = null
  // The latest first: it's what the person means.
  for (const record of here.toReversed()) {
    if (id !== undefined && record.accountId !== null) continue
    if (holds(record)) return ok(record)
    const knownBy = await identity(record)
    if (!knownBy.ok) return knownBy
    const same = await sameAccount(service, found, knownBy.value)
    if (!same.ok) return same
    const { waiting, websites } = knownBy.value
    // One that is anybody's proves nothing.
    if (isAnybodys(knownBy.value)) empty ??= record
    else if (same.value === 'same') return ok(record)
    else if (same.value === 'unclear' && (waiting || websites.length === 0)) unclear ??= record
  }
  if (unclear === null || said === false) return ok(empty)
  return said === true ? ok(unclear) : fail('account-unclear')
}
