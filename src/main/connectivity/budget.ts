import type { Clock } from '../outbox/ports.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service } from '../service/port.ts'
import { wrapService } from '../service/wrap.ts'

const WINDOW = 60_000
/** Requests a minute until the service tells its own limit. */
const UNTOLD = 50
/** Of a limit that was told a tenth is left, as requests don't arrive in the rhythm in which they leave. */
const MARGIN = 0.9
/** A 429 without `Retry-After`. */
const PAUSE = 15_000
const LONGEST_PAUSE = 60 * 60_000

/** Who asks. What isn't for them stays free for those behind: edits pass a long refresh, the person passes both. */
export type Asker = 'refresh' | 'replay' | 'person'
const SHARES: Record<Asker, number> = { refresh: 0.6, replay: 0.9, person: 1 }

/**
 * The one budget for all requests of a connection (sync.md, the row "429"): so many in any minute (a sliding window, so
 * a burst of that size goes at once), learned from the rate headers, paused by `Retry-After`.
 */
export interface Budget {
  /** Milliseconds until a request may go; 0: now. */
  wait(who: Asker): number
  /** Resolves when a request may go, and counts it. */
  take(who: Asker): Promise<void>
  heard(outcome: Outcome<unknown>): void
}

export function createBudget({ clock }: { clock: Clock }): Budget {
  let limit = UNTOLD
  let pausedUntil = -Infinity
  /** When the requests of the last minute went, oldest first. */
  let spent: number[] = []

  function wait(who: Asker): number {
    const now = clock.monotonic()
    spent = spent.filter((time) => time > now - WINDOW)
    const share = Math.max(1, Math.floor(limit * SHARES[who]))
    const freeAt = spent.length < share ? now : (spent[spent.length - share] ?? now) + WINDOW
    return Math.max(0, freeAt - now, pausedUntil - now)
  }

  /** Requests that the service counted and we didn't make: another client's, or ours before a restart. */
  function countOthers(used: number): void {
    wait('person')
    for (let missing = used - spent.length; missing > 0; missing--) spent.push(clock.monotonic())
  }

  return {
    wait,
    async take(who) {
      for (let ms = wait(who); ms > 0; ms = wait(who)) {
        await new Promise<void>((resolve) => clock.after(ms, resolve))
      }
      spent.push(clock.monotonic())
    },
    heard(outcome) {
      const { meta } = outcome
      if (meta.limit !== undefined && meta.limit > 0) {
        limit = Math.max(1, Math.floor(meta.limit * MARGIN))
        if (meta.remaining !== undefined) countOthers(Math.min(limit, meta.limit - meta.remaining))
      }
      if (outcome.outcome === 'applied') return
      const { code, retryAfter } = outcome.error
      if (code !== 'rate-limited' && retryAfter === undefined) return
      const pause = Math.min(LONGEST_PAUSE, retryAfter === undefined ? PAUSE : retryAfter * 1000)
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + pause)
    },
  }
}

/** A service whose requests wait for the budget. */
export function withBudget(service: Service, budget: Budget, who: Asker): Service {
  return wrapService(service, async (ask) => {
    await budget.take(who)
    const outcome = await ask()
    budget.heard(outcome)
    return outcome
  })
}
