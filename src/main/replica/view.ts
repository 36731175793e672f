import type { Account } from '../../shared/account.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ListQuery, WebsitePage, WebsiteState, WebsiteView } from '../../shared/website.ts'
import { fieldNames } from '../../shared/website.ts'
import type { Filter } from '../../shared/search.ts'
import { isUnreadable, type Edit } from '../outbox/model/edit.ts'
import { waitingOf } from '../outbox/enqueue/overlay.ts'
import type { Website } from '../outbox/ports.ts'
import { isPending } from '../outbox/present.ts'
import type { StandingOf } from '../outbox/schedule/standing.ts'
import { createFound, type FoundPorts, type Judged, type Ordered } from './found.ts'
import type { ReplicaStore, ViewStore } from './ports.ts'

/** What the screens read: the replica with the pending edits laid over it. Never the network. */
export interface View {
  /** A page beyond the last answers the last. Errors: `storage`. */
  list(query: ListQuery & { page: number }): Result<WebsitePage>
  /** The same of those that fit filters too. */
  find(query: ListQuery & { page: number; filters: Filter[] }): Promise<Result<WebsitePage>>
  /** The keys of `count` of those, `from` counting from 0. Errors: `storage`. */
  keys(query: Ordered & { filters: Filter[] }, from: number, count: number): Promise<Result<string[]>>
  /** All of them told apart by filters, in the order of their domains. Errors: `storage`. */
  judge(filters: Filter[]): Promise<Result<Judged>>
  /** Errors: `website-gone`, `storage`. */
  website(key: string): Result<WebsiteView>
  /** Those of them that are there. Errors: `storage`. */
  several(keys: readonly string[]): Result<WebsiteView[]>
  /** Null: it isn't there, or can't be read. */
  get(key: string): WebsiteView | null
  /** As last read, where the file can't be read any more. */
  total(): number
  account(): { account: Account; seenAt: number } | null
  /** The person has looked at what others did to it. Errors: `disk-full`, `storage`, `newer-version`. */
  lookedAt(key: string): Result<void>
  /** The same of all websites, in one. Errors: as there. */
  allLookedAt(): Result<void>
}

export interface ViewPorts extends Pick<FoundPorts, 'differsFrom' | 'results'> {
  store: ViewStore & Pick<ReplicaStore, 'account' | 'lookedAt' | 'allLookedAt' | 'deletedRemotely'>
  standing: StandingOf
}

export function createView({ store, standing, ...asked }: ViewPorts): View {
  const present = (website: Website): WebsiteView => presentWebsite(website, store.editsOf(website.key), standing)
  let total = 0

  const find = (key: string): Result<WebsiteView> =>
    store.read(() => {
      const website = store.website(key)
      return website === null ? fail('website-gone') : ok(present(website))
    })

  const show = (key: string): WebsiteView | null => {
    const website = store.website(key)
    return website === null ? null : present(website)
  }
  const found = createFound({ store, show, ...asked })

  function counted() {
    // Where that alone can't be read, the list is shown without it.
    const noted = store.read(() => ok(store.deletedRemotely()))
    const deletedRemotely = noted.ok ? noted.value : null
    return {
      total: store.total(),
      remoteChanges: store.countRemoteChanges(),
      ...(deletedRemotely && { deletedRemotely }),
    }
  }

  function list({ page: asked, ...query }: ListQuery & { page: number }): Result<WebsitePage> {
    const size = query.per_page
    return store.read(() => {
      const matching = store.matching(query.search)
      const { page, pages, from } = placeOf(asked, matching, size)
      const shown = store.websites(query, from, size)
      return ok({ websites: shown.map(present), matching, ...counted(), page, pages })
    })
  }

  return {
    list,
    async find({ filters, ...query }) {
      if (filters.length === 0) return list(query)
      const sought = await found(query, filters)
      if (!sought.ok) return sought
      const { keys, results, gone } = sought.value
      const matching = keys.length
      const { from, page, pages } = placeOf(query.page, matching, query.per_page)
      return store.read(() => {
        const shown = keys.slice(from, from + query.per_page).flatMap((key) => show(key) ?? [])
        const websites = results ? shown.map((one) => ({ ...one, bulkResult: results.get(one.key)?.is })) : shown
        return ok({ websites, matching, ...counted(), ...(gone.count > 0 && { gone }), page, pages })
      })
    },
    async keys({ filters, ...query }, from, count) {
      if (filters.length === 0) return store.read(() => ok(store.keys(query).slice(from, from + count)))
      const sought = await found(query, filters)
      return sought.ok ? ok(sought.value.keys.slice(from, from + count)) : sought
    },
    judge: (filters) => found({ search: '', sort_by: 'domain', sort: 'asc' }, filters),
    website: find,
    several: (keys) => store.read(() => ok(keys.map(show).filter((one) => one !== null))),
    get(key) {
      const found = find(key)
      return found.ok ? found.value : null
    },
    total() {
      const read = store.read(() => ok(store.total()))
      if (read.ok) total = read.value
      return total
    },
    lookedAt: (key) => store.lookedAt(key),
    allLookedAt: () => store.allLookedAt(),
    account() {
      const read = store.read(() => ok(store.account()))
      return read.ok ? read.value : null
    },
  }
}

function placeOf(asked: number, matching: number, size: number): { page: number; pages: number; from: number } {
  const pages = Math.max(1, Math.ceil(matching / size))
  const page = Math.min(asked, pages)
  return { page, pages, from: (page - 1) * size }
}

/** One that the service hasn't shown yet. */
const UNSEEN = { extra: {} }

function presentWebsite(website: Website, edits: Edit[], standing: StandingOf): WebsiteView {
  const { key, id, domain, record, remoteChange } = website
  return {
    ...(record ?? UNSEEN),
    ...waitingOf(edits),
    key,
    id,
    domain,
    state: stateOf(edits, standing),
    pending: fieldNames.filter((name) => edits.some((edit) => isPending(edit, name))),
    ...(remoteChange && { remoteChange }),
  }
}

/** The edit in front decides, but for a delete: that the website will go is what the person has to know. */
function stateOf(edits: Edit[], standing: StandingOf): WebsiteState {
  const [first] = edits
  if (first === undefined) return 'synced'
  const { state, reason } = standing(first, edits)
  if (state === 'parked' || edits.some(isUnreadable)) return 'parked'
  if (edits.at(-1)?.kind === 'delete') return 'deleting'
  if (state === 'sending') return 'sending'
  if (state === 'inDoubt') return 'checking'
  if (state === 'held' && reason !== 'depends') return 'held'
  return first.kind === 'create' ? 'new' : 'changed'
}
