import { setImmediate } from 'node:timers/promises'
import { joinSentences } from '../../../shared/display/format.ts'
import { comparableDomain } from '../../../shared/domain.ts'
import { choiceName, createDefaults, lacksPassword, listNames } from '../../../shared/fields.ts'
import type { WebsiteLocalData } from '../../../shared/local-data.ts'
import { parseRange } from '../../../shared/ip-range.ts'
import { ok, type FieldErrors, type Result } from '../../../shared/result.ts'
import type { CellProblem, TableAddition, TableChange, TableProblem } from '../../../shared/table.ts'
import { hasSameTags, MAX_TAGS, serializeTags } from '../../../shared/tags.ts'
import { checkChanges, checkDraft, tidyLines } from '../../../shared/validate.ts'
import { PRIVACY, type WebsiteSettings, type WebsiteView } from '../../../shared/website.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from '../../outbox/model/compare.ts'
import type { View } from '../../replica/view.ts'
import type { Table, TableRow } from './read-table.ts'

/** The effect of importing a table, from a comparison with the websites in the list. */
export interface ComparedTable {
  rows: number
  /** Number of websites that the table doesn't change. */
  same: number
  /** Headings of the columns that are not imported. */
  ignored: string[]
  changes: TableChange[]
  additions: TableAddition[]
  problems: TableProblem[]
}

/** Number of rows that are compared in one turn of the event loop, which takes a few milliseconds. */
const SLICE = 50
const ROWS_PER_REPORT = 10 * SLICE

/**
 * Compares a table with the websites that the user sees, in slices. Missing rows, empty cells and cells with a problem change
 * nothing. Refused rows are left out, and so are new websites with a problem in any cell. `tags`: the names of the account's
 * tags. `start`: the settings that a new website has unless the row sets them. Errors: `storage`.
 */
export async function compareTable(
  view: Pick<View, 'lookUp'>,
  { ignored, headings, rows }: Table,
  onProgress: (done: number, total: number) => void = () => {},
  tags: readonly string[] = [],
  start: Partial<WebsiteSettings> = {},
): Promise<Result<ComparedTable>> {
  const compared: ComparedTable = { rows: rows.length, same: 0, ignored, changes: [], additions: [], problems: [] }
  const compareRow = rowComparer(compared, headings, tags, start)
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (at % ROWS_PER_REPORT === 0) onProgress(at, rows.length)
    const slice = rows.slice(at, at + SLICE)
    const found = view.lookUp(slice.map(({ id, domain }) => ({ id, domain: comparableDomain(domain) })))
    if (!found.ok) return found
    slice.forEach((row, nth) => compareRow(row, found.value[nth] ?? []))
  }
  compared.problems.sort((a, b) => a.row - b.row)
  return ok(compared)
}

/** Adds a problem of the row that is being compared. */
type Report = (problem: CellProblem) => void

/** Returns a function that adds a row to `compared`. `found`: the websites with the id or the domain of the row. */
function rowComparer(
  compared: ComparedTable,
  headings: Table['headings'],
  tags: readonly string[],
  start: Partial<WebsiteSettings>,
) {
  /** Number of the row in which a website first occurs, by website key, or by domain if the website is new. */
  const seen = new Map<string, number>()
  const names = new Set(tags.map((name) => name.toLowerCase()))

  /** Removes the tags of a row and reports them, if they would give the account more than {@link MAX_TAGS} tags. */
  function withinLimit(row: TableRow, report: Report): TableRow {
    const { tags = [], note } = row.local
    const made = tags.map((name) => name.toLowerCase()).filter((name) => !names.has(name))
    if (made.length === 0 || names.size + made.length <= MAX_TAGS) {
      for (const name of made) names.add(name)
      return row
    }
    const problem: CellProblem = { kind: 'tags', column: 'tags', value: serializeTags(tags) }
    report(problem)
    return { ...row, local: note === undefined ? {} : { note }, problems: [...row.problems, problem] }
  }

  return (row: TableRow, found: readonly WebsiteView[]): void => {
    const report: Report = (problem) => {
      const column = problem.column && (headings[problem.column] ?? problem.column)
      compared.problems.push({ ...problem, column, row: row.row, domain: found[0]?.domain ?? row.domain })
    }
    row.problems.forEach(report)
    // A problem without a column means that the cells are misplaced, so the row is left out.
    if (row.problems.some(({ column }) => column === null)) return
    const existing = found.filter(({ state }) => state !== 'deleting')
    const [website] = existing
    const identity = website?.key ?? comparableDomain(row.domain)
    const refusal = refusalOf(row, existing, seen.get(identity))
    if (refusal !== null) return report({ column: null, value: row.id || row.domain, ...refusal })
    seen.set(identity, row.row)
    const rowInLimit = withinLimit(row, report)
    if (website === undefined) addNewWebsite(compared, rowInLimit, start, report)
    else addWebsiteChange(compared, rowInLimit, website, report)
  }
}

/**
 * Returns why a whole row is not imported, or null. `other`: the number of an earlier row for the same website. A row whose id
 * and domain belong to different websites is refused: the user may have sorted one column alone.
 */
function refusalOf(
  { id, domain }: TableRow,
  existing: readonly WebsiteView[],
  other: number | undefined,
): (Pick<CellProblem, 'kind' | 'other'> & { value?: string }) | null {
  if (id === '' && domain === '') return { kind: 'blank' }
  if (id !== '' && existing.length === 0) return { kind: 'gone' }
  if (existing.length > 1) return { kind: 'ambiguous' }
  const [website] = existing
  if (website && id !== '' && domain !== '' && !isDomainOf(website, domain)) return { kind: 'renamed', value: domain }
  return other === undefined ? null : { kind: 'repeated', other }
}

function addWebsiteChange(compared: ComparedTable, row: TableRow, website: WebsiteView, report: Report): void {
  const shown = tidySettings(website)
  const settings = { ...row.settings }
  if (settings.exclude_ips !== undefined) settings.exclude_ips = splitAddresses(settings.exclude_ips, shown.exclude_ips)
  if (settings.privacy === PRIVACY.password && website.privacy !== PRIVACY.password && lacksPassword(website)) {
    report({ kind: 'password', column: 'privacy', value: choiceName('privacy', settings.privacy) ?? '' })
    delete settings.privacy
  }
  const differing = namesIn(settings).filter((name) => !isSameIgnoringOrder(settings, shown, name))
  const errors = checkChanges(pickNamed(settings, differing), website)
  reportInvalid(errors, report)
  const names = differing.filter((name) => errors[name] === undefined)
  const local = tagsAndNoteChange(row.local, website)
  if (names.length === 0 && local === null) return void (compared.same += 1)
  const { key, domain, updated_at: at } = website
  const change = { row: row.row, key, domain, from: pickNamed(website, names), to: pickNamed(settings, names), at }
  compared.changes.push(local === null ? change : { ...change, local })
}

function tagsAndNoteChange(
  imported: TableRow['local'],
  { tags = [], note = '' }: WebsiteView,
): TableChange['local'] | null {
  const from: Partial<WebsiteLocalData> = {}
  const to: Partial<WebsiteLocalData> = {}
  if (imported.tags !== undefined && !hasSameTags(imported.tags, tags)) {
    from.tags = tags
    to.tags = imported.tags
  }
  if (imported.note !== undefined && imported.note !== note) {
    from.note = note
    to.note = imported.note
  }
  return Object.keys(to).length === 0 ? null : { from, to }
}

function addNewWebsite(compared: ComparedTable, row: TableRow, start: Partial<WebsiteSettings>, report: Report): void {
  const draft = { ...createDefaults, ...start, ...row.settings, domain: row.domain }
  draft.exclude_ips = splitAddresses(draft.exclude_ips)
  const { domain: noDomain, password: noPassword, ...errors } = checkDraft(draft)
  if (noDomain) report({ kind: 'domain', column: 'domain', value: row.domain })
  if (noPassword) report({ kind: 'password', column: 'privacy', value: choiceName('privacy', draft.privacy) ?? '' })
  reportInvalid(errors, report)
  // A new website is left out even if only one of its cells has a problem.
  const isValid = !noDomain && !noPassword && Object.keys(errors).length === 0 && row.problems.length === 0
  const { row: number, local } = row
  if (isValid) compared.additions.push({ row: number, draft, ...(Object.keys(local).length > 0 && { local }) })
}

function reportInvalid(errors: FieldErrors, report: Report): void {
  for (const [column, texts] of Object.entries(errors)) {
    report({ kind: 'invalid', column, value: '', message: joinSentences(texts) })
  }
}

const isDomainOf = ({ domain }: WebsiteView, cell: string): boolean =>
  cell === domain.trim() || comparableDomain(cell) === comparableDomain(domain)

/** The lists are trimmed like those of a table, so that spacing is no difference. */
const tidySettings = (website: WebsiteView): Partial<WebsiteSettings> => ({
  ...website,
  ...Object.fromEntries(listNames.flatMap((name) => (website[name] ? [[name, tidyLines(website[name])]] : []))),
})

/** Splits lines that hold several addresses, except lines that the website already has. */
function splitAddresses(lines: readonly string[], existing: readonly string[] = []): string[] {
  return lines.flatMap((line) => {
    const parts = line.split(/[\s,;]+/)
    return !existing.includes(line) && parts.every((part) => parseRange(part) !== null) ? parts : [line]
  })
}
