import { filledLinesOf, type Finding, type FindingKind } from './lines.ts'

/** A line with only this text excludes every parameter (docs/service.md#exclude-lists). */
const ALL_PARAMETERS = '&'

/** Checks a list of excluded URL parameters: one name per line, compared literally. */
export function checkParameters(list: string): Finding[] {
  const lines = filledLinesOf(list)
  const all = lines.find(({ text }) => text === ALL_PARAMETERS)
  const first = new Map<string, number>()
  for (const { line, text } of lines) if (!first.has(text)) first.set(text, line)

  const about = (text: string, line: number): FindingKind | null => {
    const same = first.get(text)
    if (same !== undefined && same !== line) return { kind: 'twice', as: same }
    if (text === ALL_PARAMETERS) return { kind: 'all' }
    if (all) return { kind: 'covered', by: ALL_PARAMETERS, at: all.line }
    if (/[=&?#/,;]/.test(text)) return { kind: 'wrong', instead: meantNames(text) }
    return text.includes('*') ? { kind: 'star' } : null
  }
  return lines.flatMap(({ line, text, spaced }): Finding[] => {
    const found = about(text, line)
    if (found) return [{ line, text, ...found }]
    return spaced ? [{ line, text, kind: 'spaces' }] : []
  })
}

/** Returns the names in a query string such as `?utm_source=x&utm_medium=y`, or in a list with commas; else null. */
function meantNames(text: string): string[] | null {
  const query = text.replace(/^[^?]*\?/, '').replace(/#.*$/, '')
  const names = query.split(/[&,;]/).map((part) => part.replace(/=.*$/, '').trim())
  const distinct = [...new Set(names.filter((name) => name !== '' && !/[/?#]/.test(name)))]
  return distinct.length > 0 && !(distinct.length === 1 && distinct[0] === text) ? distinct : null
}
