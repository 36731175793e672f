import type { CheckedRequest, CommandValue } from '../../../src/preload/bridge.ts'
import { createFilterTest, type DiffersFrom } from '../../../src/main/replica/filter.ts'
import type { WebsiteView } from '../../../src/shared/website.ts'

/** Returns a page of these websites, searched and sorted as main does. */
export function pageOf(
  websites: WebsiteView[],
  query: CheckedRequest<'listWebsites'>,
  differsFrom: DiffersFrom,
): CommandValue<'listWebsites'> {
  const matching = websites
    .filter((website) =>
      query.search
        .toLowerCase()
        .split(/\s+/)
        .every((word) => website.domain.includes(word)),
    )
    .filter(createFilterTest(query.filters, differsFrom))
  const order = query.sort_by === 'domain' ? [...matching].sort((a, b) => a.domain.localeCompare(b.domain)) : matching
  const sorted = (query.sort === 'desc') === (query.sort_by === 'domain') ? [...order].reverse() : order
  const pages = Math.max(1, Math.ceil(sorted.length / query.per_page))
  const page = Math.min(query.page, pages)
  const begin = (page - 1) * query.per_page
  const shown = sorted.slice(begin, begin + query.per_page)
  return { websites: shown, matching: matching.length, total: websites.length, page, pages }
}
