import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { PAGE_SIZE as pageSize, readWal, type Frame } from './wal.ts'

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')
const HEADER = 100
const NO_LOG = Buffer.alloc(0)

/**
 * A database file with its write-ahead log as they lie on disk, read whole and without SQLite: opening it there would
 * move the log into the file. Throws what the file system does.
 */
export interface Snapshot {
  /** Bytes of the file, and whether a log with anything in it lies beside it. */
  size: number
  logged: boolean
  logDamaged: boolean
  /** Whether its first page says that it's a database. */
  isDatabase: boolean
  /** `user_version`, which counts the migrations that were made; 0 where nothing can be told. */
  version: number
  /** The committed state as a database in itself, to be opened in memory. */
  image(): Buffer
  /** Every page there is by its number, the latest of each, the most recently written first. */
  pages(): Map<number, Buffer>
  /** Whether the file ends within what it should hold. */
  isCut(): boolean
}

export function readSnapshot(file: string): Snapshot {
  const data = orNothing(file)
  const log = orNothing(`${file}-wal`)
  const wal = readWal(log)
  const committed = latest(wal.committed)
  const first = committed.get(1) ?? data.subarray(0, pageSize)
  const header = headerIn(first)
  const pageCount = wal.pages ?? Math.ceil(data.length / pageSize)

  return {
    size: data.length,
    logged: log.length > 0,
    logDamaged: wal.damaged,
    isDatabase: header.isDatabase,
    version: header.version,
    image() {
      const image = Buffer.alloc(pageCount * pageSize)
      data.copy(image, 0, 0, Math.min(data.length, image.length))
      for (const [page, frame] of committed) if (page <= pageCount) frame.copy(image, (page - 1) * pageSize)
      // In memory there's no log: the two bytes say that none is needed.
      image.fill(1, 18, 20)
      return image
    },
    pages() {
      const pages = latest(wal.sound)
      for (let page = 1; page * pageSize <= data.length; page++) {
        if (!pages.has(page)) pages.set(page, data.subarray((page - 1) * pageSize, page * pageSize))
      }
      return pages
    },
    isCut: () => data.length % pageSize !== 0 || (header.isDatabase && first.readUInt32BE(28) > pageCount),
  }
}

export interface Header {
  isDatabase: boolean
  version: number
}

/** Of the file alone, whatever its log says. Throws what the file system does. */
export function readHeader(file: string): Header {
  const opened = openSync(file, 'r')
  try {
    const first = Buffer.alloc(HEADER)
    return headerIn(first.subarray(0, readSync(opened, first, 0, HEADER, 0)))
  } finally {
    closeSync(opened)
  }
}

function headerIn(page: Buffer): Header {
  const isDatabase =
    page.length >= HEADER &&
    page.subarray(0, MAGIC.length).equals(MAGIC) &&
    page.readUInt16BE(16) === pageSize &&
    // 1: without a log, 2: with one.
    [0x0101, 0x0202].includes(page.readUInt16BE(18))
  return { isDatabase, version: isDatabase ? page.readUInt32BE(60) : 0 }
}

/** The last frame of each page, the latest first. */
function latest(frames: Frame[]): Map<number, Buffer> {
  const pages = new Map<number, Buffer>()
  for (const { page, data } of frames.toReversed()) if (!pages.has(page)) pages.set(page, data)
  return pages
}

function orNothing(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NO_LOG
    throw error
  }
}
