import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const COOKIE_PROTOCOL = 'MIT-MAGIC-COOKIE-1'

/** The cookie for a display as Xauthority(5) keeps it: records of family, address, display number, name and data. */
export function cookieFor(display: string): Buffer | null {
  for (const record of records(authorityFile())) {
    if (record.name === COOKIE_PROTOCOL && (record.display === '' || record.display === display)) return record.data
  }
  return null
}

function authorityFile(): Buffer {
  try {
    return readFileSync(process.env['XAUTHORITY'] ?? join(homedir(), '.Xauthority'))
  } catch {
    return Buffer.alloc(0)
  }
}

function* records(file: Buffer): Generator<{ display: string; name: string; data: Buffer }> {
  let at = 0
  const field = (): Buffer => {
    const start = at + 2
    at = start + file.readUInt16BE(at)
    return file.subarray(start, at)
  }
  while (at + 2 < file.length) {
    at += 2 // family
    field() // address
    yield { display: field().toString(), name: field().toString(), data: field() }
  }
}
