/**
 * The finding about a line of an exclude list. Such a line can still be saved, because the service decides what to do with
 * it (docs/service.md#exclude-lists).
 * - `wrong`: not a valid entry. `instead`: the entries that may have been meant, or null.
 * - `twice`: line number `as` has the same entry.
 * - `covered`: the entry `by` in line `at` covers this one.
 * - `within`: an address with a prefix length, which excludes the whole `range`.
 * - `all`: the line excludes everything.
 * - `star`: the service takes a star literally.
 * - `spaces`: there are spaces around the entry.
 */
export type FindingKind =
  | { kind: 'wrong'; instead: readonly string[] | null }
  | { kind: 'twice'; as: number }
  | { kind: 'covered'; by: string; at: number }
  | { kind: 'within'; range: string }
  | { kind: 'all' }
  | { kind: 'star' }
  | { kind: 'spaces' }

/** `line`: the line number, from 1. `text`: the line without surrounding spaces. */
export type Finding = FindingKind & { line: number; text: string }

/** A line of a list that isn't blank, with its number. */
export interface Line {
  line: number
  text: string
  /** True if there are spaces around the text. */
  spaced: boolean
}

/** Returns the non-empty lines. A lone carriage return ends a line, as it does for the service. */
export const filledLinesOf = (list: string): Line[] =>
  list.split(/\r\n|\r|\n/).flatMap((raw, i) => {
    const text = raw.trim()
    return text === '' ? [] : [{ line: i + 1, text, spaced: text !== raw }]
  })

/** True for a line that can be removed without changing what the list matches. */
export const isNeedless = ({ kind }: FindingKind): boolean => kind === 'twice' || kind === 'covered'

/** Returns the list without redundant entries, empty lines, and spaces around entries. */
export function tidiedList(list: string, findings: readonly Finding[]): string {
  const needless = new Set(findings.filter(isNeedless).map(({ line }) => line))
  return filledLinesOf(list)
    .filter(({ line }) => !needless.has(line))
    .map(({ text }) => text)
    .join('\n')
}

/** Returns the start and end of a line as offsets in the text. */
export function lineRange(list: string, line: number): [number, number] {
  const ends = [...list.matchAll(/\r\n|\r|\n/g)]
  const before = ends[line - 2]
  const from = before ? before.index + before[0].length : 0
  return [from, ends[line - 1]?.index ?? list.length]
}
