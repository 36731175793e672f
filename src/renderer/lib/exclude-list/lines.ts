/**
 * What a line of an exclude list is worth a word for. None of it keeps the list from being saved: what the service makes
 * of a line is its own affair (docs/service.md#exclude-lists). `instead`: what was meant, perhaps.
 */
export type Found =
  | { what: 'wrong'; instead: readonly string[] | null }
  | { what: 'twice'; as: number }
  | { what: 'covered'; by: string; at: number }
  | { what: 'within'; range: string }
  | { what: 'all' }
  | { what: 'star' }
  | { what: 'spaces' }

/** `line`: as the person counts them, from 1; `text`: without the spaces around it. */
export type Finding = Found & { line: number; text: string }

export interface Line {
  line: number
  text: string
  /** Spaces stand around it. */
  spaced: boolean
}

/** The lines with something in them; a service counts a lone carriage return as a line's end too. */
export const linesOf = (list: string): Line[] =>
  list.split(/\r\n|\r|\n/).flatMap((raw, i) => {
    const text = raw.trim()
    return text === '' ? [] : [{ line: i + 1, text, spaced: text !== raw }]
  })

/** Lines without which the list matches the same. */
export const isNeedless = ({ what }: Found): boolean => what === 'twice' || what === 'covered'

/** The same list, each entry on a line of its own, without what adds nothing to it. */
export function tidied(list: string, findings: readonly Finding[]): string {
  const needless = new Set(findings.filter(isNeedless).map(({ line }) => line))
  return linesOf(list)
    .filter(({ line }) => !needless.has(line))
    .map(({ text }) => text)
    .join('\n')
}

/** From and to, in characters, where a line stands in the text. */
export function placeOf(list: string, line: number): [number, number] {
  const ends = [...list.matchAll(/\r\n|\r|\n/g)]
  const before = ends[line - 2]
  const from = before ? before.index + before[0].length : 0
  return [from, ends[line - 1]?.index ?? list.length]
}
