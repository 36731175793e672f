import { ok, type Result } from '../../../shared/result.ts'
import { backoffDelay } from '../backoff.ts'
import type { OutboxPorts } from '../ports.ts'
import { readOr } from '../read-or.ts'
import { hasEditDelayingLook, lookForLateWrites } from './look-for-late-writes.ts'

/** The running time in milliseconds after which a request that was given up is looked for (docs/sync.md#late-writes). */
const LOOK_AFTER = 10 * 60_000

/** Schedules the looks for late writes, in memory only: a restart starts their time again. */
export function createLateWriteWatch(ports: OutboxPorts) {
  const { store, clock, random } = ports
  /** The number of the latest late write, the time of the next look, and the failed looks in a row, by the key of the website. */
  const watched = new Map<string, { latest: number; at: number; failures: number }>()

  /** True if the look has to wait ({@link hasEditDelayingLook}), or if the disk cannot be read to tell. */
  const isBusy = (website: string): boolean => readOr(store, true, () => hasEditDelayingLook(store, website))

  /** Schedules the next look for a website after a failed read. */
  function failed(website: string): void {
    const watch = watched.get(website)
    if (watch === undefined) return
    const failures = watch.failures + 1
    // If the whole connection is held, look as soon as that hold ends.
    const wait = ports.connectivity.gate().open ? backoffDelay(failures, random) : 0
    watched.set(website, { ...watch, at: clock.monotonic() + wait, failures })
  }

  /**
   * Updates the watch after a step with this website. If the website has a newer late write, the wait for the look begins again;
   * if it has none, the watch ends.
   */
  function noteStep(website: string): void {
    const found = store.read(() => ok(store.lateWritesOf(website).at(-1)?.n))
    if (!found.ok) return
    const latest = found.value
    if (latest === undefined) watched.delete(website)
    else if (latest !== watched.get(website)?.latest) {
      watched.set(website, { latest, at: clock.monotonic() + LOOK_AFTER, failures: 0 })
    }
  }

  return {
    start() {
      watched.clear()
      const at = clock.monotonic() + LOOK_AFTER
      const found = readOr(store, [], () => store.lateWriteWebsites())
      for (const { website, latest } of found) watched.set(website, { latest, at, failures: 0 })
    },
    noteStep,
    /**
     * Returns a website whose look is due. If there is none, returns the time of the next look by the monotonic clock, or null if
     * no look is scheduled.
     */
    due(): { website: string } | { until: number | null } {
      let until = Infinity
      for (const [website, { at }] of watched) {
        if (at > clock.monotonic()) until = Math.min(until, at)
        // A busy website is checked again after the last step with its edits.
        else if (!isBusy(website)) return { website }
      }
      return { until: until === Infinity ? null : until }
    },
    /**
     * Looks once for the late writes of a website. If a read fails, the look is repeated later. Errors: `disk-full`, `storage`.
     */
    async look(website: string): Promise<Result<void>> {
      const looked = await lookForLateWrites(ports, website)
      if (!looked.ok) return looked
      if (looked.value === null) noteStep(website)
      else failed(website)
      return ok(undefined)
    },
  }
}
