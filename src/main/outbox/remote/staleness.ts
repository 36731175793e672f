import type { WebsiteRecord } from '../../../shared/website.ts'
import { differingFields } from '../model/compare-with-record.ts'

/** Milliseconds for which a service may still answer with the state before a write. */
export const MAX_STALENESS = 10_000

/**
 * True if a read shows an older state than is known, as hosts with replicas or caches sometimes do. The service's own times
 * decide. Without them, a read that differs from our write within {@link MAX_STALENESS} is not trusted. `writtenFor` is the age
 * of that write in milliseconds, or null if the state is known from a read.
 */
export function isStale(stored: { record: WebsiteRecord; writtenFor: number | null }, read: WebsiteRecord): boolean {
  const order = timeOrder(stored.record.updated_at, read.updated_at)
  if (order !== 'unknown') return order === 'before'
  return stored.writtenFor !== null && stored.writtenFor <= MAX_STALENESS && haveDifferentValues(stored.record, read)
}

/** True if two reads show different values or times. */
export const areDifferentStates = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  one.updated_at !== other.updated_at || haveDifferentValues(one, other)

/** True if a setting differs, or if only one of the websites has a password. */
const haveDifferentValues = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  differingFields(one, other).length > 0 ||
  (one.password !== undefined && other.password !== undefined && one.password !== other.password)

/**
 * Returns whether `read` is before or after `stored`. Unknown if a time is missing, or if they are equal: two changes within a
 * second may have the same time.
 */
function timeOrder(stored: string | undefined, read: string | undefined): 'before' | 'after' | 'unknown' {
  if (stored === undefined || read === undefined || stored === read) return 'unknown'
  const apart = Date.parse(read) - Date.parse(stored)
  // A different value that is not a time counts as a later one.
  return apart < 0 ? 'before' : 'after'
}
