import type { Account } from '../../shared/account.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Service } from '../service/port.ts'

/** Who a key belongs to. Null: the service lists websites, but shows no account. */
export type Probe = { account: Account | null }

/**
 * Checks address and key with an authenticated read: the account, or, where a host shows none, the list.
 * Errors: those of the service client.
 */
export async function probe(service: Service): Promise<Result<Probe>> {
  const account = await service.account()
  if (account.outcome === 'applied') return ok({ account: account.value })
  const noAccountHere = ['not-found', 'forbidden', 'refused', 'not-the-service'].includes(account.error.code)
  if (noAccountHere) {
    const list = await service.list({ per_page: 10 })
    if (list.outcome === 'applied') return ok({ account: null })
  }
  return { ok: false, error: account.error }
}

/** What a connection is known by. */
export interface Identity {
  accountId: string | null
  /** Some of the websites that it has seen on the service. */
  websites: readonly { id: string; domain: string }[]
  /** Whether edits wait in it: then nothing may be guessed. */
  waiting: boolean
}

/** `unclear`: nothing tells, and only the person may say. */
export type Sameness = 'same' | 'other' | 'unclear'

/**
 * Whether a key shows the account of a connection. Where one of them has no account to compare, the key must show a
 * website that the connection knows, with its domain (docs/sync.md#rejected-api-key); one that has that id with another domain
 * is another account's, as a domain never changes. Where neither can be compared only the person may say, but for a
 * connection that is anybody's. Errors: those of the service client, where it can't be told.
 */
export async function sameAccount(service: Service, found: Probe, identity: Identity): Promise<Result<Sameness>> {
  const id = found.account?.id
  if (id !== undefined && identity.accountId !== null) return ok(id === identity.accountId ? 'same' : 'other')
  if (isAnybodys(identity)) return ok('same')
  for (const website of identity.websites) {
    const read = await service.get(website.id)
    if (read.outcome === 'applied') return ok(read.value.domain === website.domain ? 'same' : 'other')
    if (read.error.code !== 'not-found') return { ok: false, error: read.error }
  }
  return ok('unclear')
}

/** It knows neither account nor website and nothing waits, so nothing can go astray: it takes any key. */
export const isAnybodys = ({ accountId, websites, waiting }: Identity): boolean =>
  accountId === null && websites.length === 0 && !waiting
