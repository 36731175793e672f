const MINUTE = 60_000

/** Counts the requests of each user, in minutes that begin with a request. */
export class Rate {
  #minutes = new Map<string, { began: number; all: number; by: Map<string, number> }>()

  /** Counts a request. `used`: those of the user this minute. `alone`: those of this client. `frees`: the minute's end. */
  take(user: string, client: string, now: number): { used: number; alone: number; frees: number } {
    const current = this.#minutes.get(user)
    const minute =
      current !== undefined && now < current.began + MINUTE ? current : { began: now, all: 0, by: new Map() }
    this.#minutes.set(user, minute)
    const alone = (minute.by.get(client) ?? 0) + 1
    minute.all += 1
    minute.by.set(client, alone)
    return { used: minute.all, alone, frees: minute.began + MINUTE }
  }
}
