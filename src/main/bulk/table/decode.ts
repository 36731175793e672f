import { fail, ok, type Result } from '../../../shared/result.ts'

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. U+FFFD stands for a byte without a character. */
const WINDOWS_1252_80_TO_9F = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ'

const UTF_16 = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const

/** Decodes a file that a spreadsheet saved: UTF-8, UTF-16 with a byte order mark, or else Windows-1252. Errors: `not-text`. */
export function decodeTable(bytes: Uint8Array): Result<string> {
  const utf16 = UTF_16.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  const text = decodedAs(bytes, utf16?.encoding ?? 'utf-8') ?? (utf16 ? null : decodeWindows1252(bytes))
  // A null character means a binary file, or UTF-16 without a byte order mark.
  return text === null || text.includes('\0') ? fail('not-text') : ok(text)
}

function decodedAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Decodes text in Windows-1252. Returns null for a binary file. `TextDecoder` can't be used: some versions of Node read the
 * bytes from 0x80 to 0x9f as ISO 8859-1 (https://github.com/nodejs/node/issues/56542).
 */
function decodeWindows1252(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (char) => WINDOWS_1252_80_TO_9F.charAt(char.charCodeAt(0) - 0x80))
  // Control characters, or bytes without a character, mean a binary file.
  return /(?![\t\n\r])\p{Cc}|\uFFFD/u.test(text) ? null : text
}
