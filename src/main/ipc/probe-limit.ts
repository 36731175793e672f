import type { CommandName } from '../../preload/bridge.ts'

/** Commands with which the page can make the app send requests to any address, or to the service at any time. */
export const PROBING: readonly CommandName[] = ['connect', 'checkAddress', 'checkSetUp', 'replaceKey', 'testConnection']

/** Number of commands that are allowed at once. */
const BURST = 5
/** Milliseconds after which one more command is allowed. */
const INTERVAL = 5_000

/**
 * Limits how often a compromised page can use the app to scan the network. The returned function counts a command and returns 0,
 * or returns the milliseconds to wait. `now`: milliseconds of a monotonic clock.
 */
export function createProbeLimit(now: () => number): () => number {
  let allowed = BURST
  let counted = now()
  return () => {
    const current = now()
    allowed = Math.min(BURST, allowed + (current - counted) / INTERVAL)
    counted = current
    if (allowed < 1) return Math.ceil((1 - allowed) * INTERVAL)
    allowed -= 1
    return 0
  }
}
