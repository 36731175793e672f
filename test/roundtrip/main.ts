/**
 * Opens an exported list in LibreOffice, saves it, and imports the result, which must change nothing. Then changes single cells
 * in LibreOffice, and only these may change. Needs Debian's package `libreoffice-calc`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareTable, type ComparedTable } from '../../src/main/bulk/table/compare-table.ts'
import { readTable } from '../../src/main/bulk/table/read-table.ts'
import { formatListFile } from '../../src/main/replica/list-file.ts'
import { ok, type Result } from '../../src/shared/result.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { EDITED_DOMAIN, websites } from './websites.ts'

/** `detect`: the option "Detect special numbers" of LibreOffice's import dialog, off by default. It also recognizes dates. */
const ways = [
  { name: 'English, commas', locale: 'en-US', format: 'csv', code: 44, detect: false },
  { name: 'German, semicolons', locale: 'de-DE', format: 'csv-semicolon', code: 59, detect: false },
  { name: 'English, commas, dates detected', locale: 'en-US', format: 'csv', code: 44, detect: true },
  { name: 'German, semicolons, dates detected', locale: 'de-DE', format: 'csv-semicolon', code: 59, detect: true },
] as const
type Way = (typeof ways)[number]

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

const view = {
  keys: () => Promise.resolve(ok(websites.map(({ key }) => key))),
  websites: (keys: readonly string[]) => ok(websites.filter(({ key }) => keys.includes(key))),
  lookUp: (wanted: readonly { id: string; domain: string }[]): Result<WebsiteView[][]> =>
    ok(wanted.map(({ id, domain }) => websites.filter((one) => (id === '' ? one.domain === domain : one.id === id)))),
}

async function imported(file: string): Promise<ComparedTable> {
  return must(await compareTable(view, must(readTable(readFileSync(file)))))
}

/** Converts a file in the folder with LibreOffice, whose profile is in the folder too. Returns the path of the new file. */
function convert({ locale, code, detect }: Way, folder: string, from: string, to: 'ods' | 'fods' | 'csv'): string {
  const profile = join(folder, 'profile')
  mkdirSync(join(profile, 'user'), { recursive: true })
  const item = `<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>`
  const settings = `<oor:items xmlns:oor="http://openoffice.org/2001/registry">${item}</oor:items>`
  writeFileSync(join(profile, 'user', 'registrymodifications.xcu'), settings)
  // https://wiki.documentfoundation.org/Documentation/DevGuide/Spreadsheet_Documents#Filter_Options_for_the_CSV_Filter
  const options = `${String(code)},34,76,1`
  const filter = { ods: 'ods', fods: 'fods', csv: `csv:Text - txt - csv (StarCalc):${options}` }[to]
  const infilter = from.endsWith('.csv') ? [`--infilter=CSV:${options},,0,false,${String(detect)}`] : []
  const out = join(folder, to)
  const args = ['--headless', ...infilter, '--convert-to', filter, '--outdir', out, join(folder, from)]
  execFileSync('soffice', [`-env:UserInstallation=file://${profile}`, ...args], { stdio: 'ignore' })
  return join(to, `list.${to}`)
}

/** Changes cells in the row of {@link EDITED_DOMAIN}, as a user would. */
function editCells(file: string): void {
  const text = readFileSync(file, 'utf8')
  const rows = text.split('<table:table-row')
  const at = rows.findIndex((row) => row.includes(`>${EDITED_DOMAIN}<`))
  const string = (...lines: string[]) =>
    `office:value-type="string" calcext:value-type="string">${lines.map((line) => `<text:p>${line}</text:p>`).join('')}`
  const boolean = (value: boolean) =>
    `office:value-type="boolean" office:boolean-value="${String(value)}" calcext:value-type="boolean">`
  const edits = [
    null,
    string('public'),
    boolean(true),
    boolean(false),
    string('10.0.0.1', '10.0.0.2'),
    string('(none)'),
  ]
  let nth = 0
  rows[at] = (rows[at] ?? '').replaceAll(/<table:table-cell [\s\S]*?<\/table:table-cell>/g, (cell) => {
    const edit = edits[nth++]
    return edit ? `<table:table-cell ${edit}</table:table-cell>` : cell
  })
  writeFileSync(file, rows.join('<table:table-row'))
}

/** The result of importing a table that changes nothing. */
const nothing = { changes: [], additions: [], problems: [], ignored: [], rows: websites.length, same: websites.length }
/** The values that {@link editCells} enters. */
const edited = {
  privacy: 0,
  email: true,
  exclude_bots: false,
  exclude_ips: ['10.0.0.1', '10.0.0.2'],
  exclude_params: [],
}

async function roundTrip(way: Way): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-roundtrip-'))
  try {
    const query = { search: '', filters: [], sort_by: 'id' as const, sort: 'asc' as const }
    const list = must(
      await formatListFile(view, { format: way.format, query, chosen: { all: true, keys: [] }, includeLocal: true }),
    )
    writeFileSync(join(folder, 'list.csv'), list?.pieces.join('') ?? '')
    const saved = convert(way, folder, convert(way, folder, 'list.csv', 'ods'), 'csv')
    assert.deepEqual(await imported(join(folder, saved)), nothing)
    const flat = convert(way, folder, 'list.csv', 'fods')
    editCells(join(folder, flat))
    const { changes, ...rest } = await imported(join(folder, convert(way, folder, flat, 'csv')))
    assert.deepEqual(
      changes.map(({ domain, to }) => ({ domain, to })),
      [{ domain: EDITED_DOMAIN, to: edited }],
    )
    assert.deepEqual({ ...rest, changes: [] }, { ...nothing, same: nothing.same - 1 })
    console.log(`${way.name}: ${String(websites.length)} websites unchanged, 5 changed cells found`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  execFileSync('soffice', ['--version'], { stdio: 'ignore' })
} catch {
  console.error('LibreOffice is missing. On Debian: apt-get install --no-install-recommends libreoffice-calc')
  process.exit(1)
}
for (const way of ways) await roundTrip(way)
