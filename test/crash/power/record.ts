import { readFileSync } from 'node:fs'

/**
 * A disk operation of the process, as recorder.c writes it.
 * `at`: when the operation was complete, in nanoseconds of CLOCK_MONOTONIC.
 * `file`: the recorder's number of the file.
 */
export type Op = { at: bigint } & (
  | { kind: 'open'; file: number; path: string; isNew: boolean }
  | { kind: 'write'; file: number; offset: number; data: Buffer }
  | { kind: 'truncate'; file: number; size: number }
  | { kind: 'sync'; file: number }
  | { kind: 'sync-folder'; path: string }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'unlink' | 'mkdir' | 'rmdir'; path: string }
)

const HEADER_BYTES = 32

/** Reads a record. Ignores an incomplete last entry, which a killed process leaves. */
export function readRecord(file: string): Op[] {
  const bytes = readFileSync(file)
  const ops: Op[] = []
  for (let from = 0; from + HEADER_BYTES <= bytes.length;) {
    const first = from + HEADER_BYTES
    const second = first + bytes.readUInt32LE(from + 24)
    const end = second + bytes.readUInt32LE(from + 28)
    if (end > bytes.length) break
    ops.push(toOp(bytes.subarray(from, first), bytes.subarray(first, second), bytes.subarray(second, end)))
    from = end
  }
  return ops
}

/** Decodes an entry of the record. The numbers of the operations are defined in recorder.c. */
function toOp(header: Buffer, first: Buffer, second: Buffer): Op {
  const at = header.readBigUInt64LE(0)
  const code = header.readUInt32LE(8)
  const file = header.readUInt32LE(12)
  const offset = Number(header.readBigInt64LE(16))
  const path = first.toString('utf8')
  switch (code) {
    case 1:
    case 10:
      return { at, kind: 'open', file, path, isNew: code === 1 }
    case 2:
      return { at, kind: 'write', file, offset, data: first }
    case 3:
      return { at, kind: 'truncate', file, size: offset }
    case 4:
      return { at, kind: 'sync', file }
    case 5:
      return { at, kind: 'sync-folder', path }
    case 6:
      return { at, kind: 'rename', path, to: second.toString('utf8') }
    case 7:
      return { at, kind: 'unlink', path }
    case 8:
      return { at, kind: 'mkdir', path }
    case 9:
      return { at, kind: 'rmdir', path }
    default:
      throw new Error(`The record has an entry ${String(code)}, which nobody writes.`)
  }
}
