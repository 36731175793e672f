import Papa from 'papaparse'
import { formatNumber } from '../../../shared/display/format.ts'
import { fieldNames, fieldTable, type FieldName } from '../../../shared/fields.ts'
import { unescapedCell } from '../../../shared/formula.ts'
import { checkDraft } from '../../../shared/validate.ts'
import type { WebsiteDraft, WebsiteSettings } from '../../../shared/website.ts'
import { m } from '../../../messages/index.ts'
import { draftFromCells, warningsOf, type Columns } from './drafts.ts'
import { normalizeDomain } from '../../../shared/domain.ts'

/** Maximum number of rows that are read at once. Further rows stay in the text, unchecked. */
export const MAX_ROWS = 1000

/** Pasted text, divided into rows and cells. */
export interface PastedTable {
  /** The first line, if it contains column names; otherwise null. */
  heads: readonly string[] | null
  cells: readonly (readonly string[])[]
  /** The lines of the text that each row comes from. Rows from one line with several domains have the same span. */
  spans: readonly Span[]
}

/** The first and the last line of a row in the text, counted from 1. They differ if a quoted cell contains line breaks. */
interface Span {
  first: number
  last: number
}

/** A row of pasted text as a new website. */
export interface PastedRow {
  /** First line of the row in the text, counted from 1. */
  line: number
  lastLine: number
  draft: WebsiteDraft
  /** The domain in the form that the service stores; null if it is invalid. */
  domain: string | null
  errors: readonly string[]
  /** Unlike errors, warnings don't prevent the website from being added. */
  warnings: readonly string[]
  /** True if the row has filled cells in columns that have no field. */
  hasIgnoredCells: boolean
}

export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/)

/** Reads a list of domains, or a table from a spreadsheet or CSV file. A line with several domains gives several rows. */
export function parsePastedTable(text: string): PastedTable {
  // Empty last lines would lead to a wrong guess of the separator.
  const ended = linesOf(text).join('\n').replace(/\n+$/, '')
  const { data: parsed } = Papa.parse<string[]>(ended, { newline: '\n', delimitersToGuess: ['\t', ',', ';', '|'] })
  let line = 0
  const placed = parsed.map((cells) => {
    const first = line + 1
    line = first + cells.reduce((sum, cell) => sum + linesOf(cell).length - 1, 0)
    return { row: cells.map((cell) => unescapedCell(cell.trim())), span: { first, last: line } }
  })
  const filled = placed.filter(({ row }) => row.some(Boolean))
  const [head] = filled
  const heads = head && head.row.some((cell) => fieldCalled(cell) === 'domain') ? head.row : null
  const body = heads
    ? filled.slice(1)
    : filled.flatMap(({ row, span }, at) =>
        (at < MAX_ROWS ? splitRowOfDomains(row) : [row]).map((cells) => ({ row: cells, span })),
      )
  return { heads, cells: body.map(({ row }) => row), spans: body.map(({ span }) => span) }
}

/** Splits a row that consists of two or more domains into one row per domain. Returns any other row unchanged. */
function splitRowOfDomains(row: readonly string[]): (readonly string[])[] {
  const parts = row.flatMap((cell) => cell.split(/[\s,;|]+/)).filter(Boolean)
  return parts.length > 1 && parts.every(isFullDomain) ? parts.map((word) => [word]) : [row]
}

/**
 * True for what is certainly a domain: not a single word or a number, nor an IP address, which is more likely an excluded one.
 */
function isFullDomain(text: string): boolean {
  const domain = normalizeDomain(text)
  return domain !== null && domain.includes('.') && !/^[\d.]+$/.test(domain)
}

/**
 * Returns the field of each column according to the column names. A second column for the same field is ignored. Without names,
 * only the first column is read, as the domain.
 */
export function columnsOf({ heads, cells }: PastedTable): Columns {
  const width = Math.max(1, heads?.length ?? 0, ...cells.slice(0, MAX_ROWS).map((row) => row.length))
  const named = Array.from({ length: width }, (_, at) =>
    heads ? fieldCalled(heads[at] ?? '') : at === 0 ? 'domain' : null,
  )
  return named.map((name, at) => (named.indexOf(name) === at ? name : null))
}

/** Reads at most {@link MAX_ROWS} rows as websites. A repeated domain is an error. `start`: values of fields that a row lacks. */
export function rowsOf(
  { cells, spans }: PastedTable,
  columns: Columns,
  start: Partial<WebsiteSettings> = {},
): PastedRow[] {
  const seen = new Map<string, number>()
  return cells.slice(0, MAX_ROWS).map((row, at) => {
    const { first: line, last: lastLine } = spans[at] ?? { first: 0, last: 0 }
    const { draft, errors } = draftFromCells(row, columns, start)
    const domain = normalizeDomain(draft.domain)
    const before = domain === null ? undefined : seen.get(domain)
    const warnings = warningsOf(draft)
    const hasIgnoredCells = row.some((cell, nth) => cell && !columns[nth])
    const place = { line, lastLine, draft, domain, warnings, hasIgnoredCells }
    if (before !== undefined)
      return { ...place, errors: [m.bulk_create_repeated({ line: formatNumber(before) }), ...errors] }
    if (domain !== null) seen.set(domain, line)
    return { ...place, errors: [...errors, ...Object.values(checkDraft(draft)).flat()] }
  })
}

/** Returns the field whose column has this name. */
const fieldCalled = (text: string): FieldName | null =>
  fieldNames.find((name) => [name, ...(fieldTable[name].columns as readonly string[])].includes(text.toLowerCase())) ??
  null
