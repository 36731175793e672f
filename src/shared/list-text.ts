import { fail, ok, type Result } from './result.ts'

/** Maximum size of a file with websites, in bytes. The app's own export of ten thousand websites is smaller. */
export const MAX_LIST_FILE = 16 * 1024 * 1024

/** The extensions of files with a list of domains that the user can open. */
export const listFileExtensions = ['csv', 'tsv', 'txt', 'json'] as const

/** Encodings by byte order mark. A file without a mark can only be UTF-8. */
const byteOrderMarks = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * Returns the text of a file in UTF-8 or UTF-16, without the byte order mark. Errors: `file-too-large`; `not-text`: another
 * encoding, or no text.
 */
export function decodeListFile(bytes: Uint8Array): Result<string> {
  if (bytes.length > MAX_LIST_FILE) return fail('file-too-large')
  const mark = byteOrderMarks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte))
  try {
    const text = new TextDecoder(mark?.encoding ?? 'utf-8', { fatal: true }).decode(bytes)
    // A null byte means a binary file, or UTF-16 without a mark.
    return text.includes('\0') ? fail('not-text') : ok(text)
  } catch {
    return fail('not-text')
  }
}
