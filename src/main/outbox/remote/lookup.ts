import { fail, type AppError } from '../../../shared/result.ts'
import { normaliseDomain } from '../../../shared/domain.ts'
import { MOST_WEBSITES, type WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { Service } from '../../service/port.ts'
import { isStale } from './staleness.ts'
import { STALE_READ, keptIn } from './read-cache.ts'
import type { OutboxPorts } from '../ports.ts'

export type Lookup =
  { found: 'present'; website: WebsiteRecord } | { found: 'absent' } | { found: 'unreadable'; error: AppError }

/**
 * A website by itself; where that read alone fails, as the service is there for others, the one that the list has under this
 * id: what is in doubt is settled by whatever can be read.
 */
export async function readAnyhow(
  { service, connectivity, store, readCache }: Pick<OutboxPorts, 'service' | 'connectivity' | 'store' | 'readCache'>,
  { id, domain }: Pick<WebsiteRecord, 'id' | 'domain'>,
): Promise<Outcome<WebsiteRecord>> {
  const read = await service.get(id)
  if (read.outcome === 'applied' || read.error.code === 'not-found' || !connectivity.gate().open) return read
  if (!(await connectivity.probe())) return read
  const lookup = await lookUp(service, domain)
  if (lookup.found !== 'present' || lookup.website.id !== id) return read
  // It may be older than what is known: then it tells nothing. Where it's the second read that shows something else, it isn't.
  const known = keptIn(store)(id)
  const writtenFor = read.error === STALE_READ ? null : readCache.writtenFor(id)
  const isOld = known !== null && isStale({ record: known, writtenFor }, lookup.website)
  const isOlder = read.error !== STALE_READ && readCache.newest(lookup.website) !== lookup.website
  return isOld || isOlder ? read : { outcome: 'applied', value: lookup.website, meta: {} }
}

/**
 * Whether the account has a website of this (normalised, ASCII) domain: the search over all its pages. The search
 * matches any part, so one that is kept with `www.` is found too (docs/sync.md#create-in-doubt). `but`: the id of one
 * that isn't meant.
 */
export async function lookUp(service: Service, domain: string, but: string | null = null): Promise<Lookup> {
  const seen = new Set<string>()
  const query = { search: domain, search_by: 'domain', sort_by: 'id', sort: 'asc', per_page: 100 } as const
  let outcome = await service.list(query)
  for (;;) {
    if (outcome.outcome !== 'applied') return { found: 'unreadable', error: outcome.error }
    const { websites, next } = outcome.value
    const website = websites.find((record) => record.id !== but && normaliseDomain(record.domain) === domain)
    if (website !== undefined) return { found: 'present', website }
    const unseen = websites.filter(({ id }) => !seen.has(id))
    if (next === null || unseen.length === 0) return { found: 'absent' }
    for (const { id } of unseen) seen.add(id)
    if (seen.size > MOST_WEBSITES) return { found: 'unreadable', error: fail('endless-list').error }
    outcome = await service.listNext(next)
  }
}
