import { fail } from '../../shared/result.ts'
import { retryAfterOf } from '../outbox/backoff.ts'
import type { Clock } from '../outbox/ports.ts'
import { isNeverSent } from '../outbox/never-sent.ts'
import type { Outcome } from '../service/outcome.ts'
import { wrapService, type Service } from '../service/port.ts'

const WINDOW = 60_000
/** Requests a minute until the service tells its own limit. */
const UNTOLD = 50
/** Of a limit that was told a tenth is left, as requests don't arrive in the rhythm in which they leave. */
const MARGIN = 0.9
/** How much the latest answer counts in the time that one takes. */
const LATEST = 0.2

/** Who asks. What isn't for them stays free for those behind: edits pass a long refresh, the person passes both. */
export type Asker = 'refresh' | 'replay' | 'person'
const SHARES: Record<Asker, number> = { refresh: 0.6, replay: 0.9, person: 1 }

/**
 * The one budget for all requests of a connection (docs/sync.md#rate-limits): so many in any minute (a sliding window, so
 * a burst of that size goes at once), learned from the rate headers, paused by `Retry-After`.
 */
export interface Budget {
  /** Milliseconds until so many requests may go at once (one if not given), or as many as ever may; 0: now. */
  wait(who: Asker, requests?: number): number
  /** Milliseconds until the last of so many further requests may go, if nobody else asks meanwhile. */
  timeFor(requests: number, who: Asker): number
  /** The same until the last is answered, each made after the one before it; null: nobody knows yet how long one takes. */
  timeToAnswer(requests: number, who: Asker): number | null
  /** Counts a request that leaves in this very turn; false: none may, yet or any more. */
  take(who: Asker): boolean
  /** Resolves when it's worth to {@link take} again; false: closed, no request will ever go. */
  turn(who: Asker): Promise<boolean>
  /** `took`: how many milliseconds it took to be answered. */
  heard(outcome: Outcome<unknown>, took?: number): void
  /** From here on no request goes, neither one that waits nor a later one. */
  close(): void
}

export function createBudget({ clock }: { clock: Pick<Clock, 'monotonic' | 'after'> }): Budget {
  let limit = UNTOLD
  let pausedUntil = -Infinity
  /** Milliseconds that an answer takes, of late. */
  let pace: number | null = null
  /** When the requests of the last minute went, oldest first. */
  const spent: number[] = []
  let closed = false
  const waiting = new Set<() => void>()

  const shareOf = (who: Asker): number => Math.max(1, Math.floor(limit * SHARES[who]))

  function wait(who: Asker, requests = 1): number {
    const now = clock.monotonic()
    while (spent[0] !== undefined && spent[0] <= now - WINDOW) spent.shift()
    const share = shareOf(who)
    const needed = spent.length + Math.min(requests, share)
    const freeAt = needed <= share ? now : (spent[needed - share - 1] ?? now) + WINDOW
    return Math.max(0, freeAt - now, pausedUntil - now)
  }

  /** Each goes a minute after the one that is so many before it as go in a minute. */
  function timeFor(requests: number, who: Asker): number {
    if (requests <= 0) return 0
    wait(who)
    const now = clock.monotonic()
    const start = Math.max(now, pausedUntil)
    const share = shareOf(who)
    const rounds = Math.ceil(requests / share)
    const went = spent[spent.length + requests - 1 - rounds * share]
    const began = went === undefined ? start : Math.max(start, went + WINDOW)
    return began - now + (rounds - 1) * WINDOW
  }

  function timeToAnswer(requests: number, who: Asker): number | null {
    if (requests <= 0) return 0
    if (pace === null) return null
    const share = shareOf(who)
    const inLastMinute = requests - (Math.ceil(requests / share) - 1) * share
    return Math.max(requests * pace, timeFor(requests, who) + inLastMinute * pace)
  }

  function learnPace(outcome: Outcome<unknown>, took: number): void {
    // What never left tells nothing of the service.
    if (outcome.outcome === 'notApplied' && isNeverSent(outcome.error.code)) return
    pace = pace === null ? took : pace + (took - pace) * LATEST
  }

  /** Requests that the service counted and we didn't make: another client's, or ours before a restart. */
  function countOthers(used: number): void {
    wait('person')
    for (let missing = used - spent.length; missing > 0; missing--) spent.push(clock.monotonic())
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, wake)
      function wake(): void {
        cancel()
        waiting.delete(wake)
        resolve()
      }
      waiting.add(wake)
    })

  return {
    wait,
    timeFor,
    timeToAnswer,
    take(who) {
      if (closed || wait(who) > 0) return false
      spent.push(clock.monotonic())
      return true
    },
    async turn(who) {
      const ms = closed ? 0 : wait(who)
      if (ms > 0) await sleep(ms)
      return !closed
    },
    heard(outcome, took) {
      if (took !== undefined) learnPace(outcome, took)
      const { meta } = outcome
      if (meta.limit !== undefined && meta.limit > 0) {
        limit = Math.max(1, Math.floor(meta.limit * MARGIN))
        if (meta.remaining !== undefined) countOthers(Math.min(limit, meta.limit - meta.remaining))
      }
      if (outcome.outcome === 'applied') return
      const { code, retryAfter } = outcome.error
      if (code !== 'rate-limited' && retryAfter === undefined) return
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + retryAfterOf(outcome.error))
    },
    close() {
      closed = true
      for (const wake of waiting) wake()
    },
  }
}

const CLOSED: Outcome<never> = { outcome: 'notApplied', error: fail('no-connection').error, meta: {} }

/**
 * A service whose requests wait for the budget, and aren't made once that is closed. One that needn't wait leaves in the
 * same turn: what its asker has made sure of just before is still so.
 */
export function withBudget(service: Service, budget: Budget, who: Asker, clock: Pick<Clock, 'monotonic'>): Service {
  return wrapService(service, async (ask) => {
    while (!budget.take(who)) if (!(await budget.turn(who))) return CLOSED
    const began = clock.monotonic()
    const outcome = await ask()
    budget.heard(outcome, clock.monotonic() - began)
    return outcome
  })
}
