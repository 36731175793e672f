import type { AppError } from '../../shared/result.ts'
import type { Random } from './ports.ts'

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000
/** Used if the service sends no `Retry-After`. */
const DEFAULT_RETRY_AFTER_MS = 15_000
/** A longer `Retry-After` of a 429 is cut to this (docs/sync.md#rate-limits). */
const MAX_RETRY_AFTER_MS = 60 * 60_000

/** Returns the milliseconds to wait after an error: its `Retry-After`, at most an hour for a 429 and five minutes otherwise. */
export const retryAfterOf = ({ code, retryAfter }: AppError): number =>
  retryAfter === undefined
    ? DEFAULT_RETRY_AFTER_MS
    : Math.min(code === 'rate-limited' ? MAX_RETRY_AFTER_MS : MAX_DELAY_MS, retryAfter * 1000)

/** Returns milliseconds. The random part keeps clients from retrying at the same moment (docs/sync.md#service-unavailable). */
export function backoffDelay(failures: number, random: Random): number {
  const span = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures)
  return failures <= 1
    ? FIRST_DELAY_MS + random.fraction() * FIRST_DELAY_MS
    : Math.max(FIRST_DELAY_MS, random.fraction() * span)
}
