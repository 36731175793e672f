import type { RecordState, Website } from './records.ts'
import { shown, type Host } from './show.ts'

export interface Page {
  body: unknown
  websites: Website[]
}

/** Searches, sorts and pages the list as an installation with the quirks of `host` does (docs/interface.md#the-list). */
export function listing(found: readonly [Website, RecordState][], query: URLSearchParams, host: Host): Page {
  const { quirks } = host
  const search = (query.get('search') ?? '').toLowerCase()
  const sorted = found
    .filter(([{ domain }]) => domain.includes(search))
    .toSorted(([a], [b]) => (query.get('sort_by') === 'domain' ? (a.domain < b.domain ? -1 : 1) : a.number - b.number))
  if ((query.get('sort') ?? 'desc') === 'desc') sorted.reverse()

  const perPage = Math.min(quirks.pageCap, Number(query.get('per_page') ?? 10))
  const page = Math.max(1, Number(query.get('page') ?? 1))
  const last = Math.max(1, Math.ceil(sorted.length / perPage))
  const onPage = sorted.slice((page - 1) * perPage, page * perPage)
  const websites = onPage.map(([website]) => website)
  const data = onPage.map(([website, state]) => shown(website, state, host))
  if (quirks.paging === 'bare') return { body: data, websites }

  const link = new URLSearchParams(query)
  link.set('page', String(page + 1))
  // The origin is wrong, as behind a proxy.
  const next = page < last ? `http://inner.invalid/api/v1/websites?${link.toString()}` : null
  const links = quirks.paging === 'links' && { links: { next } }
  const meta = { current_page: page, last_page: last, per_page: perPage, total: sorted.length }
  return { body: { data, ...links, meta, status: 200 }, websites }
}
