import Papa from 'papaparse'
import { parseChoice } from '../../../shared/choice-text.ts'
import type { WebsiteLocalData } from '../../../shared/local-data.ts'
import { fieldTable, type SettingName, type WebsiteSettings } from '../../../shared/fields.ts'
import { isClearingCell, unescapedCell } from '../../../shared/formula.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { MAX_STORED_NOTE, MAX_TAGS, parseTags } from '../../../shared/tags.ts'
import { parseSwitch } from '../../../shared/switch-text.ts'
import { isReadOnlyColumn, MAX_TABLE_ROWS, columnForHeading, type TableColumn } from '../../../shared/table-columns.ts'
import type { CellProblem } from '../../../shared/table.ts'
import { isTagName, tidyLines } from '../../../shared/validate.ts'
import { decodeTable } from './decode.ts'

/** A parsed row. `settings` and `local` lack the fields whose cells are empty or have a problem. */
export interface TableRow {
  /** The number that a spreadsheet shows beside the row. The heading row has number 1. */
  row: number
  id: string
  domain: string
  settings: Partial<WebsiteSettings>
  local: Partial<WebsiteLocalData>
  problems: CellProblem[]
}

/** A parsed table: its rows with the values to import. */
export interface Table {
  /** Headings of the columns that are not imported. A filled column without a heading is named by its letter, such as C. */
  ignored: string[]
  /** The table's heading of each imported column, by column name. */
  headings: Partial<Record<string, string>>
  rows: TableRow[]
}

/** Runs {@link readTable} in a worker thread. */
export type ReadTable = (bytes: Uint8Array, onProgress: (done: number, total: number) => void) => Promise<Result<Table>>

const SEPARATORS = [',', ';', '\t']
const ROWS_PER_REPORT = 500

/**
 * Parses a table that was exported and edited in a spreadsheet. Large tables take a second, so the app does this in a worker
 * (table-worker.ts). `onProgress`: gets the number of rows that are read, and their total. Errors: `not-text`; `not-a-table` if
 * no column has ids or domains; `unmatched-quotes`; `table-too-large`.
 */
export function readTable(
  bytes: Uint8Array,
  onProgress: (done: number, total: number) => void = () => {},
): Result<Table> {
  const decoded = decodeTable(bytes)
  if (!decoded.ok) return decoded
  // A first line such as `sep=;` only tells Excel the separator.
  const text = decoded.value.replaceAll(/\r\n?/g, '\n').replace(/^sep=[,;\t]\n/i, '')
  const delimiter = separatorOf(text)
  if (delimiter === null) return fail('not-a-table')
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' })
  if (errors.some(({ type }) => type === 'Quotes')) return fail('unmatched-quotes')
  const [heads = [], ...body] = data
  const lines = body.flatMap((cells, at) => (cells.some((cell) => cell.trim() !== '') ? [{ cells, row: at + 2 }] : []))
  if (lines.length > MAX_TABLE_ROWS) return fail('table-too-large')
  const { columns, ignored } = columnsOf(heads, lines)
  const rows = lines.map(({ cells, row }, at) => {
    if (at % ROWS_PER_REPORT === 0) onProgress(at, lines.length)
    return readRow(row, cells, columns)
  })
  const headings: Table['headings'] = {}
  columns.forEach((column, at) => {
    if (column !== null) headings[column] = nameOf(heads[at] ?? '')
  })
  return ok({ ignored, headings, rows })
}

/** Returns the separator that yields the most known headings in the first row. Null without a heading for ids or domains. */
function separatorOf(text: string): string | null {
  const read = SEPARATORS.map((delimiter) => {
    const [heads = []] = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview: 1 }).data
    return { delimiter, names: heads.map(nameOf).map(columnForHeading) }
  })
  const [best] = read
    .filter(({ names }) => names.includes('id') || names.includes('domain'))
    .toSorted((a, b) => b.names.filter(Boolean).length - a.names.filter(Boolean).length)
  return best?.delimiter ?? null
}

/** Returns the name of a column from its heading. */
const nameOf = (head: string): string => unescapedCell(head.trim())

/**
 * `columns`: the column of each cell, or null if its heading is missing, unknown, read-only or repeated. `ignored`: the headings
 * to report as not imported. It leaves out read-only columns, and empty columns without a heading.
 */
function columnsOf(
  heads: readonly string[],
  lines: readonly { cells: readonly string[] }[],
): { columns: (TableColumn | null)[]; ignored: string[] } {
  const named = heads.map((head) => columnForHeading(nameOf(head)))
  const columns = named.map((name, at) => (named.indexOf(name) === at ? name : null))
  const isFilled = (at: number): boolean => lines.some(({ cells }) => (cells[at] ?? '').trim() !== '')
  const names = heads.map((head, at) => nameOf(head) || (isFilled(at) ? columnLetter(at) : ''))
  const ignored = names.filter((name, at) => name !== '' && !columns[at] && !isReadOnlyColumn(name.toLowerCase()))
  return { columns, ignored }
}

/** Returns the letter that spreadsheets show above a column, such as C or AA. */
const columnLetter = (at: number): string =>
  (at < 26 ? '' : columnLetter(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

function readRow(row: number, cells: readonly string[], columns: readonly (TableColumn | null)[]): TableRow {
  const read: TableRow = { row, id: '', domain: '', settings: {}, local: {}, problems: [] }
  // A filled cell beyond the last column: an unquoted separator has moved the cells behind it, so none is read.
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return { ...read, problems: [{ kind: 'cells', column: null, value: cells.at(-1) ?? '' }] }
  }
  columns.forEach((column, at) => {
    const cell = cells[at] ?? ''
    if (cell.trim() === '' || column === null) return
    if (column === 'id' || column === 'domain') read[column] = unescapedCell(cell).trim()
    else if (column === 'tags') readTagsCell(read, cell)
    else if (column === 'note') readNoteCell(read, cell)
    else readSettingCell(read, column, cell)
  })
  return read
}

function readTagsCell({ local, problems }: TableRow, cell: string): void {
  const tags = isClearingCell(cell) ? [] : parseTags(unescapedCell(cell))
  if (!tags.every(isTagName)) problems.push({ kind: 'tag', column: 'tags', value: cell })
  else if (tags.length > MAX_TAGS) problems.push({ kind: 'tags', column: 'tags', value: cell })
  else local.tags = tags
}

function readNoteCell({ local, problems }: TableRow, cell: string): void {
  const note = isClearingCell(cell) ? '' : unescapedCell(cell).trim()
  if (note.length <= MAX_STORED_NOTE) local.note = note
  else problems.push({ kind: 'note', column: 'note', value: cell })
}

function readSettingCell({ settings, problems }: TableRow, name: SettingName, cell: string): void {
  const field = fieldTable[name]
  const value = unescapedCell(cell)
  if (field.kind === 'list') Object.assign(settings, { [name]: isClearingCell(cell) ? [] : tidyLines([value]) })
  else if (isClearingCell(cell)) problems.push({ kind: 'clear', column: name, value })
  else {
    const found = field.kind === 'switch' ? parseSwitch(value) : parseChoice(name, field.choices, value)
    if (found === undefined) problems.push({ kind: field.kind, column: name, value })
    else Object.assign(settings, { [name]: found })
  }
}
