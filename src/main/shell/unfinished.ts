import type { Unfinished } from '../../shared/unfinished.ts'

/** What the page was in the middle of, in memory alone. It belongs to a connection, and goes with it. */
export interface UnfinishedWork {
  keep(unfinished: Unfinished): void
  /** Null: nothing of the connection that is active now. */
  get(): Unfinished | null
  /** Whether the page may be let go. */
  isHeld(): boolean
}

export function createUnfinished(connection: () => string | null): UnfinishedWork {
  let kept: { of: string | null; unfinished: Unfinished } | null = null
  return {
    keep: (unfinished) => void (kept = { of: connection(), unfinished }),
    get: () => (kept !== null && kept.of !== null && kept.of === connection() ? kept.unfinished : null),
    // Before the page has said anything nobody knows.
    isHeld: () => kept === null || kept.unfinished.held,
  }
}
