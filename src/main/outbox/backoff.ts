import type { AppError } from '../../shared/result.ts'
import type { Random } from './ports.ts'

const FIRST = 1_000
const CAP = 5 * 60_000
/** A 429 without `Retry-After`. */
const PAUSE = 15_000
/** Whatever a service says, it's asked again within the hour (docs/sync.md#rate-limits). */
const LONGEST_WAIT = 60 * 60_000

/** Milliseconds to wait as the service said, an hour at most; without its word a little while. */
export const retryAfterOf = ({ retryAfter }: Pick<AppError, 'retryAfter'>): number =>
  retryAfter === undefined ? PAUSE : Math.min(LONGEST_WAIT, retryAfter * 1000)

/**
 * Milliseconds until the next try after `failures` in a row (at least 1): full jitter, so that many clients don't
 * come back together; the first after one to two seconds, none later than five minutes (docs/sync.md#service-unavailable).
 */
export function backoff(failures: number, random: Random): number {
  const span = Math.min(CAP, FIRST * 2 ** failures)
  return failures <= 1 ? FIRST + random.fraction() * FIRST : Math.max(FIRST, random.fraction() * span)
}
