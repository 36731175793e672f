import type { AppError } from '../../shared/result.ts'
import type { Random } from './ports.ts'

/** The shortest wait between two tries, in milliseconds. */
const FIRST_DELAY = 1_000
/** The longest wait between two tries, in milliseconds. Further failures do not lengthen it. */
const MAX_DELAY = 5 * 60_000
/** Wait after a 429 without `Retry-After`, in milliseconds. */
const DEFAULT_RETRY_AFTER = 15_000
/** Maximum wait after a 429, in milliseconds: a longer `Retry-After` is cut to it (docs/sync.md#rate-limits). */
const MAX_RETRY_AFTER = 60 * 60_000

/** Returns the milliseconds to wait: `Retry-After`, limited to an hour after a 429 and else to five minutes, or a default. */
export const retryAfterOf = ({ code, retryAfter }: AppError): number =>
  retryAfter === undefined
    ? DEFAULT_RETRY_AFTER
    : Math.min(code === 'rate-limited' ? MAX_RETRY_AFTER : MAX_DELAY, retryAfter * 1000)

/**
 * Returns the milliseconds until the next try after `failures` in a row (at least 1): one to two seconds after the first, five
 * minutes at most. Full jitter keeps clients from retrying together (docs/sync.md#service-unavailable).
 */
export function backoffDelay(failures: number, random: Random): number {
  const span = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures)
  return failures <= 1 ? FIRST_DELAY + random.fraction() * FIRST_DELAY : Math.max(FIRST_DELAY, random.fraction() * span)
}
