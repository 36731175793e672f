import type { Clock } from './ports.ts'

/** Creates a scheduler that calls `run` once after a burst of committed writes, with their websites (null: any website). */
export function createAfterCommit(clock: Pick<Clock, 'soon'>, run: (websites: string[] | null) => void) {
  let pending: Set<string> | 'any' | null = null
  let cancel = () => {}

  function runPending(): void {
    const websites = pending === 'any' || pending === null ? null : [...pending]
    pending = null
    run(websites)
  }

  return {
    /** `websites`: those whose edits a write has added, changed or removed; null means any website. */
    schedule(websites: readonly string[] | null): void {
      if (pending === null) cancel = clock.soon(runPending)
      if (websites === null || pending === 'any') pending = 'any'
      else pending = websites.reduce((set, website) => set.add(website), pending ?? new Set<string>())
    },
    stop: () => cancel(),
  }
}
