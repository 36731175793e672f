import { closeSync, openSync, readSync } from 'node:fs'
import type { FileKind } from './schema.ts'

/** Bytes of the header. */
const HEADER_LENGTH = 100
/** The text with which each file of SQLite begins. */
const MAGIC = 'SQLite format 3\0'

/** The header of a database file (sqlite.org/fileformat2.html, "The Database Header"). */
export interface Header {
  /** The application id in the header (`PRAGMA application_id`); 0 if the file is not a database. */
  applicationId: number
  /** Number of migrations applied to the file. */
  version: number
}

/** Returns the header of a file, or null if the file is empty or does not exist. Throws file system errors. */
export function readHeader(file: string): Header | null {
  const bytes = Buffer.alloc(HEADER_LENGTH)
  const length = readInto(bytes, file)
  if (length === 0) return null
  const isDatabase = length === HEADER_LENGTH && bytes.toString('latin1', 0, MAGIC.length) === MAGIC
  return isDatabase
    ? { applicationId: bytes.readUInt32BE(68), version: bytes.readUInt32BE(60) }
    : { applicationId: 0, version: 0 }
}

/** True if the header is that of a file of this kind that a newer version of the app has written. */
export const isOfNewerVersion = (header: Header | null, { applicationId, migrations }: FileKind): boolean =>
  header?.applicationId === applicationId && header.version > migrations.length

/** Reads the start of a file, and returns the number of bytes read; 0 if the file does not exist. */
function readInto(bytes: Buffer, file: string): number {
  let opened: number
  try {
    opened = openSync(file, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
  try {
    return readSync(opened, bytes, 0, HEADER_LENGTH, 0)
  } finally {
    closeSync(opened)
  }
}
