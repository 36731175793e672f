import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../shared/result.ts'
import type { Filter } from '../../shared/search.ts'
import type { ListQuery, SomeDomains, WebsiteView } from '../../shared/website.ts'
import { fitsAll, type DiffersFrom, type Sought } from './fits.ts'
import type { BulkWebsiteResults, ViewStore } from './ports.ts'

/** Websites that are looked at in one turn: some milliseconds. */
const SLICE = 250

export type Ordered = Pick<ListQuery, 'search' | 'sort_by' | 'sort'>

export interface FoundPorts {
  store: Pick<ViewStore, 'read' | 'keys' | 'facts' | 'changes'>
  /** A website as the person sees it; null: it's gone. */
  show: (key: string) => WebsiteView | null
  differsFrom: DiffersFrom
  results: () => BulkWebsiteResults
}

/** Few have edits, which change what they are. */
function lookAt({ store, show }: FoundPorts, key: string): Sought | null {
  const found = store.facts(key)
  if (found === null) return null
  return found.edited ? show(key) : { ...found.facts, state: 'synced', remoteChange: found.remoteChange }
}

const SYNCED: Sought = { state: 'synced' }

export interface Judged {
  keys: string[]
  /** Of so many others nobody can tell whether they fit. */
  unknown: number
  /** So many were looked at. */
  total: number
}

export interface Found extends Judged {
  /** Where a filter asks for it. */
  results: BulkWebsiteResults | null
  /** Those of a bulk change that aren't in the list any more; they fit no other filter. */
  gone: SomeDomains
}

/** So many are named. */
const MOST_NAMED = 3

/**
 * Finds the keys of the websites that fit filters, in order. Each has to be looked at, so it's done in slices, and what was
 * found answers the next windows too, until anything is written. Errors: `storage`.
 */
export function createFound(ports: FoundPorts): (query: Ordered, filters: Filter[]) => Promise<Result<Found>> {
  const { store } = ports
  let last: { question: string; changes: number; found: Found } | null = null

  return async (query, filters) => {
    const ofBulkChange = filters.filter(({ name }) => name === 'bulk')
    // Before it's asked for changes: it may note what it finds.
    const results = ofBulkChange.length > 0 ? ports.results() : null
    /** Nothing else of a website has to be known. */
    const byResultAlone = results !== null && ofBulkChange.length === filters.length
    const question = JSON.stringify([query.search, query.sort_by, query.sort, filters])
    const begun = store.read(() => ok(store.changes()))
    if (!begun.ok) return begun
    if (last?.question === question && last.changes === begun.value) return ok(last.found)
    const matching = store.read(() => ok(store.keys(query)))
    if (!matching.ok) return matching
    const isWithin = ofBulkChange.some(({ not }) => !not)
    const all = isWithin ? matching.value.filter((key) => results?.has(key)) : matching.value
    const fits = fitsAll(filters, ports.differsFrom)
    const found: Found = { keys: [], unknown: 0, total: 0, results, gone: { count: 0, domains: [] } }
    if (byResultAlone && query.search === '') {
      const there = new Set(matching.value)
      const gone = [...results].filter(([key, { is }]) => !there.has(key) && fits({ ...SYNCED, bulkResult: is }))
      found.gone = { count: gone.length, domains: gone.slice(0, MOST_NAMED).map(([, { domain }]) => domain) }
    }
    for (let at = 0; at < all.length; at += SLICE) {
      if (at > 0) await setImmediate()
      const slice = store.read(() => {
        for (const key of all.slice(at, at + SLICE)) {
          const website = byResultAlone ? SYNCED : lookAt(ports, key)
          if (website === null) continue
          found.total += 1
          const isFound = fits(results ? { ...website, bulkResult: results.get(key)?.is } : website)
          if (isFound) found.keys.push(key)
          else if (isFound === undefined) found.unknown += 1
        }
        return ok(undefined)
      })
      if (!slice.ok) return slice
    }
    last = { question, changes: begun.value, found }
    return ok(found)
  }
}
