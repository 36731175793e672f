import type { Account } from '../../shared/account.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ListQuery, WebsitePage, WebsiteState, WebsiteView } from '../../shared/website.ts'
import { nonEmptyLocalData } from '../../shared/local-data.ts'
import { fieldNames } from '../../shared/website.ts'
import type { Filter } from '../../shared/search.ts'
import { isUnreadable, type Edit } from '../outbox/model/edit.ts'
import { pendingValuesOf } from '../outbox/enqueue/overlay.ts'
import type { Website } from '../outbox/ports.ts'
import { readOr } from '../outbox/read-or.ts'
import { sendsField } from '../outbox/present.ts'
import type { EditStatusOf } from '../outbox/schedule/edit-status.ts'
import { createFinder, type FindPorts, type FilterMatches, type OrderedQuery } from './find.ts'
import type { ReplicaStore, ViewStore } from './ports.ts'

/** The replica with pending edits applied. Screens read it, and it never uses the network. */
export interface View {
  /** Returns a page, or the last page if there are fewer pages. Errors: `storage`. */
  list(query: ListQuery & { page: number }): Result<WebsitePage>
  /** Returns a page of the websites that match the filters. Errors: `storage`. */
  find(query: ListQuery & { page: number; filters: Filter[] }): Promise<Result<WebsitePage>>
  /** Returns the keys of at most `count` matching websites, starting at `from` (zero-based). Errors: `storage`. */
  keys(query: OrderedQuery & { filters: Filter[] }, from: number, count: number): Promise<Result<string[]>>
  /** Returns the keys of all websites that match the filters, in the order of domains. Errors: `storage`. */
  judge(filters: Filter[]): Promise<Result<FilterMatches>>
  /** Errors: `website-gone`, `storage`. */
  website(key: string): Result<WebsiteView>
  /** Leaves out websites that do not exist. Errors: `storage`. */
  websites(keys: readonly string[]): Result<WebsiteView[]>
  /**
   * Returns for each identity the website with its id, or, if the id is empty, all websites with its domain in any spelling.
   * Errors: `storage`.
   */
  lookUp(identities: readonly { id: string; domain: string }[]): Result<WebsiteView[][]>
  /** Returns null if the website does not exist or can't be read. */
  get(key: string): WebsiteView | null
  /** Sorted by domain, without websites that have a delete, even a parked one. Errors: `storage`. */
  domains(): Result<{ key: string; domain: string }[]>
  /** Returns the last known number if the file can't be read. */
  total(): number
  /** `seenAt`: when the account was read, in milliseconds since 1970. */
  account(): { account: Account; seenAt: number } | null
}

export interface ViewPorts extends Pick<FindPorts, 'differsFrom'> {
  store: ViewStore & Pick<ReplicaStore, 'account'>
  statusOf: EditStatusOf
}

export function createView({ store, statusOf, differsFrom }: ViewPorts): View {
  const present = (website: Website): WebsiteView => ({
    ...withPendingEdits(website, store.editsOf(website.key), statusOf),
    ...nonEmptyLocalData(store.localOf(website.domain)),
  })
  let total = 0

  const read = (key: string): Result<WebsiteView> =>
    store.read(() => {
      const website = store.website(key)
      return website === null ? fail('website-gone') : ok(present(website))
    })

  const show = (key: string): WebsiteView | null => {
    const website = store.website(key)
    return website === null ? null : present(website)
  }
  const findKeys = createFinder({ store, show, differsFrom })

  function list({ page: requested, ...query }: ListQuery & { page: number }): Result<WebsitePage> {
    const size = query.per_page
    return store.read(() => {
      const matching = store.matching(query.search)
      const { page, pages, from } = pageRange(requested, matching, size)
      const shown = store.websites(query, from, size)
      return ok({ websites: shown.map(present), matching, total: store.total(), page, pages })
    })
  }

  return {
    list,
    async find({ filters, ...query }) {
      if (filters.length === 0) return list(query)
      const found = await findKeys(query, filters)
      if (!found.ok) return found
      const { keys } = found.value
      const matching = keys.length
      const { from, page, pages } = pageRange(query.page, matching, query.per_page)
      return store.read(() => {
        const websites = keys.slice(from, from + query.per_page).flatMap((key) => show(key) ?? [])
        return ok({ websites, matching, total: store.total(), page, pages })
      })
    },
    async keys({ filters, ...query }, from, count) {
      if (filters.length === 0) return store.read(() => ok(store.keys(query).slice(from, from + count)))
      const found = await findKeys(query, filters)
      return found.ok ? ok(found.value.keys.slice(from, from + count)) : found
    },
    judge: (filters) => findKeys({ search: '', sort_by: 'domain', sort: 'asc' }, filters),
    website: read,
    websites: (keys) => store.read(() => ok(keys.map(show).filter((one) => one !== null))),
    lookUp: (identities) =>
      store.read(() =>
        ok(
          identities.map(({ id, domain }) => {
            const found = id === '' ? store.websitesOfAnySpelling(domain) : [store.websiteOfId(id)]
            return found.flatMap((website) => (website === null ? [] : [present(website)]))
          }),
        ),
      ),
    get: (key) => readOr(store, null, () => show(key)),
    domains: () => store.read(() => ok(store.domains())),
    total: () => (total = readOr(store, total, () => store.total())),
    account: () => readOr(store, null, () => store.account()),
  }
}

/** Returns the last page if the requested one does not exist. `from`: the place of the page's first website, from 0. */
function pageRange(requested: number, matching: number, size: number): { page: number; pages: number; from: number } {
  const pages = Math.max(1, Math.ceil(matching / size))
  const page = Math.min(requested, pages)
  return { page, pages, from: (page - 1) * size }
}

/** The record of a website that the service hasn't shown yet. */
const UNSEEN = { extra: {} }

/** Applies pending edits, but does not add tags and note. */
function withPendingEdits(website: Website, edits: Edit[], statusOf: EditStatusOf): WebsiteView {
  const { key, id, domain, record } = website
  return {
    ...(record ?? UNSEEN),
    ...pendingValuesOf(edits),
    key,
    id,
    domain,
    state: stateOf(edits, statusOf),
    pending: fieldNames.filter((name) => edits.some((edit) => sendsField(edit, name))),
  }
}

/**
 * The first edit decides, but a delete behind an unparked edit takes precedence, because the user has to know that the website
 * will go. An unreadable edit counts as parked.
 */
function stateOf(edits: Edit[], statusOf: EditStatusOf): WebsiteState {
  const [first] = edits
  if (first === undefined) return 'synced'
  const { state, reason } = statusOf(first, edits)
  if (state === 'parked' || edits.some(isUnreadable)) return 'parked'
  if (edits.at(-1)?.kind === 'delete') return 'deleting'
  if (state === 'sending') return 'sending'
  if (state === 'inDoubt') return 'checking'
  if (state === 'held' && reason !== 'depends') return 'held'
  return first.kind === 'create' ? 'new' : 'changed'
}
