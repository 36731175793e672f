import { m } from '../../../messages/index.ts'
import { linesOf, MAX_ROWS, type PastedRow, type PastedTable } from './rows.ts'

/** A domain that main has refused, and why. */
export interface RefusedDomain {
  domain: string
  reasons: readonly string[]
}

/** Returns the rows with an error for each domain that main has refused or that is already in the list (`listed`). Rows that have errors keep theirs. */
export function rowsWithRefusals(
  rows: readonly PastedRow[],
  listed: readonly string[],
  refused: readonly RefusedDomain[],
): PastedRow[] {
  const answers = new Map<string | null, readonly string[]>([
    ...listed.map((domain) => [domain, [m.bulk_create_listed()]] as const),
    ...refused.map(({ domain, reasons }) => [domain, reasons] as const),
  ])
  return rows.map((row) => {
    const errors = row.errors.length === 0 ? answers.get(row.domain) : undefined
    return errors ? { ...row, errors } : row
  })
}

/**
 * Returns the text without the queued rows (`taken`). Of a line with several domains, those that were not queued stay, each on
 * its own line.
 */
export function textWithoutRows(
  text: string,
  { cells, spans }: PastedTable,
  rows: readonly PastedRow[],
  taken: readonly PastedRow[],
): string {
  const goes = new Set(taken)
  const gone = new Set<number>()
  for (const { line: first, lastLine } of taken) for (let line = first; line <= lastLine; line++) gone.add(line)
  const left = new Map<number, string[]>()
  const stays = (line: number, domain: string) => left.set(line, [...(left.get(line) ?? []), domain])
  for (const row of rows) if (!goes.has(row)) stays(row.line, row.draft.domain)
  // Rows beyond the maximum number stay.
  for (let at = MAX_ROWS; at < cells.length; at++) stays(spans[at]?.first ?? 0, cells[at]?.[0] ?? '')
  return linesOf(text)
    .flatMap((line, at) => (gone.has(at + 1) ? (left.get(at + 1) ?? []) : [line]))
    .join('\n')
}
