import { ok } from '../../../shared/result.ts'
import type { OutboxPorts } from '../ports.ts'
import type { Holds } from './holds.ts'
import { limitOf } from '../deliver/website-limit.ts'

/** Reports the progress of the delivery since the queue was last empty. */
export interface DeliveryProgress {
  /** Counts an edit that has left the outbox. */
  done(): void
  /** Returns the number of edits that were delivered since the start. */
  sent(): number
  /** Takes the current number of pending edits. */
  update(waiting: number): void
  /**
   * Returns the progress, or null if nothing is pending. Edits held by the plan's limit are not counted. `seconds` estimates the
   * rest once online, from the rate budget and the service's speed; null if there is no estimate.
   */
  state(): { done: number; total: number; seconds: number | null } | null
}

/** Number of records on a page of the list. */
const PAGE = 100

export function createDeliveryProgress(
  { store, connectivity, clock }: Pick<OutboxPorts, 'store' | 'connectivity' | 'clock'>,
  holds: Holds,
): DeliveryProgress {
  let done = 0
  let sent = 0
  let waiting = 0

  /** Returns the edits that can be sent, or null if there are none or they cannot be read. */
  function left(): Left | null {
    if (waiting === 0) return null
    const read = store.read(() => {
      const { create, ...existing } = store.waitingKinds()
      const touched = existing.update + existing.delete
      const mayCreate = create > 0 && limitOf(store, holds) !== 'website-limit'
      return ok({ edits: touched + (mayCreate ? create : 0), touched })
    })
    return read.ok ? read.value : null
  }

  /** Returns the number of pages of the list, or null if it cannot be read. */
  function pages(): number | null {
    const read = store.read(() => ok(Math.ceil(store.total() / PAGE)))
    return read.ok ? read.value : null
  }

  /** Returns the estimated seconds, or null while edits wait for the user or the keychain, or fail repeatedly. */
  function secondsFor(requests: number): number | null {
    const lastAt = holds.lastAt()
    const needed = holds.isStuck() ? null : connectivity.timeFor(requests)
    if (lastAt === null || needed === null) return null
    return Math.ceil(Math.max(needed, lastAt - clock.monotonic()) / 1000)
  }

  /**
   * Estimates the rest if nothing fails: one write for each edit, and the reads before them, by page if that takes fewer
   * (docs/sync.md#reading-before-a-write).
   */
  function secondsOf({ edits, touched }: Left): number | null {
    const list = pages()
    return list === null ? null : secondsFor(edits + Math.min(touched, list))
  }

  /** Returns the number of edits that can be sent; all pending ones if that cannot be read. */
  const sendableCount = (rest: Left | null): number => rest?.edits ?? waiting

  return {
    done() {
      done += 1
      sent += 1
    },
    sent: () => sent,
    update(now) {
      waiting = now
      // Edits after the end of a delivery start a new count.
      if (done > 0 && sendableCount(left()) === 0) done = 0
    },
    state() {
      const rest = left()
      const total = sendableCount(rest)
      if (total === 0) return null
      return { done, total: done + total, seconds: rest === null ? null : secondsOf(rest) }
    },
  }
}

/** Number of edits that can be sent, and of those that need a read first. */
interface Left {
  edits: number
  touched: number
}
