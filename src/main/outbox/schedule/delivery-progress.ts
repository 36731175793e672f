import type { OutboxPorts } from '../ports.ts'
import { readOr } from '../read-or.ts'
import type { Holds } from './holds.ts'
import { limitHoldReason } from '../deliver/website-limit.ts'

/** Number of records on a page of the service's list. */
const RECORDS_PER_PAGE = 100

/** Number of edits that can be sent, and of those that need a read first. */
interface RemainingEdits {
  edits: number
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

  /** Counts the edits that can be sent. Null if no edit is pending but parked ones, or if the file cannot be read. */
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
   * Estimates the rest if nothing fails: one write for each edit, and the reads before them, by page if that takes fewer
   * (docs/sync.md#reading-before-a-write). Returns null while an edit waits for the keychain or has failed more than once, and
   * before the service has answered.
   */
  function secondsFor({ edits, touched }: RemainingEdits): number | null {
    const pages = readOr(store, null, () => Math.ceil(store.total() / RECORDS_PER_PAGE))
    const lastAt = holds.lastAt()
    if (pages === null || lastAt === null || holds.isStuck()) return null
    const needed = connectivity.timeFor(edits + Math.min(touched, pages))
    return needed === null ? null : Math.ceil(Math.max(needed, lastAt - clock.monotonic()) / 1000)
  }

  /** Returns the number of edits that can be sent; all pending ones if that cannot be read. */
  const sendableCount = (rest: RemainingEdits | null): number => rest?.edits ?? waiting

  return {
    /** Counts an edit that has left the outbox. */
    done() {
      done += 1
      sent += 1
    },
    /** Returns the number of edits that were delivered since the outbox was created. */
    sent: () => sent,
    /** Takes the current number of pending edits. */
    update(now: number) {
      waiting = now
      // Edits after the end of a delivery start a new count.
      if (done > 0 && sendableCount(left()) === 0) done = 0
    },
    /**
     * Returns the progress, or null if no edit can be sent. Edits held by the plan's limit are not counted. `seconds` estimates
     * the rest once online, from the rate budget and the service's speed; null if there is no estimate.
     */
    state() {
      const rest = left()
      const total = sendableCount(rest)
      return total === 0 ? null : { done, total: done + total, seconds: rest && secondsFor(rest) }
    },
  }
}
