import { entries, type EntryFields, type EntryName, type Level } from './entries.ts'

/** Writes an entry. It takes coded fields alone, so that nothing of a person or a service can be in it; never throws. */
export type Log = <N extends EntryName>(name: N, fields: EntryFields<N>) => void

/** A line of the log: `parked edits=2 reasons=conflict,gone`. */
export interface LogLine {
  /** Milliseconds since 1970. */
  at: number
  level: Level
  text: string
}

const RECENT = 50

export interface Journal {
  log: Log
  /** The latest warnings and errors, the oldest first. */
  recent(): LogLine[]
}

/** `write` keeps a line; `now` is the wall clock, in milliseconds; `kept`: the warnings and errors of earlier runs, read when they're asked for. */
export function createJournal(
  write: (line: LogLine) => void,
  now: () => number,
  kept: () => readonly LogLine[] = () => [],
): Journal {
  const recent: LogLine[] = []
  return {
    log(name, fields) {
      const line = { at: now(), level: entries[name].level, text: textOf(name, fields) }
      if (line.level !== 'info') recent.push(line)
      if (recent.length > RECENT) recent.shift()
      write(line)
    },
    recent: () => [...kept(), ...recent].slice(-RECENT),
  }
}

/** What doesn't fit isn't written: the compiler has refused it, but for what was cast. */
function textOf(name: EntryName, fields: unknown): string {
  const checked = entries[name].fields.safeParse(fields)
  if (!checked.success) return `${name} [redacted]`
  const words = Object.entries(checked.data).flatMap(([field, value]) =>
    value === undefined ? [] : `${field}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  )
  return [name, ...words].join(' ')
}
