import { expect, test } from 'vitest'
import { readRecord } from '../../../src/main/storage/websites.ts'

const KNOWN = { id: '7', domain: 'example.org', extra: {} }

test('drops the fields of a stored record that the schema does not have', () => {
  expect(readRecord(JSON.stringify({ ...KNOWN, other: 1, others: 7 }))).toStrictEqual(KNOWN)
})

test.each([
  ['a number that JSON can not hold', '"extra":{"n":1e999}'],
  ['an unknown privacy', '"extra":{},"privacy":3'],
  ['an id that leads a path elsewhere', '"extra":{},"id":".."'],
])('does not read a stored record with %s', (_name, fields) => {
  expect(readRecord(`{"id":"7","domain":"example.org",${fields}}`)).toBeNull()
})

test('does not read text that is not the JSON of a record', () => {
  for (const text of ['', '{', 'null', '[]', '"id"']) expect(readRecord(text)).toBeNull()
})
