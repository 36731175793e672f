import type { WaitReason } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { backoff, retryAfterOf } from '../backoff.ts'
import { MAX_STALENESS } from '../remote/staleness.ts'
import type { Edit } from '../model/edit.ts'
import type { Clock, Random } from '../ports.ts'

/** How long a delete waits for Undo: 10 s (docs/sync.md#deletes). */
const UNDO_TIME = 10_000

/** A read that leaves sooner than this after a request was given up may show the state before that request. Milliseconds. */
const STALE_READS = 2_000

/** Reads in a row, and running time, after which nobody can find out what became of an edit. */
const READS = 10
const READS_TIME = 30 * 60_000

/** What an edit waits for by itself. `until` is by the monotonic clock; null: until {@link Holds.lift}. */
interface Hold {
  reason: Extract<WaitReason, 'backoff' | 'keychain' | 'rate' | 'undo'>
  error: AppError | null
  until: number | null
}

/**
 * The holds of single edits. They live in memory alone: a restart tries everything anew, and gives a delete its ten
 * seconds again, because the user may have quit to take it back.
 */
export interface Holds {
  of(edit: Pick<Edit, 'id' | 'kind' | 'attempts'>): Hold | null
  /** Held until something outside changes. */
  hold(id: string, reason: Hold['reason'], error: AppError): void
  /** Failed again: waits longer than the last time, or as long as it was told. */
  backOff(id: string, error: AppError): void
  /** The read that would settle it has failed, again maybe; whether they have for long. */
  noteFailedRead(id: string): boolean
  /** The request of an edit was given up just now. */
  noteInDoubt(id: string): void
  /** From when on a read may prove that an edit in doubt was not applied, by the monotonic clock (docs/sync.md#stale-reads). */
  provableFrom(id: string): number
  /** From when on a read may prove that the service kept another value than it accepted, by the monotonic clock. */
  mismatchProvableFrom(id: string): number
  /** Holds an edit until a time by the monotonic clock. This does not count as a failure. */
  holdUntil(id: string, reason: Hold['reason'], error: AppError | null, until: number): void
  /** For how long a read may still be from before that request, in milliseconds; nothing or less: it can't be. */
  mayBeStaleFor(id: string): number
  /** A delete was queued just now. */
  armUndo(id: string): void
  /** Lets it go at once, Undo included. */
  release(id: string): void
  /** Something outside has changed: what was held for it may try again. */
  lift(): void
  forget(id: string): void
  /** The plan's limit was met while deletes waited: creates wait for all of them. */
  limit(): void
  /** A website has gone from the service. */
  unlimit(): void
  isLimited(): boolean
  /** Whether something is held for nobody knows how long. */
  isStuck(): boolean
  /** When the last of the others may go by itself, by the monotonic clock; null: one has failed again and again. */
  lastAt(): number | null
}

export function createHolds(clock: Clock, random: Random): Holds {
  const startedAt = clock.monotonic()
  const holds = new Map<string, Hold>()
  const failures = new Map<string, number>()
  const reads = new Map<string, { failed: number; since: number }>()
  const doubts = new Map<string, number>()
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
      const told = error.retryAfter !== undefined
      const until = clock.monotonic() + (told ? retryAfterOf(error) : backoff(count, random))
      holds.set(id, { reason: told ? 'rate' : 'backoff', error, until })
    },
    noteFailedRead(id) {
      const now = clock.monotonic()
      const { failed, since } = reads.get(id) ?? { failed: 0, since: now }
      reads.set(id, { failed: failed + 1, since })
      return failed + 1 >= READS && now - since >= READS_TIME
    },
    noteInDoubt: (id) => void doubts.set(id, clock.monotonic()),
    provableFrom: (id) => (doubts.get(id) ?? startedAt) + STALE_READS,
    mismatchProvableFrom: (id) => (doubts.get(id) ?? startedAt) + MAX_STALENESS,
    holdUntil: (id, reason, error, until) => void holds.set(id, { reason, error, until }),
    mayBeStaleFor: (id) => (doubts.get(id) ?? -Infinity) + MAX_STALENESS + 1 - clock.monotonic(),
    armUndo: (id) => void undoFrom.set(id, clock.monotonic()),
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
      doubts.delete(id)
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
