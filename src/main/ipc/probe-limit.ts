import type { CommandName } from '../../preload/bridge.ts'

/** The commands that make a request to an address of the renderer's choice, or to the service whenever it asks. */
export const PROBING: readonly CommandName[] = ['connect', 'checkAddress', 'checkSetUp']

const BURST = 5
/** Milliseconds until one more is allowed. */
const INTERVAL = 5_000

/**
 * Limits how often a compromised renderer can use the app to scan the network. The function it returns takes one request,
 * and returns the milliseconds to wait if there is none left, otherwise 0. `now`: milliseconds of a monotonic clock.
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
