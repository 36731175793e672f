import { fail, ok, type Result } from './result.ts'

/** Bytes of a file with a list of websites: far more than the thousand that are added at once, and read in no time. */
export const MOST_LIST_FILE = 2 * 1024 * 1024

/** What the system's dialog, and whoever drops a file, is offered. */
export const listFileEnds = ['csv', 'tsv', 'txt', 'json'] as const

/** By the mark that a file begins with; one without any is UTF-8, or it isn't known what it is. */
const marks = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * The text of such a file, without its mark; spreadsheets write UTF-8 and UTF-16. Errors: `file-too-large`; `not-text`: in
 * another encoding, whose signs could only be guessed, or no text at all.
 */
export function textOfList(bytes: Uint8Array): Result<string> {
  if (bytes.length > MOST_LIST_FILE) return fail('file-too-large')
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte))
  try {
    const text = new TextDecoder(mark?.encoding ?? 'utf-8', { fatal: true }).decode(bytes)
    // Text has no null; a program or a picture has, and so has UTF-16 without its mark.
    return text.includes('\0') ? fail('not-text') : ok(text)
  } catch {
    return fail('not-text')
  }
}
