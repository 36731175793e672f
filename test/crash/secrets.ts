import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `way`: the encoding of the secret. */
export interface Leak {
  where: string
  way: string
}

/**
 * Returns a function that finds secrets in bytes: plain, in UTF-16, in hexadecimal, and at any offset in base64. `beginnings`:
 * the first characters of each secret, enough of them never to occur by chance.
 */
export function searchFor(beginnings: readonly string[]): (where: string, bytes: Buffer) => Leak[] {
  const needles = beginnings.flatMap(spellings)
  return (where, bytes) => needles.filter(([, needle]) => bytes.includes(needle)).map(([way]) => ({ where, way }))
}

/** Finds secrets in the files of a folder and in their names. */
export function searchFolder(folder: string, search: ReturnType<typeof searchFor>): Leak[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? readFileSync(file) : Buffer.alloc(0)
    return search(file, Buffer.concat([Buffer.from(`${entry.name}\n`), content]))
  })
}

function spellings(secret: string): [way: string, bytes: Buffer][] {
  const utf8 = Buffer.from(secret)
  const hex = utf8.toString('hex')
  return [
    ['plain', utf8],
    ['UTF-16', Buffer.from(secret, 'utf16le')],
    ['hex', Buffer.from(hex)],
    ['HEX', Buffer.from(hex.toUpperCase())],
    ...[0, 1, 2].map((shift): [string, Buffer] => ['base64', Buffer.from(base64Within(utf8, shift))]),
  ]
}

/**
 * Returns the base64 characters that depend only on the secret, if it starts `shift` bytes after a multiple of three. The
 * variants of base64 do not differ in them, as long as a secret has only letters and digits.
 */
function base64Within(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
}
