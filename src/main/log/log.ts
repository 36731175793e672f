import { entries, type EntryFields, type EntryName, type Level } from './entries.ts'

/** Writes an entry. It accepts only coded fields, so that no text of a user or a service is logged. Never throws. */
export type Log = <N extends EntryName>(name: N, fields: EntryFields<N>) => void

export interface LogLine {
  /** Milliseconds since 1970. */
  at: number
  level: Level
  /** Such as `parked edits=2 reasons=conflict,gone`. */
  text: string
}

/** Maximum number of lines that {@link Journal.recent} returns. */
const RECENT = 50

/** The log, and its latest lines for diagnostics. */
export interface Journal {
  log: Log
  /** Returns the latest warnings and errors, also of earlier runs, oldest first. */
  recent(): LogLine[]
}

/** `now`: the wall clock in milliseconds. `earlierLines`: returns the warnings and errors of earlier runs. */
export function createJournal(
  write: (line: LogLine) => void,
  now: () => number,
  earlierLines: () => readonly LogLine[] = () => [],
): Journal {
  const recent: LogLine[] = []
  return {
    log(name, fields) {
      const line = { at: now(), level: entries[name].level, text: textOf(name, fields) }
      if (line.level !== 'info') recent.push(line)
      if (recent.length > RECENT) recent.shift()
      write(line)
    },
    recent: () => [...earlierLines(), ...recent].slice(-RECENT),
  }
}

/** Fields that don't match the schema of the entry, which only a type assertion could have passed, are redacted. */
function textOf(name: EntryName, fields: unknown): string {
  const checked = entries[name].fields.safeParse(fields)
  if (!checked.success) return `${name} [redacted]`
  const pairs = Object.entries(checked.data).flatMap(([field, value]) =>
    value === undefined ? [] : `${field}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  )
  return [name, ...pairs].join(' ')
}
