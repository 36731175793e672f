/** What a column holds. */
export type Value = string | number | Buffer | null

/** One row, or one entry of an index, as it lies in a page. */
export interface StoredRecord {
  /** Null: of an index, or of a table without rowid, which is laid out as one. */
  rowid: number | null
  values: Value[]
}

const INDEX_BRANCH = 0x02
const INDEX_LEAF = 0x0a
const TABLE_LEAF = 0x0d

/**
 * The records in a page of a database, whatever tree it belonged to, each for itself: `bad` counts those that can't be
 * read (sqlite.org/fileformat2.html, "B-tree Pages"). Null: there are none in a page of this kind.
 */
export function recordsOf(
  number: number,
  pages: ReadonlyMap<number, Buffer>,
): { records: StoredRecord[]; bad: number } | null {
  const page = pages.get(number)
  if (page === undefined) return null
  const start = number === 1 ? 100 : 0
  const kind = page[start]
  if (kind !== INDEX_BRANCH && kind !== INDEX_LEAF && kind !== TABLE_LEAF) return null
  const pointers = start + (kind === INDEX_BRANCH ? 12 : 8)
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - pointers) / 2))
  const records: StoredRecord[] = []
  let bad = 0
  for (let n = 0; n < count; n++) {
    try {
      const at = page.readUInt16BE(pointers + n * 2) + (kind === INDEX_BRANCH ? 4 : 0)
      records.push(recordAt(page, at, kind === TABLE_LEAF, pages))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      bad += 1
    }
  }
  return { records, bad }
}

/** Throws RangeError for what lies outside of its page, or isn't one. */
function recordAt(page: Buffer, at: number, ofTable: boolean, pages: ReadonlyMap<number, Buffer>): StoredRecord {
  const [length, afterLength] = varint(page, at)
  const [rowid, from] = ofTable ? varint(page, afterLength) : [null, afterLength]
  return { rowid, values: decode(payload(page, from, length, ofTable, pages)) }
}

function payload(
  page: Buffer,
  from: number,
  length: number,
  ofTable: boolean,
  pages: ReadonlyMap<number, Buffer>,
): Buffer {
  const size = page.length
  if (length > size * pages.size) throw new RangeError('longer than the file')
  const most = ofTable ? size - 35 : Math.floor(((size - 12) * 64) / 255) - 23
  if (length <= most) return part(page, from, length)
  const least = Math.floor(((size - 12) * 32) / 255) - 23
  const fitting = least + ((length - least) % (size - 4))
  const local = fitting <= most ? fitting : least
  const parts = [part(page, from, local)]
  let next = page.readUInt32BE(from + local)
  for (let left = length - local; left > 0;) {
    const overflow = pages.get(next)
    if (overflow === undefined) throw new RangeError('the rest of a record is missing')
    const taken = Math.min(left, size - 4)
    parts.push(part(overflow, 4, taken))
    left -= taken
    next = overflow.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

function decode(record: Buffer): Value[] {
  const [headerEnd, start] = varint(record, 0)
  const values: Value[] = []
  let body = headerEnd
  for (let at = start; at < headerEnd;) {
    const [type, next] = varint(record, at)
    const [value, end] = valueOf(record, body, type)
    values.push(value)
    at = next
    body = end
  }
  if (values.length === 0 || body !== record.length) throw new RangeError('not a record')
  return values
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8]

function valueOf(record: Buffer, at: number, type: number): [Value, number] {
  if (type === 0) return [null, at]
  if (type === 8 || type === 9) return [type - 8, at]
  if (type === 7) return [record.readDoubleBE(at), at + 8]
  const bytes = INTEGER_BYTES[type]
  if (bytes !== undefined) {
    const value = bytes === 8 ? Number(record.readBigInt64BE(at)) : record.readIntBE(at, bytes)
    return [value, at + bytes]
  }
  if (type < 12) throw new RangeError('no such type')
  const length = Math.floor((type - 12) / 2)
  const value = part(record, at, length)
  return [type % 2 === 1 ? value.toString('utf8') : Buffer.from(value), at + length]
}

function part(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw new RangeError('cut short')
  return bytes.subarray(at, at + length)
}

/** A number of up to nine bytes, and where it ends. None that is used here needs more than 53 bits. */
function varint(bytes: Buffer, at: number): [number, number] {
  let value = 0
  for (let n = 0; n < 8; n++) {
    const byte = bytes.readUInt8(at + n)
    value = value * 128 + (byte & 0x7f)
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('too large')
    if (byte < 0x80) return [value, at + n + 1]
  }
  throw new RangeError('too large')
}
