import { ok, type Result } from '../../../shared/result.ts'
import { backoffDelay } from '../backoff.ts'
import type { OutboxPorts } from '../ports.ts'
import { readOr } from '../read-or.ts'
import { hasEditDelayingLook, lookForLateWrites } from './look-for-late-writes.ts'

/** Running time after which a given-up request is looked for (docs/sync.md#late-writes). */
const LOOK_AFTER_MS = 10 * 60_000

/** Schedules the looks for late writes, in memory only: a restart begins their wait again. */
export function createLateWriteWatch(ports: OutboxPorts) {
  const { store, clock, random } = ports
  /** By website: the number of its latest late write, the time of the next look, and the failed looks in a row. */
  const watched = new Map<string, { latest: number; at: number; failures: number }>()

  /** True if an edit delays the look for late writes, or if the disk cannot be read. */
  const isBusy = (website: string): boolean => readOr(store, true, () => hasEditDelayingLook(store, website))

  function failed(website: string): void {
    const watch = watched.get(website)
    if (watch === undefined) return
    const failures = watch.failures + 1
    // If the gate is closed, look as soon as it opens.
    const wait = ports.connectivity.gate().open ? backoffDelay(failures, random) : 0
    watched.set(website, { ...watch, at: clock.monotonic() + wait, failures })
  }

  /** Call it after each step with a website: a newer late write restarts the wait, and without late writes the watch ends. */
  function noteStep(website: string): void {
    const found = store.read(() => ok(store.lateWritesOf(website).at(-1)?.n))
    if (!found.ok) return
    const latest = found.value
    if (latest === undefined) watched.delete(website)
    else if (latest !== watched.get(website)?.latest) {
      watched.set(website, { latest, at: clock.monotonic() + LOOK_AFTER_MS, failures: 0 })
    }
  }

  return {
    start() {
      watched.clear()
      const at = clock.monotonic() + LOOK_AFTER_MS
      const found = readOr(store, [], () => store.lateWriteWebsites())
      for (const { website, latest } of found) watched.set(website, { latest, at, failures: 0 })
    },
    noteStep,
    /** Returns a website whose look is due, or else the time of the next look by the monotonic clock (null if there is none). */
    due(): { website: string } | { until: number | null } {
      let until = Infinity
      for (const [website, { at }] of watched) {
        if (at > clock.monotonic()) until = Math.min(until, at)
        // A busy website is checked again after the last step with its edits.
        else if (!isBusy(website)) return { website }
      }
      return { until: until === Infinity ? null : until }
    },
    /** If a read fails, the look is repeated later. Errors: `disk-full`, `storage`. */
    async look(website: string): Promise<Result<void>> {
      const looked = await lookForLateWrites(ports, website)
      if (!looked.ok) return looked
      if (looked.value === null) noteStep(website)
      else failed(website)
      return ok(undefined)
    },
  }
}
