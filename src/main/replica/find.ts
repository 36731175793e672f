import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../shared/result.ts'
import { presentLocal } from '../../shared/local-data.ts'
import type { Filter } from '../../shared/search.ts'
import type { ListQuery, WebsiteView } from '../../shared/website.ts'
import { matchesAll, type DiffersFrom, type FilteredWebsite } from './filter.ts'
import type { ViewStore } from './ports.ts'

/** Number of websites that are tested in one turn of the event loop, which takes a few milliseconds. */
const SLICE = 250

export type Ordered = Pick<ListQuery, 'search' | 'sort_by' | 'sort'>

export interface FindPorts {
  store: Pick<ViewStore, 'read' | 'keys' | 'facts' | 'changes' | 'localOf'>
  /** Returns a website with its pending edits applied, or null if it does not exist. */
  show: (key: string) => WebsiteView | null
  differsFrom: DiffersFrom
}

/** Reads what the filters need. Only websites with edits, which are few, are built completely. */
function readFiltered({ store, show }: FindPorts, key: string, withLocal: boolean): FilteredWebsite | null {
  const found = store.facts(key)
  if (found === null) return null
  if (found.edited) return show(key)
  const local = withLocal ? presentLocal(store.localOf(found.domain)) : {}
  return { ...found.facts, ...local, state: 'synced' }
}

export interface Judged {
  keys: string[]
  /** Number of websites of which it's unknown whether they match. */
  unknown: number
  /** Number of websites that were tested. */
  total: number
}

/**
 * Returns a function that finds the keys of matching websites, in order. It tests each website, so it works in slices, and
 * reuses the result for further pages until anything is written. Errors: `storage`.
 */
export function createFinder(ports: FindPorts): (query: Ordered, filters: Filter[]) => Promise<Result<Judged>> {
  const { store } = ports
  let last: { question: string; changes: number; found: Judged } | null = null

  return async (query, filters) => {
    // "The last 7 days" are others tomorrow.
    const today = new Date().toDateString()
    const question = JSON.stringify([query.search, query.sort_by, query.sort, filters, today])
    const changes = store.read(() => ok(store.changes()))
    if (!changes.ok) return changes
    if (last?.question === question && last.changes === changes.value) return ok(last.found)
    const matching = store.read(() => ok(store.keys(query)))
    if (!matching.ok) return matching
    const all = matching.value
    const matches = matchesAll(filters, ports.differsFrom)
    const withLocal = filters.some(({ name }) => name === 'tag' || name === 'note')
    const found: Judged = { keys: [], unknown: 0, total: 0 }
    for (let at = 0; at < all.length; at += SLICE) {
      if (at > 0) await setImmediate()
      const slice = store.read(() => {
        for (const key of all.slice(at, at + SLICE)) {
          const website = readFiltered(ports, key, withLocal)
          if (website === null) continue
          found.total += 1
          const isFound = matches(website)
          if (isFound) found.keys.push(key)
          else if (isFound === undefined) found.unknown += 1
        }
        return ok(undefined)
      })
      if (!slice.ok) return slice
    }
    last = { question, changes: changes.value, found }
    return ok(found)
  }
}
