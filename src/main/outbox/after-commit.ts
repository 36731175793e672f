import type { Clock } from './ports.ts'

/**
 * Creates a scheduler for the effects of writes. It calls `run` once for a burst of writes, after they are on disk and their
 * answers have left, with the websites of all of them, or with null if one of them may concern any website.
 */
export function createAfterCommit(clock: Pick<Clock, 'soon'>, run: (websites: string[] | null) => void) {
  let pending: Set<string> | 'any' | null = null
  let cancel = () => {}

  function runPending(): void {
    const websites = pending === 'any' || pending === null ? null : [...pending]
    pending = null
    run(websites)
  }

  return {
    /** Schedules the effects of a write that has added, changed or removed edits of these websites; null means any website. */
    schedule(websites: readonly string[] | null): void {
      if (pending === null) cancel = clock.soon(runPending)
      if (websites === null || pending === 'any') pending = 'any'
      else pending = websites.reduce((set, website) => set.add(website), pending ?? new Set<string>())
    },
    /** Cancels all pending effects. */
    stop: () => cancel(),
  }
}
