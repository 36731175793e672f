import type { WebsiteRecord } from '../../../shared/website.ts'
import { differingFields } from '../model/compare-with-record.ts'

/** Milliseconds for which a service may still respond with the state before a write. */
export const MAX_STALENESS = 10_000

/**
 * True if a read shows an older state than is known, as hosts with replicas or caches may return. The service's own times decide.
 * Without them, a read that differs from our write within {@link MAX_STALENESS} counts as older. `writtenFor`: milliseconds since
 * that write, or null if the known state comes from a read.
 */
export function isStale(stored: { record: WebsiteRecord; writtenFor: number | null }, read: WebsiteRecord): boolean {
  const order = timeOrder(stored.record.updated_at, read.updated_at)
  if (order !== 'unknown') return order === 'before'
  return stored.writtenFor !== null && stored.writtenFor <= MAX_STALENESS && haveDifferentValues(stored.record, read)
}

/** True if the records differ in a value that both show, or in `updated_at`. */
export const areDifferentStates = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  one.updated_at !== other.updated_at || haveDifferentValues(one, other)

const haveDifferentValues = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  differingFields(one, other).length > 0 ||
  (one.password !== undefined && other.password !== undefined && one.password !== other.password)

/** Equal times are `unknown`, because two changes within a second may have the same time. */
function timeOrder(stored: string | undefined, read: string | undefined): 'before' | 'after' | 'unknown' {
  if (stored === undefined || read === undefined || stored === read) return 'unknown'
  const apart = Date.parse(read) - Date.parse(stored)
  // A different value that is not a time counts as a later one.
  return apart < 0 ? 'before' : 'after'
}
