import type { Account } from '../../shared/account.ts'

/** The plan's limit of websites; undefined where the service tells none, null where there is none. */
export function websiteLimit(account: Account): number | null | undefined {
  const limit = account.plan?.features['websites']
  if (typeof limit !== 'number') return undefined
  return limit < 0 ? null : limit
}
