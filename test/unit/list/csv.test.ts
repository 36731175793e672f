import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOfJson } from '../../../src/renderer/lib/table-of-json.ts'
import { parsePastedTable } from '../../../src/renderer/features/bulk/rows.ts'

/** Generates lines of a list, with all characters that are special in CSV or spreadsheets. */
const entry = fc.string({ unit: fc.constantFrom(...'ab1.-_/:" ,;|\'=@+') }).map((text) => `${text.trim()}1`)
const website = fc.record({ domain: fc.domain(), exclude_ips: fc.array(entry), exclude_params: fc.array(entry) })

test('reads a pasted JSON list as a table', () => {
  fc.assert(
    fc.property(fc.array(website, { minLength: 1, maxLength: 20 }), (websites) => {
      const { heads, cells } = parsePastedTable(csvOfJson(JSON.stringify(websites)) ?? '')
      expect(heads).toEqual(['domain', 'exclude_ips', 'exclude_params'])
      const lines = (list: string[]) => list.join('\n').trim()
      expect(cells).toEqual(websites.map((one) => [one.domain, lines(one.exclude_ips), lines(one.exclude_params)]))
    }),
    { numRuns: 1000 },
  )
})

test('a table from pasted JSON has no cell that a spreadsheet would run as a formula', () => {
  const list = [{ domain: '=HYPERLINK("http://a.example")', exclude_ips: ['+1', '-1'], exclude_params: ['@SUM(1)'] }]
  expect(csvOfJson(JSON.stringify(list))).toBe(
    `domain,exclude_ips,exclude_params\n"'=HYPERLINK(""http://a.example"")","'+1\n'-1",'@SUM(1)`,
  )
})

test.each<[string, string, string[][]]>([
  ['one domain a line', 'a.example\n\nb.example', [['a.example'], ['b.example']]],
  [
    'a quote in the middle of a cell',
    'a "b" c,d\ne,f',
    [
      ['a "b" c', 'd'],
      ['e', 'f'],
    ],
  ],
  ['a quoted cell that goes on after its quote', '"a" b,c\nd,e', [['a" b,c\nd,e']]],
  ['a quote that never ends', 'a,"b\nc,d', [['a', 'b\nc,d']]],
  [
    'spaces after a quote',
    '"a" ,b\n"c",d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a table with the separator that makes the columns most even',
    'a;b,c;d\ne;f;g',
    [
      ['a', 'b,c', 'd'],
      ['e', 'f', 'g'],
    ],
  ],
  ['an empty text', '', []],
])('reads a pasted text into cells: %s', (_, text, cells) => {
  expect(parsePastedTable(text).cells).toEqual(cells)
})

test('reads any pasted text to its end and loses none of its letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a"\n,;\t| ') }), (text) => {
      const cells = parsePastedTable(text).cells.flat().join('')
      expect(cells.replaceAll(/[^a]/g, '')).toHaveLength(text.replaceAll(/[^a]/g, '').length)
    }),
    { numRuns: 3000 },
  )
})
