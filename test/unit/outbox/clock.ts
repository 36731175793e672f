import type { Clock } from '../../../src/main/outbox/ports.ts'

export const MINUTE = 60_000

/** A clock that moves only when a test advances it. */
export interface FakeClock extends Clock {
  /** Runs all due timers and everything that follows from them. */
  advance(ms: number): Promise<void>
  /** Returns the number of timers. */
  timers(): number
  /** Moves the wall clock without any time passing. */
  jump(ms: number): void
}

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

/** Resolves when everything that needs no time is done. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
