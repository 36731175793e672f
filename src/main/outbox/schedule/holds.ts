import type { WaitReason } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { backoffDelay, retryAfterOf } from '../backoff.ts'
import { MAX_STALENESS } from '../remote/staleness.ts'
import type { Edit } from '../model/edit.ts'
import type { Clock, Random } from '../ports.ts'

/** Milliseconds for which a delete waits for Undo (docs/sync.md#deletes). */
const UNDO_TIME = 10_000

/** Milliseconds after a request was given up within which a read may still show the state before that request. */
const STALE_READ_TIME = 2_000

/** Number of failed reads in a row, and the running time, after which an edit in doubt is parked. */
const MIN_FAILED_READS = 10
const MIN_FAILING_TIME = 30 * 60_000

/** The reason why one edit cannot be sent yet. `until` is by the monotonic clock; null means until {@link Holds.lift}. */
interface Hold {
  reason: Extract<WaitReason, 'backoff' | 'keychain' | 'rate' | 'undo'>
  error: AppError | null
  until: number | null
}

/**
 * Keeps the holds of single edits, in memory only: a restart tries every edit again, and gives a delete another ten seconds,
 * because the user may have quit in order to undo it.
 */
export interface Holds {
  of(edit: Pick<Edit, 'id' | 'kind' | 'attempts'>): Hold | null
  /** Holds an edit until something outside changes. */
  hold(id: string, reason: Hold['reason'], error: AppError): void
  /** Delays an edit after a failure, longer each time, or as long as the service has asked. */
  backOff(id: string, error: AppError): void
  /** Notes that the read of an edit in doubt has failed, and returns true if its reads have failed for long. */
  noteFailedRead(id: string): boolean
  /** Notes that the request of an edit was given up just now. */
  noteInDoubt(id: string): void
  /**
   * Returns the time from which a read may prove that an edit in doubt was not applied, by the monotonic clock
   * (docs/sync.md#stale-reads).
   */
  provableFrom(id: string): number
  /**
   * Returns the time from which a read may prove that the service kept another value than it accepted, by the monotonic clock.
   */
  mismatchProvableFrom(id: string): number
  /** Holds an edit until a time by the monotonic clock. This does not count as a failure. */
  holdUntil(id: string, reason: Hold['reason'], error: AppError | null, until: number): void
  /** Returns the milliseconds for which a read may still show the state before the request; zero or less if it cannot. */
  mayBeStaleFor(id: string): number
  /** Notes that a delete was queued just now. */
  startUndoTime(id: string): void
  /** Ends the hold of an edit at once, and its time for Undo. */
  release(id: string): void
  /** Ends the holds that wait for something outside. */
  lift(): void
  forget(id: string): void
  /** Notes that the plan's limit was met while deletes were pending: creates wait for all of them. */
  limit(): void
  /** Notes that a website was deleted on the service. */
  unlimit(): void
  isLimited(): boolean
  /** True if an edit is held without a known end. */
  isStuck(): boolean
  /** Returns the time when the last held edit may go, by the monotonic clock, or null if one has failed repeatedly. */
  lastAt(): number | null
}

export function createHolds(clock: Clock, random: Random): Holds {
  const startedAt = clock.monotonic()
  const holds = new Map<string, Hold>()
  const failures = new Map<string, number>()
  const reads = new Map<string, { failed: number; since: number }>()
  const inDoubtSince = new Map<string, number>()
  const undoFrom = new Map<string, number>()
  let limited = false

  function undoUntil({ id, kind, attempts }: Pick<Edit, 'id' | 'kind' | 'attempts'>): number {
    if (kind !== 'delete' || attempts > 0) return -Infinity
    return (undoFrom.get(id) ?? startedAt) + UNDO_TIME
  }

  return {
    of(edit) {
      const now = clock.monotonic()
      const until = undoUntil(edit)
      if (until > now) return { reason: 'undo', error: null, until }
      const wait = holds.get(edit.id)
      return wait !== undefined && (wait.until === null || wait.until > now) ? wait : null
    },
    hold: (id, reason, error) => void holds.set(id, { reason, error, until: null }),
    backOff(id, error) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      const hasRetryAfter = error.retryAfter !== undefined
      const until = clock.monotonic() + (hasRetryAfter ? retryAfterOf(error) : backoffDelay(count, random))
      holds.set(id, { reason: hasRetryAfter ? 'rate' : 'backoff', error, until })
    },
    noteFailedRead(id) {
      const now = clock.monotonic()
      const { failed, since } = reads.get(id) ?? { failed: 0, since: now }
      reads.set(id, { failed: failed + 1, since })
      return failed + 1 >= MIN_FAILED_READS && now - since >= MIN_FAILING_TIME
    },
    noteInDoubt: (id) => void inDoubtSince.set(id, clock.monotonic()),
    provableFrom: (id) => (inDoubtSince.get(id) ?? startedAt) + STALE_READ_TIME,
    mismatchProvableFrom: (id) => (inDoubtSince.get(id) ?? startedAt) + MAX_STALENESS,
    holdUntil: (id, reason, error, until) => void holds.set(id, { reason, error, until }),
    mayBeStaleFor: (id) => (inDoubtSince.get(id) ?? -Infinity) + MAX_STALENESS + 1 - clock.monotonic(),
    startUndoTime: (id) => void undoFrom.set(id, clock.monotonic()),
    release(id) {
      holds.delete(id)
      undoFrom.set(id, -Infinity)
    },
    lift() {
      for (const [id, wait] of holds) if (wait.until === null) holds.delete(id)
    },
    forget(id) {
      holds.delete(id)
      failures.delete(id)
      reads.delete(id)
      inDoubtSince.delete(id)
      undoFrom.delete(id)
    },
    limit: () => void (limited = true),
    unlimit: () => void (limited = false),
    isLimited: () => limited,
    isStuck: () => [...holds.values()].some(({ until }) => until === null),
    lastAt() {
      if ([...holds.keys()].some((id) => (failures.get(id) ?? 0) > 1)) return null
      let last = -Infinity
      for (const { until } of holds.values()) last = Math.max(last, until ?? -Infinity)
      for (const from of undoFrom.values()) last = Math.max(last, from + UNDO_TIME)
      return last
    },
  }
}
