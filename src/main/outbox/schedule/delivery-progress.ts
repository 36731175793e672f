import type { OutboxPorts } from '../ports.ts'
import { readOr } from '../read-or.ts'
import type { Holds } from './holds.ts'
import { limitHoldReason } from '../deliver/website-limit.ts'

const RECORDS_PER_PAGE = 100

interface RemainingEdits {
  /** Edits that can be sent. */
  edits: number
  /** The number of edits that need a read first. */
  touched: number
}

/** Reports the progress of the delivery since the last time when no edit could be sent. */
export function createDeliveryProgress(
  { store, connectivity, clock }: Pick<OutboxPorts, 'store' | 'connectivity' | 'clock'>,
  holds: Holds,
) {
  let done = 0
  let sent = 0
  let waiting = 0

  /** Returns null if no edit is pending but parked ones, or if the file cannot be read. */
  function left(): RemainingEdits | null {
    if (waiting === 0) return null
    return readOr(store, null, () => {
      const { create, ...existing } = store.waitingKinds()
      const touched = existing.update + existing.delete
      const mayCreate = create > 0 && limitHoldReason(store, holds) !== 'website-limit'
      return { edits: touched + (mayCreate ? create : 0), touched }
    })
  }

  /**
   * Estimates the time if nothing fails: one write per edit, and the reads before them (docs/sync.md#reading-before-a-write).
   * Null while an edit waits for the keychain or has failed more than once, and before the first response.
   */
  function secondsFor({ edits, touched }: RemainingEdits): number | null {
    const pages = readOr(store, null, () => Math.ceil(store.total() / RECORDS_PER_PAGE))
    const lastAt = holds.lastAt()
    if (pages === null || lastAt === null || holds.isStuck()) return null
    const needed = connectivity.timeFor(edits + Math.min(touched, pages))
    return needed === null ? null : Math.ceil(Math.max(needed, lastAt - clock.monotonic()) / 1000)
  }

  /** Counts all pending edits if the sendable ones cannot be read. */
  const sendableCount = (rest: RemainingEdits | null): number => rest?.edits ?? waiting

  return {
    /** Call it when an edit has left the outbox. */
    done() {
      done += 1
      sent += 1
    },
    sent: () => sent,
    /** `now`: the current number of pending edits. */
    update(now: number) {
      waiting = now
      // Edits after the end of a delivery start a new count.
      if (done > 0 && sendableCount(left()) === 0) done = 0
    },
    /**
     * Returns the progress, or null if no edit can be sent. Edits held by the website limit do not count. `seconds`: estimate
     * while online.
     */
    state() {
      const rest = left()
      const total = sendableCount(rest)
      return total === 0 ? null : { done, total: done + total, seconds: rest && secondsFor(rest) }
    },
  }
}
