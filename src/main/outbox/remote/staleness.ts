import type { WebsiteRecord } from '../../../shared/website.ts'
import { differing } from '../model/changed.ts'

/** How long after a write a service may still answer as things were before it. Milliseconds. */
export const MAX_STALENESS = 10_000

/**
 * Whether a read shows a record as it was before what is known of it already: hosts with copies or caches answer so now and
 * then. By the service's own times; where they don't tell, whatever differs from our last write so soon after it isn't
 * believed. `writtenFor`: how long ago that was answered, in milliseconds; null: it's known from a read.
 */
export function isStale(known: { record: WebsiteRecord; writtenFor: number | null }, read: WebsiteRecord): boolean {
  const order = inOrder(known.record.updated_at, read.updated_at)
  if (order !== 'unknown') return order === 'before'
  return known.writtenFor !== null && known.writtenFor <= MAX_STALENESS && differing(known.record, read).length > 0
}

/** Whether two reads show different things, or times. */
export const areApart = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  one.updated_at !== other.updated_at || differing(one, other).length > 0

/** Where the second is by the first; whole seconds that are the same tell nothing. */
function inOrder(known: string | undefined, read: string | undefined): 'before' | 'after' | 'unknown' {
  if (known === undefined || read === undefined || known === read) return 'unknown'
  const apart = Date.parse(read) - Date.parse(known)
  // What is no time, and another than it was, has changed since.
  return apart < 0 ? 'before' : 'after'
}
