import type { WaitReason } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { backoffDelay, retryAfterOf } from '../backoff.ts'
import { MAX_STALENESS } from '../remote/staleness.ts'
import type { Edit } from '../model/edit.ts'
import type { Clock, Random } from '../ports.ts'

/** Milliseconds that a delete waits for Undo (docs/sync.md#deletes). */
const DELETE_UNDO_TIME = 10_000

/** Milliseconds after a request was given up in which a read may still show the state before that request. */
const STALE_READ_TIME = 2_000

/** Number of failed reads in a row after which an edit in doubt is parked, if {@link MIN_FAILING_TIME} has passed too. */
const MIN_FAILED_READS = 10
/** Milliseconds since the first of these failed reads. */
const MIN_FAILING_TIME = 30 * 60_000

/** Why one edit cannot be sent yet. */
interface Hold {
  reason: Extract<WaitReason, 'backoff' | 'keychain' | 'rate' | 'undo'>
  error: AppError | null
  /** By the monotonic clock. Null: until `lift` or `release`. */
  until: number | null
}

export type Holds = ReturnType<typeof createHolds>

/**
 * Says which edits have to wait, and why. Holds are in memory only: a restart tries every edit again, and gives deletes another ten
 * seconds, because the user may have quit in order to undo them.
 */
export function createHolds(clock: Clock, random: Random) {
  const startedAt = clock.monotonic()
  const holds = new Map<string, Hold>()
  /** The number of failed tries, by edit id. */
  const failures = new Map<string, number>()
  /** The number of failed reads, and the time of the first of them, by the id of an edit in doubt. */
  const reads = new Map<string, { failed: number; since: number }>()
  const inDoubtSince = new Map<string, number>()
  /** When a delete's wait for Undo began (-Infinity: ended by the user). Without an entry, at the start of the app. */
  const undoFrom = new Map<string, number>()
  let limited = false

  /** Returns the end of the time for Undo, by the monotonic clock. -Infinity unless the edit is a delete that was never sent. */
  function undoUntil({ id, kind, attempts }: Pick<Edit, 'id' | 'kind' | 'attempts'>): number {
    if (kind !== 'delete' || attempts > 0) return -Infinity
    return (undoFrom.get(id) ?? startedAt) + DELETE_UNDO_TIME
  }

  return {
    of(edit: Pick<Edit, 'id' | 'kind' | 'attempts'>): Hold | null {
      const now = clock.monotonic()
      const until = undoUntil(edit)
      if (until > now) return { reason: 'undo', error: null, until }
      const wait = holds.get(edit.id)
      return wait !== undefined && (wait.until === null || wait.until > now) ? wait : null
    },
    /** Holds an edit until {@link Holds.lift} or {@link Holds.release}. */
    hold: (id: string, reason: Hold['reason'], error: AppError) => void holds.set(id, { reason, error, until: null }),
    /** Delays an edit after a failure, longer each time, or as long as the service has asked. */
    backOff(id: string, error: AppError) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      const hasRetryAfter = (error.retryAfter ?? 0) > 0
      const until = clock.monotonic() + (hasRetryAfter ? retryAfterOf(error) : backoffDelay(count, random))
      holds.set(id, { reason: hasRetryAfter ? 'rate' : 'backoff', error, until })
    },
    /** Notes a failed read of an edit in doubt. Returns true after ten failures in a row over at least 30 minutes. */
    noteFailedRead(id: string): boolean {
      const now = clock.monotonic()
      const { failed, since } = reads.get(id) ?? { failed: 0, since: now }
      reads.set(id, { failed: failed + 1, since })
      return failed + 1 >= MIN_FAILED_READS && now - since >= MIN_FAILING_TIME
    },
    /** Call it when the service has responded about an edit: failed reads before that no longer count. */
    endFailedReads: (id: string) => void reads.delete(id),
    /** Call it when an edit has just come into doubt: the response was lost or empty, or its outcome could not be stored. */
    noteInDoubt: (id: string) => void inDoubtSince.set(id, clock.monotonic()),
    /** Earliest time, by the monotonic clock, of a read that can prove a request not applied (docs/sync.md#stale-reads). */
    provableFrom: (id: string) => (inDoubtSince.get(id) ?? startedAt) + STALE_READ_TIME,
    /** Earliest time, by the monotonic clock, of a read that can prove that the service kept another value than it accepted. */
    mismatchProvableFrom: (id: string) => (inDoubtSince.get(id) ?? startedAt) + MAX_STALENESS,
    /** Holds an edit until a time of the monotonic clock. Does not count as a failure. */
    holdUntil: (id: string, reason: Hold['reason'], error: AppError | null, until: number) =>
      void holds.set(id, { reason, error, until }),
    /** Returns the milliseconds for which a read may still show the state before the request; zero or less if it cannot. */
    mayBeStaleFor: (id: string) => (inDoubtSince.get(id) ?? -Infinity) + MAX_STALENESS + 1 - clock.monotonic(),
    startUndoTime: (id: string) => void undoFrom.set(id, clock.monotonic()),
    /** Ends the hold of an edit, and its wait for Undo. */
    release(id: string) {
      holds.delete(id)
      undoFrom.set(id, -Infinity)
    },
    /** Ends all holds without a known end. */
    lift() {
      for (const [id, wait] of holds) if (wait.until === null) holds.delete(id)
    },
    /** Ends the hold of an edit, and forgets its failures and times. */
    forget(id: string) {
      holds.delete(id)
      failures.delete(id)
      reads.delete(id)
      inDoubtSince.delete(id)
      undoFrom.delete(id)
    },
    /** Call it when the service has rejected a create because of the website limit: creates then wait for pending deletes. */
    limit: () => void (limited = true),
    /** Call it when a website was deleted on the service, which makes room for a create. */
    unlimit: () => void (limited = false),
    isLimited: () => limited,
    /** True if any edit is held without a known end. */
    isStuck: () => [...holds.values()].some(({ until }) => until === null),
    /**
     * When the last held edit may go, by the monotonic clock. Null if one has failed repeatedly. -Infinity if no hold has a known
     * end.
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
