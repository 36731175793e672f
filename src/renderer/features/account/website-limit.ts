import type { Account } from '../../../shared/account.ts'
import type { AppState } from '../../../shared/state.ts'

/** Returns the plan's limit of websites. Null: unlimited. Undefined: the service doesn't say. */
export function websiteLimit(account: Account): number | null | undefined {
  const limit = account.plan?.features['websites']
  if (typeof limit !== 'number') return undefined
  return limit < 0 ? null : limit
}

/** Returns the number of websites. While the list isn't complete, the service's total is more accurate. */
export const websiteCount = ({ websites, refresh: { read, total } }: AppState): number =>
  total !== null && read < total ? Math.max(websites, total) : websites
