/** Follows the `updated_at` of websites through our own updates that the service has acknowledged since the app started. */
export interface UpdatedAtTracker {
  /** Records that our update has moved the `updated_at` of a website. */
  note(website: string, before: string | undefined, after: string | undefined): void
  /** Returns the `updated_at` after our own updates since `seenAt`, or `seenAt` if another client has changed the website. */
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
