import { ok } from '../../shared/result.ts'
import type { OutboxPorts, OutboxStore } from './ports.ts'
import type { Waits } from './waits.ts'
import { limitOf } from './website-limit.ts'

/** How far the delivery is, since nothing that can go waited the last time. */
export interface Progress {
  /** An edit has left the outbox. */
  done(): void
  /** How many have since the start. */
  sent(): number
  /** How many wait now. */
  heard(waiting: number): void
  /**
   * What the plan's limit holds isn't counted, as it would stand still. Null: nothing else waits.
   * `seconds`: what the rest takes once online, by the rate budget and the service's own pace; null: nobody can tell.
   */
  state(): { done: number; total: number; seconds: number | null } | null
}

/** Records on a page of the list. */
const PAGE = 100

export function createProgress(
  { store, connectivity, clock }: Pick<OutboxPorts, 'store' | 'connectivity' | 'clock'>,
  waits: Waits,
): Progress {
  let done = 0
  let sent = 0
  let waiting = 0

  /** What can go; null: nothing, or it can't be read. */
  function left(): Left | null {
    if (waiting === 0) return null
    const read = store.read(() => ok(leftOf(store, limitOf(store, waits) === 'website-limit')))
    return read.ok ? read.value : null
  }

  /** Null: what waits does so for the person, or the keychain; or it fails again and again. */
  function secondsFor(requests: number): number | null {
    const lastAt = waits.lastAt()
    const needed = waits.isStuck() ? null : connectivity.timeFor(requests)
    if (lastAt === null || needed === null) return null
    return Math.ceil(Math.max(needed, lastAt - clock.monotonic()) / 1000)
  }

  /** Where it can't be read all that waits is taken to go. */
  const going = (rest: Left | null): number => rest?.edits ?? waiting

  return {
    done() {
      done += 1
      sent += 1
    },
    sent: () => sent,
    heard(now) {
      waiting = now
      // What comes after its end is counted anew.
      if (done > 0 && going(left()) === 0) done = 0
    },
    state() {
      const rest = left()
      const total = going(rest)
      if (total === 0) return null
      return { done, total: done + total, seconds: rest === null ? null : secondsFor(rest.requests) }
    },
  }
}

interface Left {
  edits: number
  requests: number
}

/**
 * What can go, and the requests that it takes if nothing goes wrong: a write for each, and for what is there already the
 * read before it, of pages where that takes fewer (sync.md, "Merging").
 */
function leftOf(store: OutboxStore, areCreatesHeld: boolean): Left {
  const kinds = store.waitingKinds()
  const touched = kinds.update + kinds.delete
  const edits = touched + (areCreatesHeld ? 0 : kinds.create)
  return { edits, requests: edits + Math.min(touched, Math.ceil(store.total() / PAGE)) }
}
