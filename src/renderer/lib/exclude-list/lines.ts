/**
 * A finding about a line of an exclude list. None keeps the list from being saved, because the service decides what it does with
 * a line (docs/service.md#exclude-lists). `wrong`: no valid entry; `instead` has the entries that may have been meant, or is
 * null. `twice`: the earlier line with the number `as` has the same entry. `covered`: the entry `by` in the line `at` covers
 * this one. `within`: an address within a range, which the line excludes as a whole (`range`). `all`: the line excludes
 * everything. `star`: the service compares a star literally. `spaces`: spaces surround the entry.
 */
export type FindingKind =
  | { kind: 'wrong'; instead: readonly string[] | null }
  | { kind: 'twice'; as: number }
  | { kind: 'covered'; by: string; at: number }
  | { kind: 'within'; range: string }
  | { kind: 'all' }
  | { kind: 'star' }
  | { kind: 'spaces' }

/** `line`: the line number, from 1; `text`: without surrounding spaces. */
export type Finding = FindingKind & { line: number; text: string }

export interface Line {
  line: number
  text: string
  /** True if spaces surround the text. */
  spaced: boolean
}

/** Returns the lines that are not empty. As for the service, a lone carriage return ends a line, too. */
export const filledLinesOf = (list: string): Line[] =>
  list.split(/\r\n|\r|\n/).flatMap((raw, i) => {
    const text = raw.trim()
    return text === '' ? [] : [{ line: i + 1, text, spaced: text !== raw }]
  })

/** True for a line that can be removed without changing what the list matches. */
export const isNeedless = ({ kind }: FindingKind): boolean => kind === 'twice' || kind === 'covered'

/** Returns the list without redundant entries, empty lines, and spaces around an entry. */
export function tidiedList(list: string, findings: readonly Finding[]): string {
  const needless = new Set(findings.filter(isNeedless).map(({ line }) => line))
  return filledLinesOf(list)
    .filter(({ line }) => !needless.has(line))
    .map(({ text }) => text)
    .join('\n')
}

/** Returns the start and the end of a line in the text, in characters. */
export function lineRange(list: string, line: number): [number, number] {
  const ends = [...list.matchAll(/\r\n|\r|\n/g)]
  const before = ends[line - 2]
  const from = before ? before.index + before[0].length : 0
  return [from, ends[line - 1]?.index ?? list.length]
}
