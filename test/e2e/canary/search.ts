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
  // If two encodings give the same text, it gets the name of the simpler one.
  const unique = new Map(written.reverse().map(([way, text]) => [Buffer.from(text).toString('latin1'), way]))
  return [...unique].map(([text, way]) => [way, Buffer.from(text, 'latin1')])
}

/** Base64 can begin at three offsets within a longer text. Only the characters that depend on the secret alone are searched. */
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

/** A place where a secret was found. `way`: the name of the encoding. */
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

const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Returns a function that finds the spellings in a content. Searches for all at once first: most contents have none. */
export function createFinder(spellings: readonly Spelling[]): (content: Buffer) => Spelling[] {
  const any = new RegExp(spellings.map(({ bytes }) => escaped(bytes.toString('latin1'))).join('|'))
  return (content) =>
    any.test(content.toString('latin1')) ? spellings.filter(({ bytes }) => content.includes(bytes)) : []
}

/** Finds secrets, in any encoding, in the files below a folder and in their names. */
export function search(folder: string, secrets: readonly string[]): Found[] {
  const find = createFinder(
    secrets.flatMap((secret) => spellings(secret).map(([way, bytes]) => ({ secret, way, bytes }))),
  )
  // Contents that need no second search: each start of the app leaves many of the same files, such as Chromium's caches.
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
