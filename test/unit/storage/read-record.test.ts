import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRecord } from '../../../src/main/storage/read-record.ts'
import { websiteRecordSchema } from '../../../src/shared/website.ts'

const RECORD = {
  id: '7',
  domain: 'example.org',
  privacy: 2,
  email: true,
  password: false,
  exclude_bots: true,
  exclude_ips: ['192.0.2.1'],
  exclude_params: [],
  created_at: '2026-11-02 08:00:00',
  updated_at: '2026-11-03 09:00:00',
  extra: { plan: { name: 'Pro' } },
}
const names = Object.keys(websiteRecordSchema.shape)

/** What a damaged file may hold in the place of a value, and what is just within a bound or just beyond it. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('.', '..', '\uD800', 'x'.repeat(1000), 'x'.repeat(1001), 0, 1, 2, 3, -1, 1.5, '2'),
  fc.constantFrom(['x'.repeat(1000)], ['x'.repeat(1001)], [1], [null], new Array(10_001).fill('x')),
)

test('the record of the fixture has every field of the schema', () => {
  expect(Object.keys(RECORD).toSorted()).toEqual(names.toSorted())
})

test('a record is read as its schema reads it, whatever is there in its place', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(odd, { nil: undefined })), { maxLength: 3 })
  const asked = fc.oneof(
    { weight: 9, arbitrary: changes.map((all) => ({ ...RECORD, ...Object.fromEntries(all) })) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  let refused = 0
  fc.assert(
    fc.property(asked, (value) => {
      const text = JSON.stringify(value)
      const { data = null } = websiteRecordSchema.safeParse(JSON.parse(text))
      if (data === null) refused += 1
      expect(readRecord(text)).toEqual(data)
    }),
    { numRuns: 2000 },
  )
  expect(refused).toBeGreaterThan(200)
  expect(refused).toBeLessThan(1800)
})

test('what is no JSON any more is no record', () => {
  for (const text of ['', '{', 'null', '[]', '"id"']) expect(readRecord(text)).toBeNull()
})
