/** How many requests are let in; a person at the window never comes near. */
const gateLimits = {
  /** Requests without an answer yet. */
  atOnce: 200,
  /** Requests in a second. */
  perSecond: 2000,
} as const

/** Counts the requests of the bridge, so that a page gone wild keeps main neither busy nor waiting. */
export interface Gate {
  /** Whether one more may come in; then {@link Gate.leave} has to follow its answer. */
  enter(): boolean
  leave(): void
}

/** `now`: milliseconds of a clock that only goes forward. */
export function createGate(now: () => number, limits: { atOnce: number; perSecond: number } = gateLimits): Gate {
  let inside = 0
  let second = 0
  let begun = 0
  return {
    enter() {
      const current = Math.floor(now() / 1000)
      if (current !== second) {
        second = current
        begun = 0
      }
      if (inside >= limits.atOnce || begun >= limits.perSecond) return false
      inside += 1
      begun += 1
      return true
    },
    leave: () => void (inside -= 1),
  }
}
