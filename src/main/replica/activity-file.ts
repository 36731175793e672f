import Papa from 'papaparse'
import { setImmediate } from 'node:timers/promises'
import type { ActivityFilter, ActivityPage } from '../../shared/activity.ts'
import { ok, type Result } from '../../shared/result.ts'
import { settingNames, type SettingName, type WebsiteSettings } from '../../shared/website.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { StoredActivityEntry } from '../outbox/model/activity.ts'
import { hasDecimalComma } from '../../shared/display/format.ts'
import { escapeFormulas } from '../../shared/formula.ts'
import { cellSeparators } from '../../shared/list-settings.ts'
import { settingCell } from './list-file.ts'

/** Formatting this many entries takes a few milliseconds. */
const SLICE = 100

/** Escapes cells that a spreadsheet would read as a formula, and nothing else, because the file is never imported. */
const csvLines = (rows: Cells[]): string => {
  const escaped = rows.map((cells) => cells.map((cell) => escapeFormulas(cell ?? '')))
  return `${Papa.unparse(escaped, { delimiter: cellSeparators[hasDecimalComma() ? 'csv-semicolon' : 'csv'] })}\r\n`
}

const COLUMNS = ['time', 'domain', 'author', 'kind', 'change', 'detail', 'field', 'before', 'after']

/** The activity as a CSV file. */
export interface ActivityFile {
  /** The text of the file, in parts. */
  pieces: string[]
  entries: number
}

/** Returns one row for each changed field, the latest entry first. Works in slices. Errors: `storage`. */
export async function activityFile(
  outbox: Pick<Outbox, 'activityRecords'>,
  filter: ActivityFilter,
): Promise<Result<ActivityFile>> {
  const file: ActivityFile = { pieces: [`\uFEFF${csvLines([COLUMNS])}`], entries: 0 }
  let next: ActivityPage['next'] = null
  do {
    const page = outbox.activityRecords({ ...filter, limit: SLICE, ...(next && { after: next }) })
    if (!page.ok) return page
    const rows = page.value.records.flatMap(rowsOf)
    if (rows.length > 0) file.pieces.push(csvLines(rows))
    file.entries += page.value.records.length
    next = page.value.next
    await setImmediate()
  } while (next !== null)
  return ok(file)
}

/** Undefined is an empty cell. */
type Cells = (string | undefined)[]

/** Returns one row for each changed field, or a single row if no field is known. */
function rowsOf({ at, domain, kind, result, step, remote }: StoredActivityEntry): Cells[] {
  const change = result?.kind ?? step?.kind ?? ''
  const detail = result?.became ?? step?.way ?? step?.reason ?? ''
  const head = [new Date(at).toISOString(), domain, remote ? 'remote' : 'own', kind, change, detail]
  const fields = remote
    ? fieldRows(remote.before, remote.after)
    : fieldRows({ ...result?.before, ...result?.overwritten }, result?.settings ?? {})
  const password = result?.password === true || remote?.fields.includes('password') === true
  const all = [
    ...fields,
    ...(password ? [['password', passwordCell(remote?.before), passwordCell(remote?.after)]] : []),
  ]
  return (all.length > 0 ? all : [['', '', '']]).map((cells) => [...head, ...cells])
}

/** Returns `set` or `none` for a remote change, and nothing for our own (no `side`). The password itself is never known. */
const passwordCell = (side: { password?: boolean | undefined } | undefined): string => {
  if (side === undefined) return ''
  return side.password === true ? 'set' : 'none'
}

/** Returns the name, the former value and the new value of each changed setting. */
function fieldRows(before: Partial<WebsiteSettings>, after: Partial<WebsiteSettings>): Cells[] {
  const changed: SettingName[] = settingNames.filter(
    (name) =>
      (before[name] !== undefined || after[name] !== undefined) &&
      JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return changed.map((name) => [name, settingCell(name, before), settingCell(name, after)])
}
