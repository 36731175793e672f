import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The forms of a secret in a file, by the name of the encoding. */
function spellings(secret: string): [string, Buffer][] {
  const utf8 = Buffer.from(secret)
  const utf16 = Buffer.from(secret, 'utf16le')
  const written: [string, Buffer | string][] = [
    ['plain', utf8],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
    ['hex', utf8.toString('hex')],
    ['HEX', utf8.toString('hex').toUpperCase()],
    ['hex of UTF-16', utf16.toString('hex')],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ secret }).toString().slice('secret='.length)],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ...base64('base64', utf8),
    ...base64('base64 of UTF-16', utf16),
  ]
  // If two encodings are the same, the simpler one names them.
  const unique = new Map(written.reverse().map(([way, text]) => [Buffer.from(text).toString('latin1'), way]))
  return [...unique].map(([text, way]) => [way, Buffer.from(text, 'latin1')])
}

/**
 * Base64 can begin at three offsets within a longer text. Only the characters that depend on the secret alone are
 * searched.
 */
function base64(way: string, bytes: Buffer): [string, string][] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((shift * 8) / 6)
    const last = Math.floor(((shift + bytes.length) * 8) / 6)
    const inner = whole.slice(first, last)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')].map((text): [string, string] => [way, text])
  })
}

export interface Found {
  file: string
  secret: string
  way: string
}

interface Spelling {
  secret: string
  way: string
  bytes: Buffer
}

/**
 * Returns a function that finds which of the spellings occur in a content. It reads the content once for all spellings,
 * and skips most of it, by the algorithm of Wu and Manber: the last two bytes of a window, which is as long as the
 * shortest spelling, tell how far the next possible occurrence is. Each spelling has at least two bytes.
 */
export function createFinder(spellings: readonly Spelling[]): (content: Buffer) => Spelling[] {
  const window = Math.min(255, ...spellings.map(({ bytes }) => bytes.length))
  /** The number of bytes to skip, by the last two bytes of the window. */
  const skips = new Uint8Array(65_536).fill(window - 1)
  /** The spellings whose first bytes, as many as the window has, end with these two. */
  const ending = new Map<number, Spelling[]>()
  for (const spelling of spellings) {
    for (let end = 1; end < window; end++) {
      const pair = spelling.bytes.readUInt16BE(end - 1)
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - end)
      if (end === window - 1) ending.set(pair, [...(ending.get(pair) ?? []), spelling])
    }
  }
  return (content) => {
    const found = new Set<Spelling>()
    for (let end = window - 1; end < content.length;) {
      const pair = ((content[end - 1] ?? 0) << 8) | (content[end] ?? 0)
      const skip = skips[pair] ?? 0
      if (skip === 0) {
        const start = end - window + 1
        for (const spelling of ending.get(pair) ?? []) {
          if (spelling.bytes.equals(content.subarray(start, start + spelling.bytes.length))) found.add(spelling)
        }
      }
      end += skip || 1
    }
    return spellings.filter((spelling) => found.has(spelling))
  }
}

/** Finds secrets, in any encoding, in the files below a folder and in their names. */
export function search(folder: string, secrets: readonly string[]): Found[] {
  const find = createFinder(
    secrets.flatMap((secret) => spellings(secret).map(([way, bytes]) => ({ secret, way, bytes }))),
  )
  // Each start of the app leaves many of the same files, such as Chromium's caches.
  const searched = new Set<string>()
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name)
    const inside = entry.isFile() ? readFileSync(file) : Buffer.alloc(0)
    const content = Buffer.concat([Buffer.from(`${entry.name}\n`), inside])
    const hash = createHash('sha256').update(content).digest('base64')
    if (searched.has(hash)) return []
    searched.add(hash)
    return find(content).map(({ secret, way }) => ({ file, secret, way }))
  })
}
