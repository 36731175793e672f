import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { z } from 'zod'
import { sampleWebsiteSchema, type SampleWebsite } from './website.ts'

const entrySchema = z.tuple([z.int().positive(), sampleWebsiteSchema.nullable()])
type Entry = z.infer<typeof entrySchema>

/** The person's changes to the sample data: each website that differs, as it is now; null: deleted. */
export interface Journal {
  readonly entries: ReadonlyMap<number, SampleWebsite | null>
  /** On disk when it returns. */
  append(id: number, website: SampleWebsite | null): void
  close(): void
}

/** Kept in memory alone. */
export const noJournal: Journal = { entries: new Map(), append: () => undefined, close: () => undefined }

/**
 * A file of JSON lines (`.jsonl`), one for each change. Opening writes it anew with the last line of each website,
 * beside the old one and then in its place. A line that can't be read is passed over: one cut short by a crash was
 * never answered. Throws when the file itself can't be read or written, and says which and why.
 */
export function openJournal(file: string): Journal {
  try {
    const entries = new Map(readEntries(file))
    return { entries, ...appendTo(rewritten(file, entries)) }
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new Error(`The changes to the sample data can't be kept in ${file}: ${why}`, { cause })
  }
}

/** The descriptor of the new file, for appending. */
function rewritten(file: string, entries: Iterable<Entry>): number {
  const fresh = `${file}.new`
  writeFileSync(fresh, [...entries].map(asLine).join(''), { mode: 0o600 })
  const descriptor = openSync(fresh, 'a')
  try {
    fsyncSync(descriptor)
    renameSync(fresh, file)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** A descriptor that was closed may by now be another file's: it's never touched again. */
function appendTo(descriptor: number): Pick<Journal, 'append' | 'close'> {
  let closed = false
  return {
    append(id, website) {
      if (closed) throw new Error('The sample service is closed.')
      writeSync(descriptor, asLine([id, website]))
      fdatasyncSync(descriptor)
    },
    close() {
      if (!closed) closeSync(descriptor)
      closed = true
    },
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
