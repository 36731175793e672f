import Papa from 'papaparse'
import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../shared/result.ts'
import { choiceName, mapSettings, LINE_SEPARATOR, type NameOf, type SettingName } from '../../shared/fields.ts'
import { serializeTags } from '../../shared/tags.ts'
import { escapedCell } from '../../shared/formula.ts'
import { cellSeparators, type ListFormat } from '../../shared/list-settings.ts'
import type { Filter } from '../../shared/search.ts'
import type { WebsiteSettings, WebsiteView } from '../../shared/website.ts'
import type { OrderedQuery } from './find.ts'
import type { View } from './view.ts'

/** The websites to export, and the format of the file. */
export interface ListFileRequest {
  format: ListFormat
  query: OrderedQuery & { filters: Filter[] }
  /** Keys of the chosen websites, or with `all` the keys of websites to leave out. */
  chosen: { all: boolean; keys: string[] }
  /** True to add columns for tags and notes to a table. */
  includeLocal?: boolean
}

/** The exported list. */
export interface ListFileContent {
  /** The text of the file, in parts. */
  pieces: string[]
  websiteCount: number
}

/** Formatting this many websites takes a few milliseconds. */
const SLICE = 50
const WEBSITES_PER_REPORT = 10 * SLICE

const JSON_FILE_DESCRIPTION =
  'Websites as Siteward shows them, including pending changes. Fields and values are those of the service’s interface. ' +
  'Statistics passwords aren’t included.'

/**
 * Returns the list as a file, without secrets and unknown fields. Works in slices; leaves out websites that are removed
 * meanwhile. `onProgress` returns false to stop the export; the result is then null. Errors: `storage`.
 */
export async function formatListFile(
  view: Pick<View, 'keys' | 'websites'>,
  { format, query, chosen, includeLocal = false }: ListFileRequest,
  onProgress: (done: number, total: number) => boolean = () => true,
): Promise<Result<ListFileContent | null>> {
  const keys = await chosenKeysInOrder(view, query, chosen)
  if (!keys.ok) return keys
  const { head, slice, tail } = format === 'json' ? asJson() : asCsv(cellSeparators[format], includeLocal)
  const pieces = [head]
  let websiteCount = 0
  for (let at = 0; at < keys.value.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (at > 0 && at % WEBSITES_PER_REPORT === 0 && !onProgress(at, keys.value.length)) return ok(null)
    const rows = view.websites(keys.value.slice(at, at + SLICE))
    if (!rows.ok) return rows
    if (rows.value.length > 0) pieces.push(slice(rows.value, websiteCount === 0))
    websiteCount += rows.value.length
  }
  return ok({ pieces: [...pieces, tail], websiteCount })
}

/** Returns the keys in the order of the list. Websites that no longer match come last. */
async function chosenKeysInOrder(
  view: Pick<View, 'keys'>,
  query: ListFileRequest['query'],
  { all, keys: chosenKeys }: ListFileRequest['chosen'],
): Promise<Result<string[]>> {
  const matching = await view.keys(query, 0, Infinity)
  if (!matching.ok) return matching
  const chosen = new Set(chosenKeys)
  if (all) return ok(matching.value.filter((key) => !chosen.has(key)))
  const inOrder = matching.value.filter((key) => chosen.delete(key))
  return ok([...inOrder, ...chosen])
}

/** How the websites are written as text. `slice` returns the text of some of them. */
interface FileFormat {
  head: string
  slice: (rows: WebsiteView[], first: boolean) => string
  tail: string
}

/** The first columns are those that "Add multiple" accepts. A field that the service doesn't show is empty. */
const csvFields: Record<string, (website: WebsiteView) => string | null | undefined> = {
  domain: ({ domain }) => domain,
  ...mapSettings((name) => (website) => settingCell(name, website)),
  id: ({ id }) => id,
  // The column is not called "password": "Add multiple" would take its "on" for a password.
  password_set: ({ password }) => onOff(password),
  created_at: ({ created_at: at }) => at,
  updated_at: ({ updated_at: at }) => at,
  state: ({ state }) => state,
  pending: ({ pending }) => pending.join(LINE_SEPARATOR),
}

/** Only in the file if the user has any tags or notes. */
const tagAndNoteColumns: typeof csvFields = {
  tags: ({ tags = [] }) => serializeTags(tags),
  note: ({ note }) => note,
}

/** Returns the text of a setting in a table, or undefined if the setting is not given. */
export function settingCell(name: SettingName, settings: Partial<WebsiteSettings>): string | undefined {
  const value = settings[name]
  if (Array.isArray(value)) return value.join(LINE_SEPARATOR)
  return typeof value === 'number' ? choiceName(name as NameOf<'choice'>, value) : onOff(value)
}

const onOff = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'on' : 'off')

/** Begins with a byte order mark, without which spreadsheets would not read the file as UTF-8. */
function asCsv(delimiter: string, includeLocal: boolean): FileFormat {
  const lines = (rows: unknown[][]) => `${Papa.unparse(rows, { delimiter })}\r\n`
  const fields = { ...csvFields, ...(includeLocal && tagAndNoteColumns) }
  const cells = Object.values(fields)
  return {
    head: `\uFEFF${lines([Object.keys(fields)])}`,
    slice: (rows) => lines(rows.map((website) => cells.map((cell) => escapedCell(cell(website) ?? '')))),
    tail: '',
  }
}

/** Writes one line per website. A field that the service doesn't show is absent. */
function asJson(): FileFormat {
  return {
    head: `{"format":"siteward-websites","version":1,"about":${JSON.stringify(JSON_FILE_DESCRIPTION)},\n"websites":[\n`,
    slice: (rows, first) => (first ? '' : ',\n') + rows.map((website) => JSON.stringify(toJson(website))).join(',\n'),
    tail: '\n]}\n',
  }
}

function toJson(website: WebsiteView): Record<string, unknown> {
  const { domain, id, password, created_at, updated_at, state, pending } = website
  return {
    ...{ domain, ...mapSettings((name) => switchAsNumber(website[name])) },
    ...{ id, password_set: password, created_at, updated_at, state, pending },
  }
}

/** Writes a switch as in docs/interface.md#website-fields. */
const switchAsNumber = <T>(value: T): T | number => (typeof value === 'boolean' ? Number(value) : value)
