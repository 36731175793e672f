import { fail, ok, type Result } from '../../shared/result.ts'
import type { Service } from '../service/port.ts'
import type { StoredConnection } from '../storage/app.ts'
import { isUnused, compareAccount, type AccountFingerprint, type ProbedAccount } from './probe.ts'

export interface ExistingConnectionSearch {
  /** Sends its requests with the given key. */
  service: Service
  /** The connections to the address, the oldest first. */
  connections: StoredConnection[]
  /**
   * Returns what identifies the account of a connection. `isInUse`: the connection has something to lose to another account, such as
   * its key or tags. Errors: those of opening its file.
   */
  identity: (record: StoredConnection) => Promise<Result<AccountFingerprint & { isInUse: boolean }>>
  /** True if the connection uses the given key already. */
  hasKey: (record: StoredConnection) => boolean
}

/**
 * Finds the existing connection for an address and a key, or else an unused one that has nothing to lose; null if there is neither.
 * `userAnswer` is the user's answer to whether the account is the same. Errors: `account-unclear` if that can't be determined and
 * the user hasn't answered, for a connection that has edits in its outbox, of which only the account is known, or that is unused but
 * has something to lose; those of the service client; `storage`.
 */
export async function findExistingConnection(
  { service, connections, identity, hasKey }: ExistingConnectionSearch,
  found: ProbedAccount,
  userAnswer: boolean | undefined,
): Promise<Result<StoredConnection | null>> {
  const id = found.account?.id
  const exact = connections.find((record) => id !== undefined && record.accountId === id)
  if (exact !== undefined) return ok(exact)
  let empty: StoredConnection | null = null
  let unclear: StoredConnection | null = null
  // Starts with the newest connection, which the user most likely means.
  for (const record of connections.toReversed()) {
    if (id !== undefined && record.accountId !== null) continue
    if (hasKey(record)) return ok(record)
    const knownBy = await identity(record)
    if (!knownBy.ok) return knownBy
    const same = await compareAccount(service, found, knownBy.value)
    if (!same.ok) return same
    const { hasEdits, websites, isInUse } = knownBy.value
    // An unused connection matches any account, so a better match is looked for first.
    if (isUnused(knownBy.value)) {
      if (isInUse) unclear ??= record
      else empty ??= record
    } else if (same.value === 'same') return ok(record)
    else if (same.value === 'unclear' && (hasEdits || websites.length === 0)) unclear ??= record
  }
  if (unclear === null || userAnswer === false) return ok(empty)
  return userAnswer === true ? ok(unclear) : fail('account-unclear')
}
