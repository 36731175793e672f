import type { Clock } from './ports.ts'

/** What a write brings about besides being on disk; nobody who asked for one waits for it. */
export interface AfterCommit {
  /** Edits of these websites came or went, or of any (null). */
  of(websites: readonly string[] | null): void
  /** Nothing more is brought about. */
  stop(): void
}

/** It's brought about once the answer has left; what came of a burst of writes together. */
export function createAfterCommit(clock: Pick<Clock, 'soon'>, run: (websites: string[] | null) => void): AfterCommit {
  let pending: Set<string> | 'any' | null = null
  let cancel = () => {}

  function take(): void {
    const websites = pending === 'any' || pending === null ? null : [...pending]
    pending = null
    run(websites)
  }

  return {
    of(websites) {
      if (pending === null) cancel = clock.soon(take)
      if (websites === null || pending === 'any') pending = 'any'
      else pending = websites.reduce((set, website) => set.add(website), pending ?? new Set<string>())
    },
    stop: () => cancel(),
  }
}
