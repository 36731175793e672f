/** Tracks the `updated_at` of websites across own updates that the service has acknowledged since the app started. */
export interface UpdatedAtTracker {
  /** Notes that an own update has moved the time of a website. */
  note(website: string, before: string | undefined, after: string | undefined): void
  /**
   * Returns the time of the website after the own updates that followed the record with the time `seenAt`. Returns `seenAt` if
   * there are none, or if another client has changed the website in between.
   */
  latest(website: string, seenAt: string | undefined): string | undefined
}

export function createUpdatedAtTracker(): UpdatedAtTracker {
  const moves = new Map<string, { before: readonly string[]; after: string }>()
  return {
    note(website, before, after) {
      if (before === undefined || after === undefined || before === after) return
      const last = moves.get(website)
      moves.set(website, { before: [...(last?.after === before ? last.before : []), before], after })
    },
    latest(website, seenAt) {
      const last = moves.get(website)
      return seenAt !== undefined && last?.before.includes(seenAt) ? last.after : seenAt
    },
  }
}
