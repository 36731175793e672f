import type { IncomingMessage } from 'node:http'
import { finished, pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** An answer, unpacked, is larger than may be read. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** An end that is cut off is told by the JSON within, or by the connection; some hosts leave out the checksum. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

const unpackers = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(lenient)],
  ['x-gzip', () => createGunzip(lenient)],
  ['deflate', () => createInflate(lenient)],
  [
    'br',
    () =>
      createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
  ],
])

/** Layers of packing; each takes memory. */
const MOST_LAYERS = 5

/** Answers of these have no body (RFC 9110, 15). */
export const BODILESS = [204, 205, 304]

/**
 * Reads an answer's body whole, unpacked (RFC 9110, 8.4); `packed`: how it is, as its header tells. Rejects with {@link TooLarge} above so many bytes, by which its
 * connection ends, or with what Node says of the connection or of the packing.
 */
export function readBytes(answer: IncomingMessage, packed: string, limit: number): Promise<Buffer> {
  const from = unpacked(answer, packed)
  const chunks: Buffer[] = []
  let size = 0
  from.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    // To destroy the stream ends its connection.
    if (size > limit) from.destroy(new TooLarge())
    else chunks.push(chunk)
  })
  return new Promise((resolve, reject) => {
    // What went wrong before anybody listened is told too.
    finished(from, { writable: false }, (error) => {
      if (error) reject(error)
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
  })
}

function unpacked(answer: IncomingMessage, packed: string): IncomingMessage | Transform {
  if (packed === '' || BODILESS.includes(answer.statusCode ?? 0)) return answer
  const layers = packed
    .toLowerCase()
    .split(',')
    .map((name) => unpackers.get(name.trim()))
    .filter((unpacker) => unpacker !== undefined)
    .slice(0, MOST_LAYERS)
    .reverse()
    .map((unpacker) => unpacker())
  return layers.reduce<IncomingMessage | Transform>(
    // What goes wrong reaches the last of them, whose reader is told.
    (from, into) => pipeline(from, into, () => undefined),
    answer,
  )
}
