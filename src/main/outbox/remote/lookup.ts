import { fail, type AppError } from '../../../shared/result.ts'
import { comparableDomain } from '../../../shared/domain.ts'
import { MAX_WEBSITES, type WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { Service } from '../../service/port.ts'
import { areDifferentStates, isStale } from './staleness.ts'
import { STALE_READ, storedRecordReader } from './read-cache.ts'
import type { OutboxPorts } from '../ports.ts'

/** `unreadable`: the search failed before the website was found or all pages were read. */
export type DomainLookup =
  { found: 'present'; website: WebsiteRecord } | { found: 'absent' } | { found: 'unreadable'; error: AppError }

/** If only this read fails, takes the website from the list: any read that works can settle an edit in doubt. */
export async function readWithFallback(
  { service, connectivity, store, readCache }: Pick<OutboxPorts, 'service' | 'connectivity' | 'store' | 'readCache'>,
  { id, domain }: Pick<WebsiteRecord, 'id' | 'domain'>,
): Promise<Outcome<WebsiteRecord>> {
  const read = await service.get(id)
  if (read.outcome === 'applied' || read.error.code === 'not-found' || !connectivity.gate().open) return read
  if (!(await connectivity.probe())) return read
  const doubted = readCache.doubted(id)
  const lookup = await findByDomain(service, domain)
  if (lookup.found !== 'present' || lookup.website.id !== id) return read
  return isCurrent(lookup.website) ? { outcome: 'applied', value: lookup.website, meta: {} } : read

  /**
   * True if the listed record can be trusted, although the list may be older than what is known. After a single read that was
   * not trusted, the list has to show the same as that read.
   */
  function isCurrent(listed: WebsiteRecord): boolean {
    const stored = storedRecordReader(store)(id)
    const writtenFor = readCache.timeSinceWrite(id)
    if (stored !== null && isStale({ record: stored, writtenFor }, listed)) return false
    if (read.outcome !== 'applied' && read.error === STALE_READ)
      return doubted !== null && !areDifferentStates(doubted, listed)
    return readCache.newest(listed) === listed
  }
}

/** Looks on all pages for a website with this domain, in any spelling (docs/sync.md#create-in-doubt), except the id `but`. */
export async function findByDomain(service: Service, domain: string, but: string | null = null): Promise<DomainLookup> {
  const seen = new Set<string>()
  const wanted = comparableDomain(domain)
  // The search matches a part of the stored domain, which may or may not begin with `www.`.
  const query = {
    search: domain.replace(/^www\.(?=[^.]+\.)/i, ''),
    search_by: 'domain',
    sort_by: 'id',
    sort: 'asc',
    per_page: 100,
  } as const
  let outcome = await service.list(query)
  for (;;) {
    if (outcome.outcome !== 'applied') return { found: 'unreadable', error: outcome.error }
    const { websites, next } = outcome.value
    const website = websites.find((record) => record.id !== but && comparableDomain(record.domain) === wanted)
    if (website !== undefined) return { found: 'present', website }
    const unseen = websites.filter(({ id }) => !seen.has(id))
    if (next === null || unseen.length === 0) return { found: 'absent' }
    for (const { id } of unseen) seen.add(id)
    if (seen.size > MAX_WEBSITES) return { found: 'unreadable', error: fail('endless-list').error }
    outcome = await service.listNext(next)
  }
}
