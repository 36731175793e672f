import Papa from 'papaparse'
import { setImmediate } from 'node:timers/promises'
import { ok, type Result } from '../../shared/result.ts'
import { choiceName, forEachSetting, LINES_BETWEEN, type NameOf, type SettingName } from '../../shared/fields.ts'
import { FORMULA } from '../../shared/formula.ts'
import type { ListFormat } from '../../shared/list-settings.ts'
import type { Filter } from '../../shared/search.ts'
import type { WebsiteView } from '../../shared/website.ts'
import type { Ordered } from './found.ts'
import type { View } from './view.ts'

export interface WantedList {
  format: ListFormat
  query: Ordered & { filters: Filter[] }
  /** These, or (`all`) all that match but these. */
  chosen: { all: boolean; keys: string[] }
}

export interface ListFile {
  /** To be written one behind the other. */
  pieces: string[]
  websites: number
}

/** Websites that are written down in one turn: some milliseconds. */
const SLICE = 50
/** Of so many it's told how far it is. */
const TOLD = 10 * SLICE

const ABOUT =
  'Websites as Siteward shows them, with the changes that wait. Fields and values are those of the service’s interface; ' +
  'statistics passwords are never in it.'

/**
 * The list as the person sees it, as a file: no secret is in it, nor what the interface doesn't know. In slices, between
 * which others get their turn; a website that goes meanwhile is left out. `goOn` is told now and then how many are written
 * down, and answers whether the rest is wanted; null: it wasn't. Errors: `storage`.
 */
export async function listFile(
  view: Pick<View, 'keys' | 'several'>,
  { format, query, chosen }: WantedList,
  goOn: (done: number, total: number) => boolean = () => true,
): Promise<Result<ListFile | null>> {
  const keys = await wanted(view, query, chosen)
  if (!keys.ok) return keys
  const { head, slice, tail } = format === 'csv' ? asCsv() : asJson()
  const pieces = [head]
  let websites = 0
  for (let at = 0; at < keys.value.length; at += SLICE) {
    if (at > 0) await setImmediate()
    if (at > 0 && at % TOLD === 0 && !goOn(at, keys.value.length)) return ok(null)
    const rows = view.several(keys.value.slice(at, at + SLICE))
    if (!rows.ok) return rows
    if (rows.value.length > 0) pieces.push(slice(rows.value, websites === 0))
    websites += rows.value.length
  }
  return ok({ pieces: [...pieces, tail], websites })
}

/** In the order of the list; what was chosen and doesn't match any more comes last. */
async function wanted(
  view: Pick<View, 'keys'>,
  query: WantedList['query'],
  { all, keys: given }: WantedList['chosen'],
): Promise<Result<string[]>> {
  const matching = await view.keys(query, 0, Infinity)
  if (!matching.ok) return matching
  const chosen = new Set(given)
  if (all) return ok(matching.value.filter((key) => !chosen.has(key)))
  const inOrder = matching.value.filter((key) => chosen.delete(key))
  return ok([...inOrder, ...chosen])
}

interface Shape {
  head: string
  slice: (rows: WebsiteView[], first: boolean) => string
  tail: string
}

/** The columns that "Add several" knows first, so that such a file can be pasted there; what the service doesn't show is empty. */
const csvFields: Record<string, (website: WebsiteView) => string | null | undefined> = {
  domain: ({ domain }) => domain,
  ...forEachSetting((name) => (website) => cellOf(name, website)),
  id: ({ id }) => id,
  // Not "password": a yes would be pasted back as one.
  password_set: ({ password }) => onOff(password),
  created_at: ({ created_at: at }) => at,
  updated_at: ({ updated_at: at }) => at,
  state: ({ state }) => state,
  pending: ({ pending }) => pending.join(LINES_BETWEEN),
}

function cellOf(name: SettingName, website: WebsiteView): string | undefined {
  const value = website[name]
  if (Array.isArray(value)) return value.join(LINES_BETWEEN)
  return typeof value === 'number' ? choiceName(name as NameOf<'choice'>, value) : onOff(value)
}

const onOff = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'on' : 'off')

/** Begins with a mark of UTF-8, without which a spreadsheet reads it in an old code page. */
function asCsv(): Shape {
  const lines = (rows: unknown[][]) => `${Papa.unparse(rows, { escapeFormulae: FORMULA })}\r\n`
  const cells = Object.values(csvFields)
  return {
    head: `\uFEFF${lines([Object.keys(csvFields)])}`,
    slice: (rows) => lines(rows.map((website) => cells.map((cell) => cell(website)))),
    tail: '',
  }
}

/** One line for each website; a field that the service doesn't show isn't there. */
function asJson(): Shape {
  return {
    head: `{"format":"siteward-websites","version":1,"about":${JSON.stringify(ABOUT)},\n"websites":[\n`,
    slice: (rows, first) => (first ? '' : ',\n') + rows.map((website) => JSON.stringify(toJson(website))).join(',\n'),
    tail: '\n]}\n',
  }
}

function toJson(website: WebsiteView): Record<string, unknown> {
  const { domain, id, password, created_at, updated_at, state, pending } = website
  return {
    ...{ domain, ...forEachSetting((name) => asWritten(website[name])) },
    ...{ id, password_set: password, created_at, updated_at, state, pending },
  }
}

/** As docs/interface.md#website-fields has a switch. */
const asWritten = <T>(value: T): T | number => (typeof value === 'boolean' ? Number(value) : value)
