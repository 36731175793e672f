import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a secret was found that should be nowhere. */
export interface Leak {
  where: string
  way: string
}

/**
 * Looks for secrets in bytes: as they are, in UTF-16, in hexadecimal, in base64 wherever in a longer text they begin.
 * `beginnings`: what secrets begin with is enough, and long enough not to be met by chance.
 */
export function searchFor(beginnings: readonly string[]): (where: string, bytes: Buffer) => Leak[] {
  const needles = beginnings.flatMap(spellings)
  return (where, bytes) => needles.filter(([, needle]) => bytes.includes(needle)).map(([way]) => ({ where, way }))
}

/** The same in every file of a folder, and in their names. */
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

/** What all bits of it decide, where it stands `shift` bytes behind a multiple of three; letters alone differ by dialect. */
function base64Within(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
}
