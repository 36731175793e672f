import Papa from 'papaparse'
import { fieldNames, fieldTable, type FieldName } from '../../../shared/fields.ts'
import { unguarded } from '../../../shared/formula.ts'
import { checkDraft } from '../../../shared/validate.ts'
import type { WebsiteDraft } from '../../../shared/website.ts'
import { m } from '../../../messages/index.ts'
import { draftOf, warningsOf, type Columns } from './drafts.ts'
import { normaliseDomain } from '../../../shared/domain.ts'

/** More than one request of the bridge takes. */
export const MOST_ROWS = 1000

/** Pasted text as a table. */
export interface Table {
  /** The names of the columns, where the first line has them. */
  heads: readonly string[] | null
  cells: readonly (readonly string[])[]
  /** Of each row of cells, where it stands in the text: several of them in the same line, where that has several domains. */
  spans: readonly Span[]
}

/** A quoted cell may have several lines; they are counted from 1. */
interface Span {
  first: number
  last: number
}

export interface Row {
  /** Where it begins in the text. */
  line: number
  lastLine: number
  draft: WebsiteDraft
  /** As the service stores it; null: it's none. */
  domain: string | null
  errors: readonly string[]
  /** What is to be known, and doesn't keep it from being added. */
  warnings: readonly string[]
  /** There are cells in it that no column takes. */
  more: boolean
}

/** However a text was written down, its lines are these. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/)

/** One domain a line, or whatever a spreadsheet puts on the clipboard or into a CSV file. */
export function tableOf(text: string): Table {
  // An empty line at the end would count against the sign that parts two columns.
  const ended = linesOf(text).join('\n').replace(/\n+$/, '')
  const { data: parsed } = Papa.parse<string[]>(ended, { newline: '\n', delimitersToGuess: ['\t', ',', ';', '|'] })
  let line = 0
  const placed = parsed.map((cells) => {
    const first = line + 1
    line = first + cells.reduce((sum, cell) => sum + linesOf(cell).length - 1, 0)
    return { row: cells.map((cell) => unguarded(cell.trim())), span: { first, last: line } }
  })
  const filled = placed.filter(({ row }) => row.some(Boolean))
  const [head] = filled
  const heads = head && head.row.some((cell) => fieldCalled(cell) === 'domain') ? head.row : null
  const body = heads
    ? filled.slice(1)
    : filled.flatMap(({ row, span }, at) =>
        (at < MOST_ROWS ? domainsApart(row) : [row]).map((cells) => ({ row: cells, span })),
      )
  return { heads, cells: body.map(({ row }) => row), spans: body.map(({ span }) => span) }
}

/** A line of domains alone is as many websites, whatever stands between them; any other is what it is. */
function domainsApart(row: readonly string[]): (readonly string[])[] {
  const words = row.flatMap((cell) => cell.split(/[\s,;|]+/)).filter(Boolean)
  return words.length > 1 && words.every(isFullDomain) ? words.map((word) => [word]) : [row]
}

/** A word or a number of a table is shaped like a domain too, and an address is more likely one to be excluded. */
function isFullDomain(text: string): boolean {
  const domain = normaliseDomain(text)
  return domain !== null && domain.includes('.') && !/^[\d.]+$/.test(domain)
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
    const warnings = warningsOf(draft)
    const more = row.some((cell, nth) => cell && !columns[nth])
    const place = { line, lastLine, draft, domain, warnings, more }
    if (before !== undefined) return { ...place, errors: [m.bulk_create_repeated({ line: before }), ...errors] }
    if (domain !== null) seen.set(domain, line)
    return { ...place, errors: [...errors, ...Object.values(checkDraft(draft)).flat()] }
  })
}

const fieldCalled = (text: string): FieldName | null =>
  fieldNames.find((name) => [name, ...(fieldTable[name].columns as readonly string[])].includes(text.toLowerCase())) ??
  null
