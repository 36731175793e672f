const WINDOW = 60_000

/**
 * Returns a function that counts requests, with at most `rate` per minute from the first one. `wait` is the seconds
 * until the next minute if the rate is used up.
 */
export function createThrottle(rate: number, now: () => number) {
  let ends = -Infinity
  let used = 0

  return (): { limit: number; remaining: number; wait: number | undefined } => {
    if (now() >= ends) {
      ends = now() + WINDOW
      used = 0
    }
    const refused = used >= rate
    if (!refused) used += 1
    return { limit: rate, remaining: rate - used, wait: refused ? Math.ceil((ends - now()) / 1000) : undefined }
  }
}
