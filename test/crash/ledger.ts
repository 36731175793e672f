import type { HostRecord } from './host/records.ts'
import type { Line, Command } from './protocol.ts'

/** The answer of the outbox to an edit. `unknown`: the process ended first. */
type Status = 'taken' | 'refused' | 'unknown'

export interface Entry {
  command: Command
  status: Status
  code: string
}

/** The edits that the processes were told to make in one account, with the answers, in order. */
export interface Ledger {
  entries(): readonly Entry[]
  of(domain: string): Entry[]
  /** Records the orders of a process, and its messages up to a time. `until`: nanoseconds of CLOCK_MONOTONIC. */
  record(commands: readonly Command[], lines: readonly Line[], until?: bigint): void
  copy(): Ledger
}

/** `account`: the account's position in the orders. */
export function ledger(account = 0, entries: Entry[] = []): Ledger {
  return {
    entries: () => entries,
    of: (domain) => entries.filter(({ command }) => command.domain === domain),
    record(commands, lines, until) {
      const received = lines.filter(({ at }) => until === undefined || BigInt(at) <= until)
      const statuses = new Map<number, Status>()
      const codes = new Map<number, string>()
      for (const line of received) {
        if (!('account' in line) || line.account !== account) continue
        if (line.says === 'try') statuses.set(line.n, 'unknown')
        if (line.says === 'ok') statuses.set(line.n, 'taken')
        if (line.says !== 'no') continue
        statuses.set(line.n, 'refused')
        codes.set(line.n, line.code)
      }
      for (const command of commands) {
        const status = statuses.get(command.n)
        if (status !== undefined) entries.push({ command, status, code: codes.get(command.n) ?? '' })
      }
    },
    copy: () => ledger(account, [...entries]),
  }
}

/** True if the user may edit this website: it certainly exists, and no delete of it was acknowledged or has an unknown result. */
export function isUsable(seeds: readonly HostRecord[], ledger: Ledger, domain: string): boolean {
  const entries = ledger.of(domain)
  const exists =
    seeds.some((record) => record.domain === domain) ||
    entries.some(({ command, status }) => command.kind === 'create' && status === 'taken')
  return exists && !entries.some(({ command, status }) => command.kind === 'delete' && status !== 'refused')
}
