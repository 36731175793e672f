import { createDefaults, fieldNames, type FieldName } from '../../../shared/fields.ts'
import { unguarded } from '../../../shared/formula.ts'
import { checkDraft, normaliseDomain, tidyLines } from '../../../shared/validate.ts'
import type { Privacy, WebsiteDraft } from '../../../shared/website.ts'
import { columnNames, noNames, privacyNames, rowErrors, yesNames } from '../../words/many.ts'
import { cellsOf } from './csv.ts'

/** More than one request of the bridge takes. */
export const MOST_ROWS = 1000

/** What each column is, from left to right; null: it's left out. */
export type Columns = readonly (FieldName | null)[]

/** Pasted text as a table. */
export interface Table {
  /** The names of the columns, where the first line has them. */
  heads: readonly string[] | null
  cells: readonly (readonly string[])[]
  /** Of each row of cells, where it stands in the text. */
  spans: readonly Span[]
}

/** A quoted cell may have several lines; they are counted from 1. */
export interface Span {
  first: number
  last: number
}

export interface Row {
  /** Where it begins in the text. */
  line: number
  lastLine: number
  draft: WebsiteDraft
  errors: readonly string[]
}

/** However a text was written down, its lines are these. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/)

/** One domain a line, or whatever a spreadsheet puts on the clipboard or into a CSV file. */
export function tableOf(text: string): Table {
  // An empty line at the end would count against the sign that parts two columns.
  const ended = linesOf(text).join('\n').replace(/\n+$/, '')
  const parsed = cellsOf(ended)
  let line = 0
  const placed = parsed.map((cells) => {
    const first = line + 1
    line = first + cells.reduce((sum, cell) => sum + linesOf(cell).length - 1, 0)
    return { row: cells.map((cell) => unguarded(cell.trim())), span: { first, last: line } }
  })
  const filled = placed.filter(({ row }) => row.some(Boolean))
  const [head] = filled
  const heads = head && head.row.some((cell) => fieldCalled(cell) === 'domain') ? head.row : null
  const body = heads ? filled.slice(1) : filled
  return { heads, cells: body.map(({ row }) => row), spans: body.map(({ span }) => span) }
}

/** By the names in the first line; without any the first column is the domain, and nothing else is taken. */
export function columnsOf({ heads, cells }: Table): Columns {
  const width = Math.max(1, heads?.length ?? 0, ...cells.slice(0, MOST_ROWS).map((row) => row.length))
  const named = Array.from({ length: width }, (_, at) =>
    heads ? fieldCalled(heads[at] ?? '') : at === 0 ? 'domain' : null,
  )
  return named.map((name, at) => (named.indexOf(name) === at ? name : null))
}

/** Every row as a website, with what keeps it from being added. */
export function rowsOf({ cells, spans }: Table, columns: Columns): Row[] {
  const seen = new Map<string, number>()
  return cells.slice(0, MOST_ROWS).map((row, at) => {
    const { first: line, last: lastLine } = spans[at] ?? { first: 0, last: 0 }
    const { draft, errors } = draftOf(row, columns)
    const domain = normaliseDomain(draft.domain)
    const before = domain === null ? undefined : seen.get(domain)
    if (before !== undefined) return { line, lastLine, draft, errors: [rowErrors.twice(before), ...errors] }
    if (domain !== null) seen.set(domain, line)
    return { line, lastLine, draft, errors: [...errors, ...Object.values(checkDraft(draft)).flat()] }
  })
}

const fieldCalled = (text: string): FieldName | null =>
  fieldNames.find((name) => columnNames[name].includes(text.toLowerCase())) ?? null

function draftOf(row: readonly string[], columns: Columns): { draft: WebsiteDraft; errors: string[] } {
  const errors: string[] = []
  const cell = (name: FieldName): string => row[columns.indexOf(name)] ?? ''
  const onOff = (name: 'email' | 'exclude_bots'): boolean => {
    const typed = cell(name)
    if (yesNames.includes(typed.toLowerCase())) return true
    if (typed !== '' && !noNames.includes(typed.toLowerCase())) errors.push(rowErrors.onOff(typed))
    return typed === '' ? createDefaults[name] : false
  }
  const privacy = (): Privacy => {
    const typed = cell('privacy')
    const found = privacyNames.findIndex((names) => names.includes(typed.toLowerCase()))
    if (typed !== '' && found < 0) errors.push(rowErrors.privacy(typed))
    return found < 0 ? createDefaults.privacy : (found as Privacy)
  }
  const password = cell('password')
  const draft: WebsiteDraft = {
    domain: cell('domain'),
    privacy: privacy(),
    email: onOff('email'),
    exclude_bots: onOff('exclude_bots'),
    exclude_ips: tidyLines(cell('exclude_ips').split(/[\s,;]+/)),
    exclude_params: tidyLines(cell('exclude_params').split(/[\s,;]+/)),
    ...(password && { password }),
  }
  return { draft, errors }
}
