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
 * One JSON line for each change. Opening writes the file anew with the last line of each website, beside the old one
 * and then in its place; a line cut short by a crash is passed over, and was never answered.
 */
export function openJournal(file: string): Journal {
  const entries = new Map(readEntries(file))
  const fresh = `${file}.new`
  writeFileSync(fresh, [...entries].map(asLine).join(''), { mode: 0o600 })
  const descriptor = openSync(fresh, 'a')
  fsyncSync(descriptor)
  renameSync(fresh, file)
  return {
    entries,
    append(id, website) {
      writeSync(descriptor, asLine([id, website]))
      fdatasyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
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
