import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { storedWebsiteSchema, type SampleWebsite } from './website.ts'

const entrySchema = z.tuple([z.int().positive(), storedWebsiteSchema.nullable()])
type Entry = z.infer<typeof entrySchema>

/** The user's changes to the sample data. `entries`: the changed websites at the opening, by id; null for a deleted one. */
export interface Journal {
  readonly entries: ReadonlyMap<number, SampleWebsite | null>
  /** Returns when the change is on disk. */
  append(id: number, website: SampleWebsite | null): void
}

/** Only the owner may read the file, and a write returns when it is on disk. */
const WRITE_OPTIONS = { mode: 0o600, flush: true }

/** Stores nothing, so the websites are lost when the service ends. */
export const noJournal: Journal = { entries: new Map(), append: () => undefined }

/**
 * Opens a file of JSON lines (`.jsonl`), one for each change, and keeps only the last line of each website. Skips unreadable
 * lines: a change that a crash cut short was never acknowledged. Throws if the file can't be read or written, with its path and
 * the error code.
 */
export function openJournal(file: string): Journal {
  try {
    const entries = new Map(readEntries(file))
    const fresh = `${file}.new`
    writeFileSync(fresh, [...entries].map(asLine).join(''), WRITE_OPTIONS)
    renameSync(fresh, file)
    return { entries, append: (id, website) => appendFileSync(file, asLine([id, website]), WRITE_OPTIONS) }
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new Error(`The changes to the sample data can't be kept in ${file}: ${why}`, { cause })
  }
}

const asLine = (entry: Entry): string => `${JSON.stringify(entry)}\n`

function readEntries(file: string): Entry[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    try {
      const entry = entrySchema.safeParse(JSON.parse(line))
      return entry.success ? [entry.data] : []
    } catch {
      return []
    }
  })
}
