import type { WaitReason } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { backoffDelay, retryAfterOf } from '../backoff.ts'
import { MAX_STALENESS } from '../remote/staleness.ts'
import type { Edit } from '../model/edit.ts'
import type { Clock, Random } from '../ports.ts'

/** Milliseconds for which a delete waits for Undo (docs/sync.md#deletes). */
const DELETE_UNDO_TIME = 10_000

/** Milliseconds after a request was given up within which a read may still show the state before that request. */
const STALE_READ_TIME = 2_000

/** Number of failed reads in a row after which an edit in doubt is parked, if {@link MIN_FAILING_TIME} is over as well. */
const MIN_FAILED_READS = 10
/** Milliseconds from the first of these failed reads until it can be parked. */
const MIN_FAILING_TIME = 30 * 60_000

/** The reason why one edit cannot be sent yet. `until` is by the monotonic clock; null means until `lift` or `release`. */
interface Hold {
  reason: Extract<WaitReason, 'backoff' | 'keychain' | 'rate' | 'undo'>
  error: AppError | null
  until: number | null
}

export type Holds = ReturnType<typeof createHolds>

/**
 * Keeps the holds of single edits, in memory only: a restart tries every edit again, and gives a delete another ten seconds,
 * because the user may have quit in order to undo it.
 */
export function createHolds(clock: Clock, random: Random) {
  const startedAt = clock.monotonic()
  const holds = new Map<string, Hold>()
  /** The number of failed tries of each edit, until the edit is forgotten. */
  const failures = new Map<string, number>()
  /** The failed reads of each edit in doubt, and the time of the first of them. */
  const reads = new Map<string, { failed: number; since: number }>()
  const inDoubtSince = new Map<string, number>()
  /**
   * The time from which a delete waits for Undo; -Infinity if the user has ended the wait. A delete without an entry here waits
   * from the start of the app.
   */
  const undoFrom = new Map<string, number>()
  let limited = false

  /** Returns until when an edit waits for Undo, by the monotonic clock. -Infinity unless it is a delete that was never sent. */
  function undoUntil({ id, kind, attempts }: Pick<Edit, 'id' | 'kind' | 'attempts'>): number {
    if (kind !== 'delete' || attempts > 0) return -Infinity
    return (undoFrom.get(id) ?? startedAt) + DELETE_UNDO_TIME
  }

  return {
    /** Returns the present hold of an edit, or null. */
    of(edit: Pick<Edit, 'id' | 'kind' | 'attempts'>): Hold | null {
      const now = clock.monotonic()
      const until = undoUntil(edit)
      if (until > now) return { reason: 'undo', error: null, until }
      const wait = holds.get(edit.id)
      return wait !== undefined && (wait.until === null || wait.until > now) ? wait : null
    },
    /** Holds an edit without a known end, until {@link Holds.lift} or {@link Holds.release}. */
    hold: (id: string, reason: Hold['reason'], error: AppError) => void holds.set(id, { reason, error, until: null }),
    /** Delays an edit after a failure, longer each time, or as long as the service has asked. */
    backOff(id: string, error: AppError) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      const hasRetryAfter = (error.retryAfter ?? 0) > 0
      const until = clock.monotonic() + (hasRetryAfter ? retryAfterOf(error) : backoffDelay(count, random))
      holds.set(id, { reason: hasRetryAfter ? 'rate' : 'backoff', error, until })
    },
    /**
     * Notes that the read of an edit in doubt has failed. Returns true if ten reads of it in a row have failed over at least 30
     * minutes.
     */
    noteFailedRead(id: string): boolean {
      const now = clock.monotonic()
      const { failed, since } = reads.get(id) ?? { failed: 0, since: now }
      reads.set(id, { failed: failed + 1, since })
      return failed + 1 >= MIN_FAILED_READS && now - since >= MIN_FAILING_TIME
    },
    /** Notes that the service has answered about an edit: its failed reads before that no longer count. */
    endFailedReads: (id: string) => void reads.delete(id),
    /**
     * Notes that an edit has just come into doubt: the answer to its request was lost or empty, or its outcome could not be stored.
     */
    noteInDoubt: (id: string) => void inDoubtSince.set(id, clock.monotonic()),
    /**
     * Returns the time from which a read may prove that an edit in doubt was not applied, by the monotonic clock
     * (docs/sync.md#stale-reads).
     */
    provableFrom: (id: string) => (inDoubtSince.get(id) ?? startedAt) + STALE_READ_TIME,
    /**
     * Returns the time from which a read may prove that the service kept another value than it accepted, by the monotonic clock.
     */
    mismatchProvableFrom: (id: string) => (inDoubtSince.get(id) ?? startedAt) + MAX_STALENESS,
    /** Holds an edit until a time by the monotonic clock. This does not count as a failure. */
    holdUntil: (id: string, reason: Hold['reason'], error: AppError | null, until: number) =>
      void holds.set(id, { reason, error, until }),
    /** Returns the milliseconds for which a read may still show the state before the request; zero or less if it cannot. */
    mayBeStaleFor: (id: string) => (inDoubtSince.get(id) ?? -Infinity) + MAX_STALENESS + 1 - clock.monotonic(),
    /** Notes that a delete was queued just now. */
    startUndoTime: (id: string) => void undoFrom.set(id, clock.monotonic()),
    /** Ends the hold of an edit at once, and its time for Undo. */
    release(id: string) {
      holds.delete(id)
      undoFrom.set(id, -Infinity)
    },
    /** Ends the holds of all edits that have no known end. */
    lift() {
      for (const [id, wait] of holds) if (wait.until === null) holds.delete(id)
    },
    /** Ends the hold of an edit, and forgets its failures and its times. */
    forget(id: string) {
      holds.delete(id)
      failures.delete(id)
      reads.delete(id)
      inDoubtSince.delete(id)
      undoFrom.delete(id)
    },
    /** Notes that the service has rejected a create because of the plan's limit: creates wait as long as deletes are pending. */
    limit: () => void (limited = true),
    /** Notes that a website was deleted on the service: creates no longer wait. */
    unlimit: () => void (limited = false),
    /** True if creates wait as long as deletes are pending. */
    isLimited: () => limited,
    /** True if an edit is held without a known end. */
    isStuck: () => [...holds.values()].some(({ until }) => until === null),
    /**
     * Returns the time when the last held edit may go, by the monotonic clock; null if one has failed repeatedly, -Infinity if
     * none is held until a time.
     */
    lastAt(): number | null {
      if ([...holds.keys()].some((id) => (failures.get(id) ?? 0) > 1)) return null
      let last = -Infinity
      for (const { until } of holds.values()) last = Math.max(last, until ?? -Infinity)
      for (const from of undoFrom.values()) last = Math.max(last, from + DELETE_UNDO_TIME)
      return last
    },
  }
}
