/** Using the window by hand never reaches these limits. */
const gateLimits = {
  /** Maximum number of unanswered requests. */
  atOnce: 200,
  perSecond: 2000,
} as const

/** Limits the requests of the page, so that a faulty page can't overload the main process. */
export interface Gate {
  /** Returns false if a request exceeds the limits; otherwise {@link Gate.leave} must be called once it is answered. */
  enter(): boolean
  leave(): void
}

/** `now`: milliseconds of a monotonic clock. */
export function createGate(now: () => number, limits: { atOnce: number; perSecond: number } = gateLimits): Gate {
  let inside = 0
  let second = 0
  let started = 0
  return {
    enter() {
      const current = Math.floor(now() / 1000)
      if (current !== second) {
        second = current
        started = 0
      }
      if (inside >= limits.atOnce || started >= limits.perSecond) return false
      inside += 1
      started += 1
      return true
    },
    leave: () => void (inside -= 1),
  }
}
