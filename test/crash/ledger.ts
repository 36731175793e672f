import type { HostRecord } from './host/records.ts'
import type { Line, Wish } from './protocol.ts'

/** What the person knows of a wish: it was taken, refused, or the process was gone before it could say. */
type Told = 'taken' | 'refused' | 'unknown'

export interface Entry {
  wish: Wish
  told: Told
  /** Why it was refused. */
  code: string
}

/** All that was wished of one connection and what was promised of it, in order, over all lives of its process. */
export interface Ledger {
  entries(): readonly Entry[]
  of(domain: string): Entry[]
  /** Takes what a process was given to do and what it said, until this time (nanoseconds of CLOCK_MONOTONIC). */
  take(wishes: readonly Wish[], lines: readonly Line[], until?: bigint): void
  /** As it stands now, to go on from there more than once. */
  copy(): Ledger
}

export function ledger(entries: Entry[] = []): Ledger {
  return {
    entries: () => entries,
    of: (domain) => entries.filter(({ wish }) => wish.domain === domain),
    take(wishes, lines, until) {
      const heard = lines.filter(({ at }) => until === undefined || BigInt(at) <= until)
      const told = new Map<number, Told>()
      const codes = new Map<number, string>()
      for (const line of heard) {
        if (line.says === 'try') told.set(line.n, 'unknown')
        if (line.says === 'ok') told.set(line.n, 'taken')
        if (line.says !== 'no') continue
        told.set(line.n, 'refused')
        codes.set(line.n, line.code)
      }
      for (const wish of wishes) {
        const how = told.get(wish.n)
        if (how !== undefined) entries.push({ wish, told: how, code: codes.get(wish.n) ?? '' })
      }
    },
    copy: () => ledger([...entries]),
  }
}

/** Whether the person may go on with a website: nothing that was said of it is unclear, and it isn't deleted. */
export function isUsable(seeds: readonly HostRecord[], ledger: Ledger, domain: string): boolean {
  const entries = ledger.of(domain)
  const exists =
    seeds.some((record) => record.domain === domain) ||
    entries.some(({ wish, told }) => wish.what === 'create' && told === 'taken')
  return exists && !entries.some(({ wish, told }) => wish.what === 'delete' && told !== 'refused')
}
