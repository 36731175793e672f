import { addressKey, namedAddressesIn, type NamedAddress } from '../../../shared/named-address.ts'

/** The lines of a list. `name`: the named address whose chip replaces the line; null if the line itself is shown. */
export type FoldedLines = readonly { readonly line: string; readonly name: string | null }[]

/** Returns the lines of a list, with the names of the named addresses that the list contains completely. */
export function foldNamedAddresses(text: string, book: readonly NamedAddress[]): FoldedLines {
  const lines = text.split('\n')
  const names = new Map<string, string>()
  // A field shows a lone carriage return as a line end, so line numbers would differ. Nothing is folded then.
  for (const { name, lines: own } of text.includes('\r') ? [] : namedAddressesIn(lines, book)) {
    for (const key of own.map(addressKey)) if (key !== null && !names.has(key)) names.set(key, name)
  }
  return lines.map((line) => ({ line, name: names.get(addressKey(line) ?? '') ?? null }))
}

/** Returns the folded lines as the text of a field. */
export const textOf = (folded: FoldedLines): string => folded.map(({ line }) => line).join('\n')

/** Returns the text without the lines that chips replace. */
export const unfoldedText = (folded: FoldedLines): string => textOf(folded.filter(({ name }) => name === null))

/** Returns the lines after the user has changed the shown text. Lines that chips replace keep their places. */
export function withShownText(folded: FoldedLines, shown: string): FoldedLines {
  const typed = (shown === '' ? [] : shown.split('\n')).map((line) => ({ line, name: null }))
  const named = folded.flatMap((one) => (one.name === null ? typed.splice(0, 1) : [one]))
  return [...named, ...typed]
}

/** Returns the number of each shown line in the whole list, from 1. */
export const shownLineNumbers = (folded: FoldedLines): number[] =>
  folded.flatMap(({ name }, at) => (name === null ? [at + 1] : []))
