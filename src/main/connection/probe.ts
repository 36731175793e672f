import type { Account } from '../../shared/account.ts'
import { ok, type Result } from '../../shared/result.ts'
import { listQuerySchema } from '../../shared/website.ts'
import type { Service } from '../service/port.ts'
import type { OpenConnection } from './open.ts'

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

/**
 * Whether a key shows the account that a connection belongs to. Where the host shows no account, it must show a website
 * that the connection knows, with its domain (sync.md, the row "401"); one that knows none yet takes any.
 */
export async function sameAccount(service: Service, found: Probe, connection: OpenConnection): Promise<boolean> {
  const id = found.account?.id ?? null
  if (id !== null || connection.record.accountId !== null) return id === connection.record.accountId
  const page = connection.view.list({ ...listQuerySchema.parse({}), page: 1 })
  if (!page.ok) return false
  if (page.value.total === 0) return true
  for (const website of page.value.websites) {
    if (website.id === null) continue
    const read = await service.get(website.id)
    if (read.outcome === 'applied') return read.value.domain === website.domain
  }
  return false
}
