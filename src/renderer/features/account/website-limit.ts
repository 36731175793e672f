import type { Account } from '../../../shared/account.ts'
import type { AppState } from '../../../shared/state.ts'

/** The plan's limit of websites; undefined where the service tells none, null where there is none. */
export function websiteLimit(account: Account): number | null | undefined {
  const limit = account.plan?.features['websites']
  if (typeof limit !== 'number') return undefined
  return limit < 0 ? null : limit
}

/** How many websites there are: while the list isn't read to its end the service knows better than it does. */
export const websitesThere = ({ websites, refresh: { read, total } }: AppState): number =>
  total !== null && read < total ? Math.max(websites, total) : websites
