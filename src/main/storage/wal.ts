/** A page as one transaction left it. */
export interface Frame {
  page: number
  data: Buffer
}

/**
 * A write-ahead log beside a database, read without SQLite, which would change it (sqlite.org/fileformat2.html, "The
 * Write-Ahead Log").
 */
export interface Wal {
  /** What SQLite takes: every frame of each whole transaction, up to the first frame that isn't sound. */
  committed: Frame[]
  /** Pages of the database after the last of these transactions; null: there are none. */
  pages: number | null
  /**
   * Whether something that was synced is unsound. A loss of power can tear the last transaction, and nobody was told of
   * that one; the one before it was synced before the next was begun.
   */
  damaged: boolean
  /** Of a damaged log: each frame that is sound by itself, up to the last end of a transaction. */
  sound: Frame[]
}

/** SQLite's own choice, which none of our files departs from. */
export const PAGE_SIZE = 4096

const HEADER = 32
const FRAME_HEADER = 24
const NOTHING: Wal = { committed: [], pages: null, damaged: false, sound: [] }

interface ReadFrame extends Frame {
  /** Pages of the database after the transaction that ends here; 0: none does. */
  ends: number
  /** It follows the frame before as it was written. */
  linked: boolean
}

export function readWal(log: Buffer): Wal {
  if (log.length < HEADER + FRAME_HEADER + PAGE_SIZE) return NOTHING
  const bigEndian = (log.readUInt32BE(0) & 1) === 1
  const magic = log.readUInt32BE(0) >>> 1 === 0x377f0682 >>> 1
  const stored = sumAt(log, 24)
  const summed = checksum(log.subarray(0, 24), [0, 0], bigEndian)
  const valid = magic && same(stored, summed)
  // Of a damaged header either the sum is right, or what it's of.
  const frames = readFrames(log, bigEndian, valid ? [stored] : [stored, summed])

  const broken = valid ? frames.findIndex(({ linked }) => !linked) : 0
  const whole = upToLastEnd(broken < 0 ? frames : frames.slice(0, broken))
  const behind = broken < 0 ? [] : frames.slice(broken)
  const ends = behind.filter(({ ends, linked }) => ends > 0 && linked)
  const damaged = ends.length > (valid ? 1 : 0)
  return {
    committed: whole,
    pages: whole.at(-1)?.ends ?? null,
    damaged,
    sound: damaged ? upToLastEnd(frames).filter(({ linked }) => linked) : whole,
  }
}

/** Those of this log's present round: what the round before left behind them has other salts. */
function readFrames(log: Buffer, bigEndian: boolean, seeds: Sum[]): ReadFrame[] {
  const frames: ReadFrame[] = []
  const salts = log.subarray(16, 24)
  const size = FRAME_HEADER + PAGE_SIZE
  let before = seeds
  for (let at = HEADER; at + size <= log.length; at += size) {
    const stored = sumAt(log, at + 16)
    const body = log.subarray(at + FRAME_HEADER, at + size)
    const page = log.readUInt32BE(at)
    const linked =
      page > 0 &&
      log.subarray(at + 8, at + 16).equals(salts) &&
      before.some((seed) =>
        same(stored, checksum(body, checksum(log.subarray(at, at + 8), seed, bigEndian), bigEndian)),
      )
    frames.push({ page, data: body, ends: log.readUInt32BE(at + 4), linked })
    before = [stored]
  }
  return frames
}

/** What comes behind belongs to a transaction that nobody was told of. */
const upToLastEnd = (frames: ReadFrame[]): ReadFrame[] =>
  frames.slice(0, frames.findLastIndex(({ ends, linked }) => ends > 0 && linked) + 1)

type Sum = readonly [number, number]
const sumAt = (log: Buffer, at: number): Sum => [log.readUInt32BE(at), log.readUInt32BE(at + 4)]
const same = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1]

function checksum(bytes: Buffer, [first, second]: Sum, bigEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, !bigEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, !bigEndian) + first) >>> 0
  }
  return [first, second]
}
