import type { Account } from '../../shared/account.ts'
import type { ErrorCode } from '../../shared/result.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service } from '../service/port.ts'

/** Errors with which hosts without the account part of the API respond. */
export const ACCOUNT_NOT_SHOWN_CODES: readonly ErrorCode[] = ['not-found', 'forbidden', 'refused', 'not-the-service']

/**
 * Makes the smallest authenticated read: the account, or the list if the host shows no account (docs/sync.md#refused-requests).
 * The value is null if the list was read. If the list fails with one of {@link ACCOUNT_NOT_SHOWN_CODES} too, the error is that of
 * the account.
 */
export async function authenticatedRead(service: Service): Promise<Outcome<Account | null>> {
  const account = await service.account()
  if (account.outcome === 'applied' || !ACCOUNT_NOT_SHOWN_CODES.includes(account.error.code)) return account
  const list = await service.list({ per_page: 10 })
  if (list.outcome === 'applied') return { ...list, value: null }
  return ACCOUNT_NOT_SHOWN_CODES.includes(list.error.code) ? account : list
}
