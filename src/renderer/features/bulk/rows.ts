import Papa from 'papaparse'
import { formatNumber } from '../../../shared/display/format.ts'
import { fieldNames, fieldTable, type FieldName } from '../../../shared/fields.ts'
import { unescapedCell } from '../../../shared/formula.ts'
import { checkDraft } from '../../../shared/validate.ts'
import type { WebsiteDraft, WebsiteSettings } from '../../../shared/website.ts'
import { m } from '../../../messages/index.ts'
import { draftFromCells, warningsOf, type Columns } from './drafts.ts'
import { normaliseDomain } from '../../../shared/domain.ts'

/** Maximum number of rows that are read at once. Further rows are not checked or added, and stay in the text. */
export const MAX_ROWS = 1000

/** Pasted text as a table. */
export interface PastedTable {
  /** The names of the columns, if the first line has them. */
  heads: readonly string[] | null
  cells: readonly (readonly string[])[]
  /** The position of each row in the text. Several rows share a line that has several domains. */
  spans: readonly Span[]
}

/** The first and the last line of a row in the text, counted from 1. They differ if a quoted cell has several lines. */
interface Span {
  first: number
  last: number
}

/** A row of the text, read as a website. */
export interface PastedRow {
  /** The first and the last line of the row in the text, counted from 1. */
  line: number
  lastLine: number
  draft: WebsiteDraft
  /** The domain as the service stores it; null if the text is no domain. */
  domain: string | null
  errors: readonly string[]
  /** Warnings, which do not keep the website from being added. */
  warnings: readonly string[]
  /** True if some filled cells are in columns without a field, and are therefore ignored. */
  hasIgnoredCells: boolean
}

/** Splits a text into lines, with any kind of line ending. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/)

/** Reads a list of domains, or a table from a spreadsheet or a CSV file. A line of several domains becomes several rows. */
export function parsePastedTable(text: string): PastedTable {
  // An empty last line would distort the guess of the separator.
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

/** Returns one row for each domain of a row that contains only domains, and at least two; any other row unchanged. */
function splitRowOfDomains(row: readonly string[]): (readonly string[])[] {
  const parts = row.flatMap((cell) => cell.split(/[\s,;|]+/)).filter(Boolean)
  return parts.length > 1 && parts.every(isFullDomain) ? parts.map((word) => [word]) : [row]
}

/**
 * True for a cell that is surely meant as a domain. Single words and numbers have the form of a domain too, and an IP address is
 * more likely meant for an exclude list.
 */
function isFullDomain(text: string): boolean {
  const domain = normaliseDomain(text)
  return domain !== null && domain.includes('.') && !/^[\d.]+$/.test(domain)
}

/**
 * Returns the field of each column, by the names in the first line. If two columns have the same field, the second is ignored.
 * Without names, the first column is the domain and the other columns are ignored.
 */
export function columnsOf({ heads, cells }: PastedTable): Columns {
  const width = Math.max(1, heads?.length ?? 0, ...cells.slice(0, MAX_ROWS).map((row) => row.length))
  const named = Array.from({ length: width }, (_, at) =>
    heads ? fieldCalled(heads[at] ?? '') : at === 0 ? 'domain' : null,
  )
  return named.map((name, at) => (named.indexOf(name) === at ? name : null))
}

/**
 * Returns the first {@link MAX_ROWS} rows as websites, with their errors. A domain that an earlier row has is an error, too.
 * `start`: the settings of fields that a row doesn't have.
 */
export function rowsOf(
  { cells, spans }: PastedTable,
  columns: Columns,
  start: Partial<WebsiteSettings> = {},
): PastedRow[] {
  const seen = new Map<string, number>()
  return cells.slice(0, MAX_ROWS).map((row, at) => {
    const { first: line, last: lastLine } = spans[at] ?? { first: 0, last: 0 }
    const { draft, errors } = draftFromCells(row, columns, start)
    const domain = normaliseDomain(draft.domain)
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

/** Returns the field that a column name stands for, or null if it names none. */
const fieldCalled = (text: string): FieldName | null =>
  fieldNames.find((name) => [name, ...(fieldTable[name].columns as readonly string[])].includes(text.toLowerCase())) ??
  null
