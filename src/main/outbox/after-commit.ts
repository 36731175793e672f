import type { Clock } from './ports.ts'

/** What a write brings about besides being on disk; nobody who asked for one waits for it. */
export interface AfterCommit {
  /** Edits of these websites came or went, or of any (null). */
  of(websites: readonly string[] | null): void
  /** Nothing more is brought about. */
  stop(): void
}

/** It's brought about once the answer has left; what came of a burst of writes together. */
export function createAfterCommit(clock: Pick<Clock, 'soon'>, bring: (websites: string[] | null) => void): AfterCommit {
  let due: Set<string> | 'any' | null = null
  let cancel = () => {}

  function take(): void {
    const websites = due === 'any' || due === null ? null : [...due]
    due = null
    bring(websites)
  }

  return {
    of(websites) {
      if (due === null) cancel = clock.soon(take)
      if (websites === null || due === 'any') due = 'any'
      else due = websites.reduce((set, website) => set.add(website), due ?? new Set<string>())
    },
    stop: () => cancel(),
  }
}
