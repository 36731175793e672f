import { comparableDomain } from '../../shared/domain.ts'
import { MAX_BULK_WEBSITES } from '../../shared/fields.ts'
import type { ListComparison } from '../../shared/list-comparison.ts'

/** Compares domains in their `comparableDomain` form with those of the websites. Repeated domains count once. */
export function compareDomainList(
  listed: readonly string[],
  websites: readonly { key: string; domain: string }[],
): ListComparison {
  const listedDomains = new Set(listed)
  const present = new Set(websites.map(({ domain }) => comparableDomain(domain)))
  const unlisted = websites.filter(({ domain }) => !listedDomains.has(comparableDomain(domain)))
  return {
    both: [...listedDomains].filter((domain) => present.has(domain)),
    missing: [...listedDomains].filter((domain) => !present.has(domain)),
    unlisted: unlisted.slice(0, MAX_BULK_WEBSITES),
    unlistedCount: unlisted.length,
  }
}
