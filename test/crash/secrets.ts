import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place where a secret was found and must not be. `way`: the encoding of the secret. */
export interface Leak {
  where: string
  way: string
}

/**
 * Returns a function that finds secrets in bytes: plain, in UTF-16, in hexadecimal and at any offset in base64. `beginnings`: the
 * first characters of each secret, which are enough to search for and too many to occur by chance.
 */
export function searchFor(beginnings: readonly string[]): (where: string, bytes: Buffer) => Leak[] {
  const needles = beginnings.flatMap(spellings)
  return (where, bytes) => needles.filter(([, needle]) => bytes.includes(needle)).map(([way]) => ({ where, way }))
}

/** Finds secrets in every file of a folder, and in the file names. */
export function searchFolder(folder: string, search: ReturnType<typeof searchFor>): Leak[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? readFileSync(file) : Buffer.alloc(0)
    return search(file, Buffer.concat([Buffer.from(`${entry.name}\n`), content]))
  })
}

/** Returns the forms in which a secret is searched for. */
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
 * Returns the base64 characters that depend on the secret alone if it starts `shift` bytes after a multiple of three. A secret of
 * letters and digits gives none of the characters in which the variants of base64 differ.
 */
function base64Within(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
}
