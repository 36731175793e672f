import { ok, type Result } from '../../shared/result.ts'
import { backoff } from './backoff.ts'
import { isSent, type Edit } from './edit.ts'
import type { OutboxPorts } from './ports.ts'
import { lookForStrays } from './stray-look.ts'

/** Running time after which a request that was given up is looked for (sync.md, the row "zombie"). */
const WAIT = 10 * 60_000
/** While an edit of the website is under way nothing can be told apart. */
const BUSY = 60_000

/** When to look for requests that may have landed late: in memory alone, for a restart begins anew. */
export interface StrayWatch {
  start(): void
  /** A step was taken with an edit of this website: a request may have been given up. */
  noticed(website: string): void
  /** The website that is due; else when the next one is, by the monotonic clock; null: there is none. */
  due(): { website: string } | { until: number | null }
  /** One read at most. Errors: `disk-full`, `storage`. */
  look(website: string): Promise<Result<void>>
}

export function createStrayWatch(ports: OutboxPorts): StrayWatch {
  const { store, clock, random } = ports
  const watched = new Map<string, { latest: number; at: number; failures: number }>()

  function again(website: string, ms: number, failures: number): void {
    const watch = watched.get(website)
    if (watch !== undefined) watched.set(website, { ...watch, at: clock.monotonic() + ms, failures })
  }

  function failed(website: string): void {
    const failures = (watched.get(website)?.failures ?? 0) + 1
    // Where the whole connection is held, it's looked for as soon as that is over.
    again(website, ports.connectivity.gate().open ? backoff(failures, random) : 0, failures)
  }

  return {
    start() {
      watched.clear()
      const found = store.read(() => ok(store.strayWebsites()))
      const at = clock.monotonic() + WAIT
      if (found.ok) for (const { website, latest } of found.value) watched.set(website, { latest, at, failures: 0 })
    },
    noticed(website) {
      const found = store.read(() => ok(store.straysOf(website).at(-1)?.n))
      if (!found.ok) return
      const latest = found.value
      if (latest === undefined) watched.delete(website)
      else if (latest !== watched.get(website)?.latest) {
        watched.set(website, { latest, at: clock.monotonic() + WAIT, failures: 0 })
      }
    },
    due() {
      let until = Infinity
      for (const [website, { at }] of watched) {
        if (at <= clock.monotonic()) return { website }
        until = Math.min(until, at)
      }
      return { until: until === Infinity ? null : until }
    },
    async look(website) {
      const busy = store.read(() => ok(store.editsOf(website).some(isUnderWay)))
      if (!busy.ok) return busy
      if (busy.value) {
        again(website, BUSY, 0)
        return ok(undefined)
      }
      const looked = await lookForStrays(ports, website)
      if (!looked.ok) return looked
      if (looked.value === null) watched.delete(website)
      else failed(website)
      return ok(undefined)
    },
  }
}

/** A create that waits finds out by itself what came of the one before it. */
const isUnderWay = (edit: Edit): boolean => isSent(edit) || (edit.kind === 'create' && edit.standing.state === 'queued')
