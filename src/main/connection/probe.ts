import type { Account } from '../../shared/account.ts'
import { ok, type Result } from '../../shared/result.ts'
import { authenticatedRead } from '../connectivity/probe.ts'
import type { Service } from '../service/port.ts'

/** The account that a key belongs to. Null if the service lists websites but shows no account. */
export type ProbedAccount = { account: Account | null }

/**
 * Checks address and key with an authenticated read of the account, or of the list if the host shows no account.
 * Errors: those of the service client.
 */
export async function probe(service: Service): Promise<Result<ProbedAccount>> {
  const read = await authenticatedRead(service)
  return read.outcome === 'applied' ? ok({ account: read.value }) : { ok: false, error: read.error }
}

/** The data of a connection with which {@link compareAccount} compares the account of a key. */
export interface AccountFingerprint {
  /** The id of the account; null if the service has never shown it. */
  accountId: string | null
  /** Some of the websites that the connection has read from the service. */
  websites: readonly { id: string; domain: string }[]
  /** True if the connection has edits in its outbox. Its account must then not be guessed. */
  hasEdits: boolean
}

/** The result of comparing the account of a key with that of a connection. `unclear`: the user is asked. */
export type Sameness = 'same' | 'other' | 'unclear'

/**
 * Compares the account of a key with that of a connection. If either account is unknown, the key must read a website
 * that the connection knows (docs/sync.md#rejected-api-key). The same id with another domain means another account, as
 * a domain never changes. An unused connection accepts any key. Errors: those of the service client.
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

/** True if a connection knows neither an account nor a website and has no edits, so that any key is safe for it. */
export const isUnused = ({ accountId, websites, hasEdits }: AccountFingerprint): boolean =>
  accountId === null && websites.length === 0 && !hasEdits
