import type { Clock } from '../../../src/main/outbox/ports.ts'

export const MINUTE = 60_000

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  /** Lets `ms` milliseconds pass. Runs each timer at its time, and all work that follows. */
  advance(ms: number): Promise<void>
  timers(): number
  /** Moves the wall clock, while no time passes. */
  jump(ms: number): void
}

/** The wall time begins on 1 January 2026 (UTC), and the monotonic time at 0. */
export function fakeClock(): FakeClock {
  let now = 0
  let wall = Date.parse('2026-01-01T00:00:00Z')
  const timers = new Set<{ at: number; call: () => void }>()

  return {
    wall: () => wall + now,
    monotonic: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    soon(call) {
      const turn = setImmediate(call)
      return () => clearImmediate(turn)
    },
    async advance(ms) {
      const end = now + ms
      await settled()
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.call()
        await settled()
      }
      now = end
    },
    timers: () => timers.size,
    jump: (ms) => void (wall += ms),
  }
}

/** Resolves in the next turn of the event loop, after all work that waits only for promises. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
