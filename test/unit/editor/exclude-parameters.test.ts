import { expect, test } from 'vitest'
import { tidiedList } from '../../../src/renderer/lib/exclude-list/lines.ts'
import { checkParameters } from '../../../src/renderer/lib/exclude-list/parameters.ts'

const findingsOf = (list: string) => checkParameters(list).map((finding) => ({ ...finding, text: undefined }))

test('reports nothing about names, not even about two that differ only in case', () => {
  expect(findingsOf('utm_source\nUTM_Source\nfb-clid[]\nsearch term')).toEqual([])
})

test.each([
  ['?utm_source=x&utm_medium=y', ['utm_source', 'utm_medium']],
  ['https://a.example/b?ref=1#top', ['ref']],
  ['utm_source=', ['utm_source']],
  ['gclid, fbclid', ['gclid', 'fbclid']],
  ['&&', null],
])('reports that %s is no name; suggestion: %j', (line, instead) => {
  expect(findingsOf(line)).toEqual([{ line: 1, kind: 'wrong', instead }])
})

test('reports that & alone excludes everything, so that the other lines have no effect', () => {
  expect(findingsOf('ref\n & \nref\n&')).toEqual([
    { line: 1, kind: 'covered', by: '&', at: 2 },
    { line: 2, kind: 'all' },
    { line: 3, kind: 'twice', as: 1 },
    { line: 4, kind: 'twice', as: 2 },
  ])
  expect(tidiedList('ref\n & \n&', checkParameters('ref\n & \n&'))).toBe('&')
})

test('reports a star, a space before a name, and a duplicate', () => {
  expect(findingsOf('utm_*\n ref\nref')).toEqual([
    { line: 1, kind: 'star' },
    { line: 2, kind: 'spaces' },
    { line: 3, kind: 'twice', as: 2 },
  ])
})
