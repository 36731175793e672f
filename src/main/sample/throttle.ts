const WINDOW = 60_000

/** So many requests a minute, counted from the first; `wait` in seconds once they are used up. */
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
