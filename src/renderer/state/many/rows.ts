import Papa from 'papaparse'
import { createDefaults, fieldNames, type FieldName } from '../../../shared/fields.ts'
import { checkDraft, normaliseDomain, tidyLines } from '../../../shared/validate.ts'
import type { Privacy, WebsiteDraft } from '../../../shared/website.ts'
import { columnNames, noNames, privacyNames, rowErrors, yesNames } from '../../words/many.ts'

/** More than one request of the bridge takes. */
export const MOST_ROWS = 1000

/** What each column is, from left to right; null: it's left out. */
export type Columns = readonly (FieldName | null)[]

/** Pasted text as a table. */
export interface Table {
  /** The names of the columns, where the first line has them. */
  heads: readonly string[] | null
  cells: readonly (readonly string[])[]
  /** Of each row of cells, its line in the text, from 1. */
  lines: readonly number[]
}

export interface Row {
  line: number
  draft: WebsiteDraft
  errors: readonly string[]
}

/** One domain a line, or whatever a spreadsheet puts on the clipboard or into a CSV file. */
export function tableOf(text: string): Table {
  const parsed = Papa.parse<string[]>(text, { delimitersToGuess: ['\t', ',', ';', '|'] }).data
  const numbered = parsed
    .map((row, at) => ({ row: row.map((cell) => cell.trim()), line: at + 1 }))
    .filter(({ row }) => row.some(Boolean))
  const [first] = numbered
  const heads = first && first.row.some((cell) => fieldCalled(cell) === 'domain') ? first.row : null
  const body = heads ? numbered.slice(1) : numbered
  return { heads, cells: body.map(({ row }) => row), lines: body.map(({ line }) => line) }
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
export function rowsOf({ cells, lines }: Table, columns: Columns): Row[] {
  const seen = new Map<string, number>()
  return cells.slice(0, MOST_ROWS).map((row, at) => {
    const line = lines[at] ?? 0
    const { draft, errors } = draftOf(row, columns)
    const domain = normaliseDomain(draft.domain)
    const before = domain === null ? undefined : seen.get(domain)
    if (before !== undefined) return { line, draft, errors: [rowErrors.twice(before), ...errors] }
    if (domain !== null) seen.set(domain, line)
    return { line, draft, errors: [...errors, ...Object.values(checkDraft(draft)).flat()] }
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
