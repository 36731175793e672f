import type { AppError } from '../../shared/result.ts'
import type { Random } from './ports.ts'

const FIRST = 1_000
const CAP = 5 * 60_000
/** Wait after a 429 without `Retry-After`, in milliseconds. */
const PAUSE = 15_000
/** Maximum wait that a service can ask for, in milliseconds (docs/sync.md#rate-limits). */
const MAX_WAIT = 60 * 60_000

/** Returns the milliseconds to wait after a 429: `Retry-After`, limited to an hour, or a default. */
export const retryAfterOf = ({ retryAfter }: Pick<AppError, 'retryAfter'>): number =>
  retryAfter === undefined ? PAUSE : Math.min(MAX_WAIT, retryAfter * 1000)

/**
 * Returns the milliseconds until the next try after `failures` in a row (at least 1): one to two seconds after the first, five
 * minutes at most. Full jitter keeps clients from retrying together (docs/sync.md#service-unavailable).
 */
export function backoffDelay(failures: number, random: Random): number {
  const span = Math.min(CAP, FIRST * 2 ** failures)
  return failures <= 1 ? FIRST + random.fraction() * FIRST : Math.max(FIRST, random.fraction() * span)
}
