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
  return stored.writtenFor !== null && stored.writtenFor <= MAX_STALENESS && showsOther(stored.record, read)
}

/** True if two reads show different values or times. */
export const areApart = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  one.updated_at !== other.updated_at || showsOther(one, other)

/** True if a setting differs, or whether a password is set. */
const showsOther = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  differingFields(one, other).length > 0 ||
  (one.password !== undefined && other.password !== undefined && one.password !== other.password)

/** Returns the order of two times; equal times in whole seconds prove nothing. */
function timeOrder(stored: string | undefined, read: string | undefined): 'before' | 'after' | 'unknown' {
  if (stored === undefined || read === undefined || stored === read) return 'unknown'
  const apart = Date.parse(read) - Date.parse(stored)
  // A value that is not a time, and differs from the one before, counts as a change.
  return apart < 0 ? 'before' : 'after'
}
