import type {
  ActivityEntry,
  ActivityKind,
  ActivityPage,
  ActivityQuery,
  RemoteGroup,
} from '../../../src/shared/activity.ts'
import type { HistoryEntry } from '../../../src/shared/edit.ts'

/** The kind of the activity entry for each result of an edit. Default: `delivered`. */
const kinds: Partial<Record<HistoryEntry['became'], ActivityKind>> = {
  undone: 'undone',
  adopted: 'resolved',
  discarded: 'resolved',
  unknown: 'resolved',
}

/** Returns the activity entry for the result of an edit. `index` is its place among the results, 0 for the latest. */
export const resultEntry = (edit: HistoryEntry, index: number): ActivityEntry => ({
  n: 1_000_000 - index,
  kind: kinds[edit.became] ?? 'delivered',
  website: edit.website,
  domain: edit.domain,
  at: edit.at,
  edit,
})

/** The part of a query that only the Activity screen uses: filters and the place in the list. */
type ActivityPlace = Omit<Exclude<ActivityQuery, { results: true }>, 'limit'>

/** Returns the group in which a notification counts this entry: `published` if the website became public, else its kind. */
function groupOf({ kind, remote }: ActivityEntry): RemoteGroup | ActivityKind {
  const isPublished = kind === 'changed' && remote?.fields.includes('privacy') === true && remote.after.privacy === 0
  return isPublished ? 'published' : kind
}

export function activityPage(entries: readonly ActivityEntry[], query: ActivityQuery): ActivityPage {
  const isOfResults = 'results' in query
  const { website, limit } = query
  const place: ActivityPlace = isOfResults ? {} : query
  const { domain, kind, author, from = -Infinity, until = Infinity, after, notified } = place
  const found = entries.filter(
    (entry) =>
      (website === undefined || entry.website === website) &&
      (domain === undefined || entry.domain === domain) &&
      (kind === undefined || entry.kind === kind) &&
      (author === undefined || (author === 'remote') === (entry.remote !== undefined)) &&
      (!isOfResults || entry.edit !== undefined) &&
      entry.at >= from &&
      entry.at < until &&
      (notified === undefined ||
        (entry.n > notified.after &&
          entry.n <= notified.until &&
          notified.groups.some((group) => group === groupOf(entry)))),
  )
  const skipped = isOfResults ? (query.offset ?? 0) : 0
  const begin = after === undefined ? skipped : found.findIndex(({ n }) => n === after.n) + 1
  const page = found.slice(begin, begin + limit)
  const last = page.at(-1)
  return { entries: page, next: last && begin + limit < found.length ? { at: last.at, n: last.n } : null }
}
