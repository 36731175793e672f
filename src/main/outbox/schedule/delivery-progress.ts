import { ok } from '../../../shared/result.ts'
import type { OutboxPorts } from '../ports.ts'
import type { Holds } from './holds.ts'
import { limitOf } from '../deliver/website-limit.ts'

/** How far the delivery is, since nothing that can go waited the last time. */
export interface DeliveryProgress {
  /** An edit has left the outbox. */
  done(): void
  /** How many have since the start. */
  sent(): number
  /** How many wait now. */
  update(waiting: number): void
  /**
   * What the plan's limit holds isn't counted, as it would stand still. Null: nothing else waits.
   * `seconds`: what the rest takes once online, by the rate budget and the service's own pace; null: nobody can tell.
   */
  state(): { done: number; total: number; seconds: number | null } | null
}

/** Records on a page of the list. */
const PAGE = 100

export function createDeliveryProgress(
  { store, connectivity, clock }: Pick<OutboxPorts, 'store' | 'connectivity' | 'clock'>,
  holds: Holds,
): DeliveryProgress {
  let done = 0
  let sent = 0
  let waiting = 0

  /** What can go; null: nothing, or it can't be read. */
  function left(): Left | null {
    if (waiting === 0) return null
    const read = store.read(() => {
      const { create, ...there } = store.waitingKinds()
      const touched = there.update + there.delete
      const mayCreate = create > 0 && limitOf(store, holds) !== 'website-limit'
      return ok({ edits: touched + (mayCreate ? create : 0), touched })
    })
    return read.ok ? read.value : null
  }

  /** Null: it can't be read. */
  function pages(): number | null {
    const read = store.read(() => ok(Math.ceil(store.total() / PAGE)))
    return read.ok ? read.value : null
  }

  /** Null: what waits does so for the user, or the keychain; or it fails again and again. */
  function secondsFor(requests: number): number | null {
    const lastAt = holds.lastAt()
    const needed = holds.isStuck() ? null : connectivity.timeFor(requests)
    if (lastAt === null || needed === null) return null
    return Math.ceil(Math.max(needed, lastAt - clock.monotonic()) / 1000)
  }

  /**
   * What the rest takes if nothing goes wrong: a write for each, and for what is there already the read before it, of pages
   * where that takes fewer (docs/sync.md#reading-before-a-write).
   */
  function secondsOf({ edits, touched }: Left): number | null {
    const list = pages()
    return list === null ? null : secondsFor(edits + Math.min(touched, list))
  }

  /** Where it can't be read all that waits is taken to go. */
  const going = (rest: Left | null): number => rest?.edits ?? waiting

  return {
    done() {
      done += 1
      sent += 1
    },
    sent: () => sent,
    update(now) {
      waiting = now
      // What comes after its end is counted anew.
      if (done > 0 && going(left()) === 0) done = 0
    },
    state() {
      const rest = left()
      const total = going(rest)
      if (total === 0) return null
      return { done, total: done + total, seconds: rest === null ? null : secondsOf(rest) }
    },
  }
}

/** Edits that can go, and those of them of what is there already. */
interface Left {
  edits: number
  touched: number
}
