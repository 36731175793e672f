import { fail, ok, type Result } from '../../shared/result.ts'
import type { Service } from '../service/port.ts'
import type { StoredConnection } from '../storage/app.ts'
import { isUnused, compareAccount, type AccountFingerprint, type ProbedAccount } from './probe.ts'

/** A key whose saved connection is searched, and the connections that it may belong to. */
export interface ExistingConnectionSearch {
  /** Sends requests with the key whose connection is searched. */
  service: Service
  /** The connections with the same address, oldest first. */
  connections: StoredConnection[]
  /**
   * `isInUse`: the connection has a key, or data that another account gets only if the user agrees. Errors: those of opening the
   * connection's file.
   */
  identity: (record: StoredConnection) => Promise<Result<AccountFingerprint & { isInUse: boolean }>>
  /** True if the connection already uses the key. */
  hasKey: (record: StoredConnection) => boolean
}

/**
 * Finds the connection that a key belongs to, or else an unused one with nothing to lose, or null. `userAnswer`: whether the user
 * says that an unclear match is the same account. Errors: `account-unclear` if the user hasn't answered and the match is unclear:
 * the service doesn't tell the account of a connection that has pending edits or no known website, or an unused connection has
 * something to lose; those of the service client; `storage`.
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
  // Newest first, because the user most likely means that one.
  for (const record of connections.toReversed()) {
    if (id !== undefined && record.accountId !== null) continue
    if (hasKey(record)) return ok(record)
    const knownBy = await identity(record)
    if (!knownBy.ok) return knownBy
    const same = await compareAccount(service, found, knownBy.value)
    if (!same.ok) return same
    const { hasEdits, websites, isInUse } = knownBy.value
    // An unused connection matches any account, so the search for a better match continues.
    if (isUnused(knownBy.value)) {
      if (isInUse) unclear ??= record
      else empty ??= record
    } else if (same.value === 'same') return ok(record)
    else if (same.value === 'unclear' && (hasEdits || websites.length === 0)) unclear ??= record
  }
  if (unclear === null || userAnswer === false) return ok(empty)
  return userAnswer === true ? ok(unclear) : fail('account-unclear')
}
