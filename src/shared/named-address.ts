import { z } from 'zod'
import { parseRange, rangeKey } from './ip-range.ts'
import { isConnectionName } from './validate.ts'

/** Maximum length of the name of a named address. */
export const MAX_ADDRESS_NAME = 60
/** `sets`: named addresses. `lines`: addresses and ranges in each of them. */
export const MAX_ADDRESS_BOOK = { sets: 100, lines: 200 } as const

export const namedAddressSchema = z.object({
  name: z.string().trim().min(1).max(MAX_ADDRESS_NAME).refine(isConnectionName),
  lines: z
    .array(
      z
        .string()
        .max(100)
        .refine((line) => addressKey(line) !== null),
    )
    .min(1)
    .max(MAX_ADDRESS_BOOK.lines),
})
export type NamedAddress = z.infer<typeof namedAddressSchema>

/** All named addresses of the user. */
export const addressBookSchema = z.array(namedAddressSchema).max(MAX_ADDRESS_BOOK.sets).readonly()

/** The keys of lines that were parsed before. Long lists are compared at each keystroke, so parsing again would be slow. */
const keyCache = new Map<string, string | null>()
/** The cache is emptied when it has this many lines. */
const MAX_KEYS = 50_000

/** Returns the same key for every spelling of an address or a range; null for any other text. */
export function addressKey(line: string): string | null {
  const cached = keyCache.get(line)
  if (cached !== undefined) return cached
  const range = parseRange(line.trim())
  const key = range && rangeKey(range)
  if (keyCache.size >= MAX_KEYS) keyCache.clear()
  keyCache.set(line, key)
  return key
}

/** Returns the named addresses of which the list has every line, in any spelling. */
export function namedAddressesIn(list: readonly string[], book: readonly NamedAddress[]): NamedAddress[] {
  if (book.length === 0) return []
  const keys = new Set(list.map(addressKey))
  return book.filter(({ lines }) => lines.every((line) => keys.has(addressKey(line))))
}

/** Returns the lines for these addresses, in any spelling. Null if the list lacks an address, or none is given. */
export function linesOfAddresses(list: readonly string[], addresses: readonly string[]): string[] | null {
  const keys = new Set(addresses.map(addressKey))
  const found = list.filter((line) => {
    const key = addressKey(line)
    return key !== null && keys.has(key)
  })
  return keys.size > 0 && new Set(found.map(addressKey)).size === keys.size ? found : null
}

/** Returns the addresses except the removed ones, in whatever spelling. */
export function addressesWithout(addresses: readonly string[], removed: readonly string[]): string[] {
  const keys = new Set(removed.map(addressKey))
  return addresses.filter((line) => !keys.has(addressKey(line)))
}
