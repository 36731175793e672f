import { m } from '../../../messages/index.ts'
import { linesOf, MAX_ROWS, type PastedRow, type PastedTable } from './rows.ts'

/** A domain that main has refused, with the reasons. */
export interface RefusedDomain {
  domain: string
  reasons: readonly string[]
}

/**
 * Adds an error to each row whose domain is already in the list (`listed`) or was refused by main. Rows with errors keep theirs.
 */
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

/** Returns the text without the rows that were queued (`taken`). Each remaining domain of a line gets its own line. */
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
  // Rows beyond {@link MAX_ROWS} were never queued.
  for (let at = MAX_ROWS; at < cells.length; at++) stays(spans[at]?.first ?? 0, cells[at]?.[0] ?? '')
  return linesOf(text)
    .flatMap((line, at) => (gone.has(at + 1) ? (left.get(at + 1) ?? []) : [line]))
    .join('\n')
}
