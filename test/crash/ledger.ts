import type { HostRecord } from './host/records.ts'
import type { Line, Wish } from './protocol.ts'

/** The answer to an edit as the user knows it: acknowledged, refused, or unknown because the process ended first. */
type Told = 'taken' | 'refused' | 'unknown'

export interface Entry {
  wish: Wish
  told: Told
  /** Why the edit was refused. */
  code: string
}

/** The edits that were requested of one account and their answers, in order, over all its processes. */
export interface Ledger {
  entries(): readonly Entry[]
  of(domain: string): Entry[]
  /** Records the orders of a process and its messages up to a time (nanoseconds of CLOCK_MONOTONIC). */
  take(wishes: readonly Wish[], lines: readonly Line[], until?: bigint): void
  /** Returns a copy, from which several runs can continue. */
  copy(): Ledger
}

/** `account`: position of the account in the orders. */
export function ledger(account = 0, entries: Entry[] = []): Ledger {
  return {
    entries: () => entries,
    of: (domain) => entries.filter(({ wish }) => wish.domain === domain),
    take(wishes, lines, until) {
      const heard = lines.filter(({ at }) => until === undefined || BigInt(at) <= until)
      const told = new Map<number, Told>()
      const codes = new Map<number, string>()
      for (const line of heard) {
        if (!('account' in line) || line.account !== account) continue
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
    copy: () => ledger(account, [...entries]),
  }
}

/** True if the user can continue with a website: no answer about it is unknown, and it isn't deleted. */
export function isUsable(seeds: readonly HostRecord[], ledger: Ledger, domain: string): boolean {
  const entries = ledger.of(domain)
  const exists =
    seeds.some((record) => record.domain === domain) ||
    entries.some(({ wish, told }) => wish.what === 'create' && told === 'taken')
  return exists && !entries.some(({ wish, told }) => wish.what === 'delete' && told !== 'refused')
}
