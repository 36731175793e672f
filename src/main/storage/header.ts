import { closeSync, openSync, readSync } from 'node:fs'
import type { FileKind } from './schema.ts'

const HEADER_BYTES = 100
/** Every SQLite file begins with this text. */
const MAGIC = 'SQLite format 3\0'

/** The header of a database file (sqlite.org/fileformat2.html, "The Database Header"). */
export interface Header {
  /** `PRAGMA application_id`; 0 if the file is not a database. */
  applicationId: number
  /** Number of migrations applied to the file. */
  version: number
}

/** Returns null if the file is empty or does not exist. Throws file system errors. */
export function readHeader(file: string): Header | null {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const length = readInto(bytes, file)
  if (length === 0) return null
  const isDatabase = length === HEADER_BYTES && bytes.toString('latin1', 0, MAGIC.length) === MAGIC
  return isDatabase
    ? { applicationId: bytes.readUInt32BE(68), version: bytes.readUInt32BE(60) }
    : { applicationId: 0, version: 0 }
}

/** True for a file of this kind that a newer version of the app has written. */
export const isOfNewerVersion = (header: Header | null, { applicationId, migrations }: FileKind): boolean =>
  header?.applicationId === applicationId && header.version > migrations.length

/** Returns the number of bytes read, which is 0 if the file does not exist. */
function readInto(bytes: Buffer, file: string): number {
  let opened: number
  try {
    opened = openSync(file, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
  try {
    return readSync(opened, bytes, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(opened)
  }
}
