import * as fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { cellsOf, textOfCells } from '../../../src/renderer/state/many/csv.ts'

/** A table as people have one: a first column with something in it, and others beside it. */
const cell = fc.string({ unit: fc.constantFrom(...'ab1.-_/:"\n ,;|\t\'=@+') })
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.array(fc.tuple(fc.domain(), ...Array.from({ length: width - 1 }, () => cell)), { minLength: 1, maxLength: 20 }),
  )

test('what a spreadsheet writes is read as another reader reads it, whichever sign parts its columns', () => {
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t', '|'), fc.boolean(), (rows, delimiter, quotes) => {
      const written = Papa.unparse(rows, { delimiter, newline: '\n', quotes })
      const found = Papa.parse<string[]>(written, { delimitersToGuess: ['\t', ',', ';', '|'], newline: '\n' })
      // Which sign it is can only be guessed: where the other one guesses wrong nobody can tell.
      fc.pre(found.meta.delimiter === delimiter)
      expect(cellsOf(written)).toEqual(rows)
    }),
    { numRuns: 2000 },
  )
})

test('what is written is read again as it was, but for the sign before what looks like a formula', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const read = cellsOf(textOfCells(rows)).map((row) => row.map((one) => one.replace(/^'(?=['=+\-@\t\r\n])/, '')))
      expect(read).toEqual(rows)
    }),
  )
})

test.each<[string, string, string[][]]>([
  ['one domain a line', 'a.example\n\nb.example', [['a.example'], [''], ['b.example']]],
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
    'the sign that makes the columns most even',
    'a;b,c;d\ne;f;g',
    [
      ['a', 'b,c', 'd'],
      ['e', 'f', 'g'],
    ],
  ],
  ['a sign within quotes, which parts nothing', `a.example,"'\t"`, [['a.example', "'\t"]]],
  ['and more of them than parts the columns', 'a.example,";;"', [['a.example', ';;']]],
  ['nothing', '', [['']]],
])('%s', (_, text, cells) => {
  expect(cellsOf(text)).toEqual(cells)
})

test('any text is read to its end without falling over, and no line goes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a"\n,;\t| ') }), (text) => {
      const cells = cellsOf(text).flat().join('')
      expect(cells.replaceAll(/[^a]/g, '')).toHaveLength(text.replaceAll(/[^a]/g, '').length)
    }),
    { numRuns: 3000 },
  )
})
