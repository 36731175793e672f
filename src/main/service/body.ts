import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
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
 * Reads an answer's body whole, unpacked (RFC 9110, 8.4). Rejects with {@link TooLarge} above so many bytes, by which its
 * connection ends, or with what Node says of the connection or of the packing.
 */
export async function readBytes(answer: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of unpacked(answer) as AsyncIterable<Buffer<ArrayBuffer>>) {
    size += chunk.byteLength
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > limit) throw new TooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

function unpacked(answer: IncomingMessage): IncomingMessage | Transform {
  if (BODILESS.includes(answer.statusCode ?? 0)) return answer
  const layers = (answer.headers['content-encoding'] ?? '')
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
