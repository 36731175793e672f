import type { Account } from '../../shared/account.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ListQuery, WebsitePage, WebsiteState, WebsiteView } from '../../shared/website.ts'
import { fieldNames } from '../../shared/website.ts'
import { isUnreadable, type Edit } from '../outbox/edit.ts'
import { overlay } from '../outbox/overlay.ts'
import type { Website } from '../outbox/ports.ts'
import { pendingFields } from '../outbox/present.ts'
import type { StandingOf } from '../outbox/standing.ts'
import type { ReplicaStore, ViewStore } from './ports.ts'

/** What the screens read: the replica with the pending edits laid over it. Never the network. */
export interface View {
  /** A page beyond the last answers the last. Errors: `storage`. */
  list(query: ListQuery & { page: number }): Result<WebsitePage>
  /** Errors: `website-gone`, `storage`. */
  website(key: string): Result<WebsiteView>
  /** Null: it isn't there, or can't be read. */
  get(key: string): WebsiteView | null
  /** As last read, where the file can't be read any more. */
  total(): number
  account(): { account: Account; seenAt: number } | null
}

export interface ViewPorts {
  store: ViewStore & Pick<ReplicaStore, 'account'>
  standing: StandingOf
}

export function createView({ store, standing }: ViewPorts): View {
  const present = (website: Website) => presentWebsite(website, store.editsOf(website.key), standing)
  let total = 0

  const find = (key: string): Result<WebsiteView> =>
    store.read(() => {
      const website = store.website(key)
      return website === null ? fail('website-gone') : ok(present(website))
    })

  return {
    list: ({ page: asked, ...query }) =>
      store.read(() => {
        const matching = store.matching(query.search)
        const pages = Math.max(1, Math.ceil(matching / query.per_page))
        const page = Math.min(asked, pages)
        const found = store.websites(query, (page - 1) * query.per_page, query.per_page)
        return ok({ websites: found.map(present), matching, total: store.total(), page, pages })
      }),
    website: find,
    get(key) {
      const found = find(key)
      return found.ok ? found.value : null
    },
    total() {
      const read = store.read(() => ok(store.total()))
      if (read.ok) total = read.value
      return total
    },
    account() {
      const read = store.read(() => ok(store.account()))
      return read.ok ? read.value : null
    },
  }
}

function presentWebsite(website: Website, edits: Edit[], standing: StandingOf): WebsiteView {
  const { key, id, domain, record } = website
  const pending = new Set(edits.flatMap(pendingFields))
  return {
    extra: {},
    ...record,
    ...settingsOf(website, edits),
    key,
    id,
    domain,
    state: stateOf(edits, standing),
    pending: fieldNames.filter((name) => pending.has(name)),
  }
}

function settingsOf(website: Website, edits: Edit[]): Partial<WebsiteView> {
  const { settings, password } = overlay(website, edits)
  return { ...settings, ...(password !== undefined && { password }) }
}

/** The edit in front decides, but for a delete: that the website will go is what the person has to know. */
function stateOf(edits: Edit[], standing: StandingOf): WebsiteState {
  const [first] = edits
  if (first === undefined) return 'synced'
  const { state, reason } = standing(first)
  if (state === 'parked' || edits.some(isUnreadable)) return 'parked'
  if (edits.at(-1)?.kind === 'delete') return 'deleting'
  if (state === 'sending') return 'sending'
  if (state === 'inDoubt') return 'checking'
  if (state === 'held' && reason !== 'depends') return 'held'
  return first.kind === 'create' ? 'new' : 'changed'
}
