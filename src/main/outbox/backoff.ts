import type { Random } from './ports.ts'

const FIRST = 1_000
const CAP = 5 * 60_000

/**
 * Milliseconds until the next try after `failures` in a row (at least 1): full jitter, so that many clients don't
 * come back together; the first after one to two seconds, none later than five minutes (sync.md, "Failure by failure").
 */
export function backoff(failures: number, random: Random): number {
  const span = Math.min(CAP, FIRST * 2 ** failures)
  return failures <= 1 ? FIRST + random.fraction() * FIRST : Math.max(FIRST, random.fraction() * span)
}
