import * as fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { readTable } from '../../../src/main/bulk/table/read-table.ts'
import { escapedCell, unescapedCell, escapeFormulas } from '../../../src/shared/formula.ts'
import type { WebsiteView } from '../../../src/shared/website.ts'
import { codeOf } from '../outbox/rig.ts'
import { aWebsite, exportedTable, imported } from './table-rig.ts'

const nothing = { changes: [], additions: [], problems: [], ignored: [] }

/** Generates texts with all characters that are special in CSV or spreadsheets. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'01.-_/:" ,;|\'=@+#%€aeäß😀＝１') }),
  fc.constantFrom(
    '(none)',
    '(None)',
    'TRUE',
    'wahr',
    '007',
    '1e5',
    '2026-01-02',
    '=1+1',
    "'x",
    '#N/A',
    '192.168.100.200',
  ),
)
const list = fc.option(fc.array(text, { maxLength: 50 }), { nil: undefined })
const flag = fc.option(fc.boolean(), { nil: undefined })
const website = fc.record({
  domain: fc.oneof(fc.domain(), text),
  privacy: fc.constantFrom(0, 1, 2, undefined),
  ...{ email: flag, exclude_bots: flag, exclude_ips: list, exclude_params: list },
})

test('an exported list that is imported unchanged changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(website, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('csv', 'csv-semicolon'),
      async (some, format) => {
        const websites = some.map((one, n) => aWebsite(n, one as Partial<WebsiteView>))
        const table = await exportedTable(websites, format)
        expect(await imported(table, websites)).toEqual({ ...nothing, rows: some.length, same: some.length })
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['a formula', ['=1+1', '+1', '-1', '@a', '\tx', "'a", '＝1']],
  ['a number', ['007', '12345678901', '1.5', '1,5', '-5', '1e5', '50%', '5 €', '$5', '１２', '½', '192.168.100.200']],
  [
    'a date or a time',
    ['2026-01-02', '2026-01-02T03:04:05Z', '1/2', '1.2.26', '5.mar', 'jan-5', 'mar2', '12:30', '5 pm'],
  ],
  ['true or false', ['TRUE', 'false', 'Wahr', 'VRAI', 'verdadero', 'falso']],
  ['an error', ['#N/A', '#REF!']],
  ['the word that empties a list', ['(none)', '(None)']],
])('writes an apostrophe before a cell that a spreadsheet or the import would read as %s', (_, cells) => {
  for (const cell of cells) {
    expect(escapedCell(cell)).toBe(`'${cell}`)
    expect(unescapedCell(escapedCell(cell))).toBe(cell)
  }
})

/** Generates texts of characters that may start a cell, a formula or an escaped formula in a spreadsheet. */
const formulas = fc.string({ unit: fc.constantFrom(...`ab,;\t\n"'=+-@＝`) })

test('a spreadsheet with any separator finds no formula in an exported cell, and an import reads the cell unchanged', () => {
  fc.assert(
    fc.property(formulas, formulas, (before, cell) => {
      expect(unescapedCell(escapedCell(cell))).toBe(cell)
      expect(unescapedCell(escapeFormulas(cell))).toBe(cell)
      for (const escape of [escapedCell, escapeFormulas])
        for (const written of [',', ';']) {
          const text = Papa.unparse([[before, cell, 'x'].map(escape)], { delimiter: written })
          for (const separator of [',', ';', '\t']) expect(cellsIn(text, separator).filter(isFormula)).toEqual([])
        }
    }),
    { numRuns: 2000 },
  )
})

const isFormula = (cell: string): boolean => /^[=+\-@＝]/.test(cell)

/** Splits a line as spreadsheets do: quotation marks inside a cell are ordinary characters. */
function cellsIn(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let rest = text; ;) {
    const quoted = /^"(?:[^"]|"")*"?/.exec(rest)?.[0] ?? ''
    const plain = rest.slice(quoted.length).split(new RegExp(`[${separator}\r\n]`), 1)[0] ?? ''
    cells.push(quoted.replace(/^"/, '').replace(/"$/, '').replaceAll('""', '"') + plain)
    rest = rest.slice(quoted.length + plain.length)
    if (rest === '') return cells
    rest = rest.slice(1)
  }
}

test.each([
  '17',
  '0',
  'a.example',
  'shop24.example',
  '4-you.de',
  'xn--bcher-kva.example',
  'пример.xn--p1ai',
  '10.0.0.1',
])('writes the cell %s unchanged', (cell) => expect(escapedCell(cell)).toBe(cell))

const two = [aWebsite(1), aWebsite(2, { exclude_ips: ['10.0.0.1'], exclude_params: ['ref'] })]
const edit = 'id,domain,email,privacy,exclude_ips\n1,site-1.example,TRUE,Öffentlich,10.0.0.9\n2,,,,(none)\n'
/** The changes in the table {@link edit}. */
const changes = [
  {
    ...{ row: 2, key: 'w1', domain: 'site-1.example' },
    from: { email: false, privacy: 1, exclude_ips: [] },
    to: { email: true, privacy: 0, exclude_ips: ['10.0.0.9'] },
  },
  { row: 3, key: 'w2', domain: 'site-2.example', from: { exclude_ips: ['10.0.0.1'] }, to: { exclude_ips: [] } },
]

const cp1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

test.each<[string, string | Uint8Array]>([
  ['commas', edit],
  ['semicolons', edit.replaceAll(',', ';')],
  ['tabs', edit.replaceAll(',', '\t')],
  ['quotes', edit.replaceAll(/[^,\n]+/g, '"$&"')],
  ['a byte order mark', `\uFEFF${edit}`],
  ['line ends of Windows', edit.replaceAll('\n', '\r\n')],
  ['line ends of an old Mac', edit.replaceAll('\n', '\r')],
  ['a first line that names the separator for Excel', `sep=;\r\n${edit.replaceAll(',', ';')}`],
  ['UTF-16', utf16(edit.replaceAll(',', '\t'))],
  ['UTF-16, big-endian', utf16(edit).swap16()],
  ['Windows-1252', cp1252(edit)],
])('reads a table with %s', async (_, table) => {
  expect(await imported(table, two)).toMatchObject({ ...nothing, changes, same: 0 })
})

test('reads umlauts and the euro sign in Windows-1252', async () => {
  const { changes } = await imported(cp1252('id,exclude_params\n1,ä€ß\n'), two)
  expect(changes).toMatchObject([{ to: { exclude_params: ['ä€ß'] } }])
})

test('reads on and off in five languages', async () => {
  const on = ['TRUE', 'on', '1', 'WAHR', 'ja', 'Ein', 'VRAI', 'oui', 'VERDADERO', 'Sí', 'オン', 'はい']
  const off = ['FALSE', 'off', '0', 'FALSCH', 'nein', 'Aus', 'FAUX', 'non', 'FALSO', 'no', 'オフ', 'いいえ']
  const websites = on.map((_, n) => aWebsite(n))
  const table = on.map((word, n) => `${String(n)},${word},${off[n] ?? ''}`).join('\n')
  const { changes } = await imported(`id,email,exclude_bots\n${table}`, websites)
  expect(changes.map(({ to }) => to)).toEqual(on.map(() => ({ email: true, exclude_bots: false })))
})

test('finds a website by its id, or without an id by its domain, and leaves websites without a row alone', async () => {
  const table = 'email,URL,id\non,,2\non,HTTPS://Site-1.example/,\n'
  const { changes, same } = await imported(table, [...two, aWebsite(3)])
  expect(changes.map(({ key, to }) => [key, to])).toEqual([
    ['w2', { email: true }],
    ['w1', { email: true }],
  ])
  expect(same).toBe(0)
})

test('reads new websites with the defaults for empty cells', async () => {
  const table = 'domain,email,exclude_ips\nBücher.example,ja,"10.0.0.1, 10.0.0.0/8"\n'
  expect(await imported(table, two)).toEqual({
    ...{ ...nothing, rows: 1, same: 0 },
    additions: [
      {
        row: 2,
        draft: {
          ...{ domain: 'Bücher.example', privacy: 1, email: true, exclude_bots: true },
          ...{ exclude_ips: ['10.0.0.1', '10.0.0.0/8'], exclude_params: [] },
        },
      },
    ],
  })
})

test('splits a line of several addresses, but neither a line that the website already has nor a parameter', async () => {
  const websites = [aWebsite(1, { exclude_ips: ['10.0.0.1, 10.0.0.2'] })]
  const { changes } = await imported(
    'id,exclude_ips,exclude_params\n1,"10.0.0.1, 10.0.0.2\n::1; ::2","a,b c"',
    websites,
  )
  expect(changes.map(({ to }) => to)).toEqual([
    { exclude_ips: ['10.0.0.1, 10.0.0.2', '::1', '::2'], exclude_params: ['a,b c'] },
  ])
})

test.each<[string, string, object[]]>([
  ['a switch that is neither on nor off', 'id,email\n1,maybe', [{ kind: 'switch', column: 'email', value: 'maybe' }]],
  ['an unknown choice', 'id,privacy\n1,secret', [{ kind: 'choice', column: 'privacy', value: 'secret' }]],
  ['a switch that is emptied', 'id,email\n1,(none)', [{ kind: 'clear', column: 'email' }]],
  [
    'the domain of another website',
    'id,domain,email\n1,b.example,on',
    [{ kind: 'renamed', column: null, value: 'b.example' }],
  ],
  ['a text that is not a domain', 'domain\nnot one', [{ kind: 'domain', column: 'domain', value: 'not one' }]],
  ['a password that is missing', 'id,privacy\n1,password', [{ kind: 'password', column: 'privacy' }]],
  ['a new website with a password', 'domain,privacy\nn.example,2', [{ kind: 'password', column: 'privacy' }]],
  [
    'a list that is too long',
    `id,exclude_params\n1,${'a'.repeat(70_000)}`,
    [{ kind: 'invalid', column: 'exclude_params' }],
  ],
  ['a row without an id and a domain', 'id,domain,email\n,,on', [{ kind: 'blank', column: null }]],
  ['too many cells', 'id,exclude_ips,email\n1,10.0.0.1,10.0.0.2,on', [{ kind: 'cells', column: null }]],
  [
    'a website that no longer exists',
    'id,domain,email\n9,site-1.example,on',
    [{ kind: 'gone', column: null, value: '9' }],
  ],
  ['a website that is being deleted', 'id,email\n3,on', [{ kind: 'gone' }]],
  ['two websites with this domain', 'domain,email\nsame.example,on', [{ kind: 'ambiguous' }]],
])('reports %s, and changes nothing there', async (_, table, problems) => {
  const same = { domain: 'same.example' }
  const websites = [...two, aWebsite(3, { state: 'deleting' }), aWebsite(4, same), aWebsite(5, same)]
  expect(await imported(table, websites)).toMatchObject({
    ...{ changes: [], additions: [] },
    problems: problems.map((problem) => ({ row: 2, ...problem })),
  })
})

test('names the column of a problem by its heading in the table', async () => {
  const table = "URL,'Reports ,Visibility\nsite-1.example,maybe,secret\nnot one,,\nn.example,,2\n"
  const { problems } = await imported(table, two)
  expect(problems.map(({ row, column }) => [row, column])).toEqual([
    [2, 'Reports'],
    [2, 'Visibility'],
    [3, 'URL'],
    [4, 'Visibility'],
  ])
})

test('writes nothing to a wrong website if one column of the table was sorted alone', async () => {
  const websites = [1, 2, 3, 4].map((n) => aWebsite(n, { exclude_params: [`of-${n}`] }))
  const rows = [1, 2, 3, 4].map((n) => `site-${n}.example,of-${n},on`)
  const table = (ids: number[]) => ['id,domain,exclude_params,email', ...rows.map((row, at) => `${ids[at]},${row}`)]
  const { changes, additions, problems } = await imported(table([4, 2, 3, 1]).join('\n'), websites)
  expect(changes.map(({ key, to }) => [key, to])).toEqual([
    ['w2', { email: true }],
    ['w3', { email: true }],
  ])
  expect(additions).toEqual([])
  expect(problems.map(({ row, kind, domain, value }) => [row, kind, domain, value])).toEqual([
    [2, 'renamed', 'site-4.example', 'site-1.example'],
    [5, 'renamed', 'site-1.example', 'site-4.example'],
  ])
})

test('reports a second row of a website, with the row number of the spreadsheet despite empty rows and multi-line cells', async () => {
  const table =
    'id,domain,email,exclude_ips\n1,,on,"10.0.0.1\n10.0.0.2"\n,,,\n,site-1.example,off,\n,n.example,,\n,N.example,,'
  const { changes, additions, problems } = await imported(table, two)
  expect(changes.map(({ to }) => to)).toEqual([{ email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] }])
  expect(additions.map(({ row }) => row)).toEqual([5])
  expect(problems.map(({ row, kind, other }) => [row, kind, other])).toEqual([
    [4, 'repeated', 2],
    [6, 'repeated', 5],
  ])
})

test('applies the other cells of a row in which one cell has a problem', async () => {
  const { changes, problems } = await imported('id,email,exclude_bots\n1,maybe,off', two)
  expect(changes.map(({ to }) => to)).toEqual([{ exclude_bots: false }])
  expect(problems).toHaveLength(1)
})

test('names the columns that the import ignores, among them a column of passwords', async () => {
  const table = 'domain,Notes,password,url,state,created_at\nsite-1.example,x,hunter2,y,new,2026'
  expect(await imported(table, two)).toEqual({ ...nothing, rows: 1, same: 1, ignored: ['Notes', 'password', 'url'] })
})

test('names a filled column without a heading by its letter, and says nothing about an empty one', async () => {
  const far = ','.repeat(25)
  const table = `domain,,email,${far}\nsite-1.example,,,x${far}\nsite-2.example,,,${far}y\n`
  expect(await imported(table, two)).toEqual({ ...nothing, rows: 2, same: 2, ignored: ['D', 'AC'] })
})

test.each<[string, string | Uint8Array, string]>([
  ['a letter', 'Dear Ada,\nthis is a letter.', 'not-a-table'],
  ['an empty file', '', 'not-a-table'],
  ['a table without ids and domains', 'email,privacy\non,public', 'not-a-table'],
  ['a quotation mark that is never closed', 'id,email\n1,"on\n2,off', 'unmatched-quotes'],
  ['an Excel workbook', Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1'), 'not-text'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]), 'not-text'],
  ['UTF-16 without a byte order mark', Buffer.from('id,email\n1,on', 'utf16le'), 'not-text'],
  ['too many rows', `domain\n${'a.example\n'.repeat(20_001)}`, 'table-too-large'],
])('refuses %s', (_, table, code) => {
  expect(codeOf(readTable(typeof table === 'string' ? Buffer.from(table) : table))).toBe(code)
})

test('never throws, whatever bytes it reads', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('', 'id,domain\n', 'domain;email\n'),
      (bytes, heads) => {
        readTable(Buffer.concat([Buffer.from(heads), bytes]))
      },
    ),
    { numRuns: 2000 },
  )
})
