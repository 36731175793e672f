import { ok } from '../../shared/result.ts'
import type { OutboxPorts, OutboxStore } from './ports.ts'
import type { Waits } from './waits.ts'
import { limitOf } from './website-limit.ts'

/** How far the delivery is, since nothing waited the last time. */
export interface Progress {
  /** An edit has left the outbox. */
  done(): void
  /** How many wait now. */
  heard(waiting: number): void
  /** Null: nothing waits. `seconds`: what the rate budget needs for the rest, once online; null: nobody can tell. */
  state(): { done: number; total: number; seconds: number | null } | null
}

/** Records on a page of the list. */
const PAGE = 100

export function createProgress(
  { store, connectivity }: Pick<OutboxPorts, 'store' | 'connectivity'>,
  waits: Waits,
): Progress {
  let done = 0
  let waiting = 0

  /** Null: what waits does so for the person, or the keychain. */
  function seconds(): number | null {
    if (waits.isStuck()) return null
    const needed = store.read(() => ok(requestsFor(store, limitOf(store, waits) === 'website-limit')))
    if (!needed.ok || needed.value === 0) return null
    return Math.ceil(connectivity.timeFor(needed.value) / 1000)
  }

  return {
    done: () => void (done += 1),
    heard(now) {
      waiting = now
      if (now === 0) done = 0
    },
    state: () => (waiting === 0 ? null : { done, total: done + waiting, seconds: seconds() }),
  }
}

/**
 * The requests that all that waits will take, if nothing goes wrong: a write for each, and for what is there already the
 * read before it, of pages where that takes fewer (sync.md, "Merging").
 */
export function requestsFor(store: OutboxStore, areCreatesHeld: boolean): number {
  const kinds = store.waitingKinds()
  const touched = kinds.update + kinds.delete
  const reads = Math.min(touched, Math.ceil(store.total() / PAGE))
  return (areCreatesHeld ? 0 : kinds.create) + touched + reads
}
