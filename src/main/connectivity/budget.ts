import { fail } from '../../shared/result.ts'
import { retryAfterOf } from '../outbox/backoff.ts'
import type { Clock } from '../outbox/ports.ts'
import { isNeverSent } from '../outbox/never-sent.ts'
import type { Outcome } from '../service/outcome.ts'
import { wrapService, type Service } from '../service/port.ts'

/** The limit counts the requests of this many milliseconds. */
const WINDOW = 60_000
/** Requests per minute until the service announces its limit. */
const DEFAULT_LIMIT = 50
/** Maximum requests per minute, even if the service announces more. */
const HIGHEST_LIMIT = 6_000
/** Share of the announced limit that is used, because requests don't arrive at the intervals at which they are sent. */
const USED_SHARE = 0.9
/** Weight of the latest response in the moving average of the response time. */
const ANSWER_TIME_WEIGHT = 0.2

/**
 * The source of a request. Each may use only a share of the limit, so that edits overtake a long refresh and the user's own
 * requests overtake both. `background`: a refresh of a list that isn't visible. `replay`: edits, and a
 * refresh that the user waits for.
 */
export type RequestSource = 'background' | 'refresh' | 'replay' | 'user'
/** Share of the limit up to which each source may send. Requests of all sources count toward it. */
const SHARES: Record<RequestSource, number> = { background: 0.25, refresh: 0.6, replay: 0.9, user: 1 }

export type Budget = ReturnType<typeof createBudget>

/**
 * Keeps all requests of a connection within the service's limit in any 60 seconds (docs/sync.md#rate-limits). Response headers
 * tell the limit. `Retry-After` pauses requests: after a 429 for at most an hour, after any other error for at most five minutes.
 */
export function createBudget({ clock }: { clock: Pick<Clock, 'monotonic' | 'after'> }) {
  let limit = DEFAULT_LIMIT
  let isAnnounced = false
  let pausedUntil = -Infinity
  /** Average response time in milliseconds. */
  let pace: number | null = null
  /** Monotonic times of the requests of the last minute, oldest first. */
  const sentAt: number[] = []
  let closed = false
  const waiting = new Set<() => void>()

  /** Returns the number of requests per minute, of all sources together, up to which this source may send. */
  const shareOf = (source: RequestSource): number => Math.max(1, Math.floor(limit * SHARES[source]))

  /** Returns the milliseconds until this many requests (at most the share) may be sent together. */
  function delay(source: RequestSource, requests = 1): number {
    const now = clock.monotonic()
    while (sentAt[0] !== undefined && sentAt[0] <= now - WINDOW) sentAt.shift()
    const share = shareOf(source)
    const needed = sentAt.length + Math.min(requests, share)
    const freeAt = needed <= share ? now : (sentAt[needed - share - 1] ?? now) + WINDOW
    return Math.max(0, freeAt - now, pausedUntil - now)
  }

  /** Returns the milliseconds until the last of this many requests may be sent, if no other source sends any. */
  function timeFor(requests: number, source: RequestSource): number {
    if (requests <= 0) return 0
    delay(source)
    const now = clock.monotonic()
    const start = Math.max(now, pausedUntil)
    const share = shareOf(source)
    const rounds = Math.ceil(requests / share)
    // Each request is sent one window after the request that precedes it by `share`.
    const previous = sentAt[sentAt.length + requests - 1 - rounds * share]
    const earliest = previous === undefined ? start : Math.max(start, previous + WINDOW)
    return earliest - now + (rounds - 1) * WINDOW
  }

  /** Returns the milliseconds until the last of this many sequential requests is answered. Null without a known response time. */
  function timeToAnswer(requests: number, source: RequestSource): number | null {
    if (requests <= 0) return 0
    if (pace === null) return null
    const share = shareOf(source)
    const inLastMinute = requests - (Math.ceil(requests / share) - 1) * share
    return Math.max(requests * pace, timeFor(requests, source) + inLastMinute * pace)
  }

  /** Returns the milliseconds that this many sequential requests take if the connection makes no others and is not paused. */
  const timeAlone = (requests: number, source: RequestSource): number =>
    Math.max(requests * (pace ?? 0), (Math.ceil(requests / shareOf(source)) - 1) * WINDOW)

  function learnPace(outcome: Outcome<unknown>, took: number): void {
    // A request that was never sent says nothing about the service's response time.
    if (outcome.outcome === 'notApplied' && isNeverSent(outcome.error.code)) return
    pace = pace === null ? took : pace + (took - pace) * ANSWER_TIME_WEIGHT
  }

  /** Adds requests that the service counted and this process didn't send: another client's, or ours before a restart. */
  function countOthers(used: number): void {
    delay('user')
    for (let missing = used - sentAt.length; missing > 0; missing--) sentAt.push(clock.monotonic())
  }

  /** Ends earlier if the budget is closed. */
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

  /** Counts a request, which must be sent in the same tick. Returns false if none may be sent now. */
  function tryTake(source: RequestSource): boolean {
    if (closed || delay(source) > 0) return false
    sentAt.push(clock.monotonic())
    return true
  }

  /** `took`: the response time in milliseconds. */
  function recordAnswer(outcome: Outcome<unknown>, took?: number): void {
    if (took !== undefined) learnPace(outcome, took)
    const { meta } = outcome
    if (meta.limit !== undefined && meta.limit > 0) {
      isAnnounced = true
      limit = Math.max(1, Math.min(HIGHEST_LIMIT, Math.floor(meta.limit * USED_SHARE)))
      if (meta.remaining !== undefined) countOthers(Math.min(limit, meta.limit - meta.remaining))
    }
    if (outcome.outcome === 'applied') return
    const { code, retryAfter } = outcome.error
    if (code !== 'rate-limited' && retryAfter === undefined) return
    pausedUntil = Math.max(pausedUntil, clock.monotonic() + retryAfterOf(outcome.error))
  }

  return {
    delay,
    /** True if the service has announced its limit, or while a `Retry-After` or a 429 applies. */
    isSetByService: () => isAnnounced || pausedUntil > clock.monotonic(),
    timeFor,
    timeToAnswer,
    timeAlone,
    tryTake,
    recordAnswer,
    /**
     * Returns a service whose requests wait for the budget, and fail once it is closed. A request that need not wait is sent in
     * the same tick, so that what its caller has checked still holds. `hold`: requests wait while it returns a promise.
     */
    wrap(
      service: Service,
      source: RequestSource | (() => RequestSource),
      hold: () => Promise<void> | null = () => null,
    ): Service {
      return wrapService(service, async (ask) => {
        for (;;) {
          const held = hold()
          const current = typeof source === 'function' ? source() : source
          if (held !== null) await held
          else if (tryTake(current)) break
          else {
            if (!closed) await sleep(delay(current))
            if (closed) return CLOSED
          }
        }
        const began = clock.monotonic()
        const outcome = await ask()
        const took = clock.monotonic() - began
        recordAnswer(outcome, took)
        return { ...outcome, meta: { ...outcome.meta, took } }
      })
    },
    /** Refuses all later requests, and those that are waiting. */
    close(): void {
      closed = true
      for (const wake of waiting) wake()
    },
  }
}

/** The outcome of a request that was not sent before the connection was closed. */
const CLOSED: Outcome<never> = { outcome: 'notApplied', error: fail('no-connection').error, meta: {} }
