import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../shared/result.ts'
import { nonEmptyLocalData } from '../../shared/local-data.ts'
import type { Filter } from '../../shared/search.ts'
import type { ListQuery, WebsiteView } from '../../shared/website.ts'
import { createFilterTest, type DiffersFrom, type FilterableWebsite } from './filter.ts'
import type { ViewStore } from './ports.ts'

/** Testing this many websites takes a few milliseconds. */
const SLICE = 250

/** The search text and the order of a list, without its filters and pages. */
export type OrderedQuery = Pick<ListQuery, 'search' | 'sort_by' | 'sort'>

export interface FindPorts {
  store: Pick<ViewStore, 'read' | 'keys' | 'facts' | 'changes' | 'localOf'>
  /** Returns a website with its pending edits applied, or null if it does not exist. */
  show: (key: string) => WebsiteView | null
  differsFrom: DiffersFrom
}

/** Returns the fields that the filters need. Only websites with edits, which are few, are built completely. */
function readFilterable({ store, show }: FindPorts, key: string, withLocal: boolean): FilterableWebsite | null {
  const found = store.facts(key)
  if (found === null) return null
  if (found.edited) return show(key)
  const local = withLocal ? nonEmptyLocalData(store.localOf(found.domain)) : {}
  return { ...found.facts, ...local, state: 'synced' }
}

/** The websites that match the search text and all filters, in the order of the query. */
export interface FilterMatches {
  keys: string[]
  /** Number of websites for which a match is unknown. */
  unknown: number
  /** Number of websites that match the search text, with or without the filters. */
  total: number
}

/** The results of testing websites with the same filters, kept until anything is written. */
interface FilterTestResults {
  filters: string
  /** {@link ViewStore.changes} when the first website was tested. */
  changes: number
  /** By website: true if it matches and false if not, undefined if that is unknown, null if the website does not exist. */
  results: Map<string, boolean | undefined | null>
  found: { query: string; judged: FilterMatches } | null
}

/** Works in slices. Until anything is written, reuses its results, so that paging and typing stay fast. Errors: `storage`. */
export function createFinder(
  ports: FindPorts,
): (query: OrderedQuery, filters: Filter[]) => Promise<Result<FilterMatches>> {
  const { store } = ports
  let last: FilterTestResults | null = null

  return async (query, filters) => {
    const changes = store.read(() => ok(store.changes()))
    if (!changes.ok) return changes
    // The date is compared too, because "the last 7 days" are other days tomorrow.
    const now = { filters: JSON.stringify([filters, new Date().toDateString()]), changes: changes.value }
    if (last?.filters !== now.filters || last.changes !== now.changes)
      last = { ...now, results: new Map(), found: null }
    const tested = last
    const { results } = tested
    const asked = JSON.stringify([query.search, query.sort_by, query.sort])
    if (tested.found?.query === asked) return ok(tested.found.judged)
    const matching = store.read(() => ok(store.keys(query)))
    if (!matching.ok) return matching
    const matches = createFilterTest(filters, ports.differsFrom)
    const withLocal = filters.some(({ name }) => name === 'tag' || name === 'note')
    const untested = matching.value.filter((key) => !results.has(key))
    for (let at = 0; at < untested.length; at += SLICE) {
      if (at > 0) await setImmediate()
      const slice = store.read(() => {
        for (const key of untested.slice(at, at + SLICE)) {
          const website = readFilterable(ports, key, withLocal)
          results.set(key, website && matches(website))
        }
        return ok(undefined)
      })
      if (!slice.ok) return slice
    }
    const judged: FilterMatches = { keys: [], unknown: 0, total: 0 }
    for (const key of matching.value) {
      const result = results.get(key)
      if (result === null) continue
      judged.total += 1
      if (result) judged.keys.push(key)
      else if (result === undefined) judged.unknown += 1
    }
    tested.found = { query: asked, judged }
    return ok(judged)
  }
}
