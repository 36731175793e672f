import type { Account } from '../../shared/account.ts'
import { ok, type Result } from '../../shared/result.ts'
import { authenticatedRead } from '../connectivity/probe.ts'
import type { Service } from '../service/port.ts'

/** `account` is null if the host lists websites but shows no account. */
export type ProbedAccount = { account: Account | null }

/** Checks an address and a key with one authenticated read. Errors: those of the service client. */
export async function probe(service: Service): Promise<Result<ProbedAccount>> {
  const read = await authenticatedRead(service)
  return read.outcome === 'applied' ? ok({ account: read.value }) : { ok: false, error: read.error }
}

/** The data that identify the account of a connection, for {@link compareAccount}. */
export interface AccountFingerprint {
  /** Null if the service has never shown it. */
  accountId: string | null
  /** Some of the websites that the connection has read from the service. */
  websites: readonly { id: string; domain: string }[]
  /** True if the outbox has edits. The account must then not be guessed. */
  hasEdits: boolean
}

/** `unclear`: the user has to decide. */
export type Sameness = 'same' | 'other' | 'unclear'

/**
 * Tells if a key belongs to the account of a connection. If either account is unknown, the key must read a website that the
 * connection knows (docs/sync.md#rejected-api-key). The same id with another domain means another account, because a domain never
 * changes. Errors: those of the service client.
 */
export async function compareAccount(
  service: Service,
  found: ProbedAccount,
  identity: AccountFingerprint,
): Promise<Result<Sameness>> {
  const id = found.account?.id
  if (id !== undefined && identity.accountId !== null) return ok(id === identity.accountId ? 'same' : 'other')
  if (isUnused(identity)) return ok('same')
  for (const website of identity.websites) {
    const read = await service.get(website.id)
    if (read.outcome === 'applied') return ok(read.value.domain === website.domain ? 'same' : 'other')
    if (read.error.code !== 'not-found') return { ok: false, error: read.error }
  }
  return ok('unclear')
}

/** True if any key is safe for a connection. */
export const isUnused = ({ accountId, websites, hasEdits }: AccountFingerprint): boolean =>
  accountId === null && websites.length === 0 && !hasEdits
