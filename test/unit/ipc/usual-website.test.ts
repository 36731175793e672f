import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commands } from '../../../src/preload/bridge.ts'
import { readRecord } from '../../../src/main/storage/read-record.ts'
import { isUsualRecord, isUsualUpdate, isUsualView } from '../../../src/shared/usual-website.ts'
import { websiteChangesSchema, websiteRecordSchema, websiteViewSchema } from '../../../src/shared/website.ts'

const BOTH = {
  domain: 'example.org',
  privacy: 2,
  email: true,
  password: false,
  exclude_bots: true,
  exclude_ips: ['192.0.2.1'],
  exclude_params: [],
  created_at: '2026-11-02 08:00:00',
  updated_at: '2026-11-03 09:00:00',
  extra: { plan: { name: 'Pro' }, favorite: null },
}
const RECORD = { ...BOTH, id: '7' }
const VIEW = { ...BOTH, id: '7', key: 'k', state: 'changed', pending: ['email', 'password'] }
const CHANGES = { privacy: 2, email: true, exclude_bots: true, exclude_ips: ['192.0.2.1'], exclude_params: [] }
const UPDATE = { key: 'k', changes: { ...CHANGES, password: 'secret' }, seen: CHANGES }
const updateShape = commands.updateWebsite.request
/** What says for itself what a view is, without the quick way. */
const [, viewShape] = websiteViewSchema.options

/** What a damaged file, or a mistake, may have in the place of a value; what is just within a bound, or just beyond it. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('.', '..', '\uD800', 'x'.repeat(1000), 'x'.repeat(1001), 0, 1, 2, 3, -1, 1.5, '2', null, 'email'),
  fc.constantFrom(['x'.repeat(1000)], ['x'.repeat(1001)], [1], [null], new Array(10_001).fill('x'), new Array(1)),
  fc.constantFrom(undefined, Infinity, NaN, new Map(), new Date(), { n: Infinity }, JSON.parse('{"__proto__":1}')),
)
const OTHERS = ['elsewhere', 'batch', '__proto__', 'constructor', 'other']
const LEFT_OUT = Symbol('left out')

const changed = (whole: object): fc.Arbitrary<unknown> => {
  const change = fc.tuple(fc.constantFrom(...Object.keys(whole), ...OTHERS), fc.oneof(odd, fc.constant(LEFT_OUT)))
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const made = new Map<string, unknown>([...Object.entries(whole), ...changes])
    return Object.fromEntries([...made].filter(([, value]) => value !== LEFT_OUT))
  })
}

test('what is usual is known as such', () => {
  expect(Object.keys(RECORD).toSorted()).toEqual(Object.keys(websiteRecordSchema.shape).toSorted())
  expect(isUsualRecord(RECORD)).toBe(true)
  expect(isUsualView(VIEW)).toBe(true)
  expect(isUsualUpdate(UPDATE)).toBe(true)
  expect(isUsualUpdate({ key: 'k', changes: { email: true } })).toBe(true)
  expect(isUsualView({ extra: {}, key: 'k', id: null, domain: 'a.example', state: 'new', pending: [] })).toBe(true)
})

test.each([
  ['record', isUsualRecord, websiteRecordSchema, RECORD],
  ['view', isUsualView, viewShape, VIEW],
  ['request for an update', isUsualUpdate, updateShape, UPDATE],
  [
    'request with odd changes',
    (changes: unknown) => isUsualUpdate({ key: 'k', changes }),
    websiteChangesSchema,
    UPDATE.changes,
  ],
] as const)(
  'a %s that is called usual fits its schema, and is left by it as it is',
  (_name, isUsual, schema, whole) => {
    let usual = 0
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: changed(whole) }, { weight: 1, arbitrary: odd }), (value) => {
        if (!isUsual(value)) return
        usual += 1
        const read = schema.safeParse(value)
        expect(read.success).toBe(true)
        expect(read.data).toStrictEqual(value)
      }),
      { numRuns: 3000 },
    )
    expect(usual).toBeGreaterThan(100)
    expect(usual).toBeLessThan(2500)
  },
)

test.each([
  ['a number that is none', '"extra":{"n":1e999}'],
  ['a field that nobody knows', '"extra":{},"other":1'],
  ['one of a view', '"extra":{},"elsewhere":7,"batch":7'],
  ['one that means something else to the language', '"extra":{"__proto__":{"a":1}},"__proto__":{"b":1}'],
  ['a privacy that is none', '"extra":{},"privacy":3'],
])('a record on disk with %s is read as its schema reads it', (_name, fields) => {
  const text = `{"id":"7","domain":"example.org",${fields}}`
  const { data = null } = websiteRecordSchema.safeParse(JSON.parse(text))
  expect(readRecord(text)).toStrictEqual(data)
})

test('what is no JSON any more is no record', () => {
  for (const text of ['', '{', 'null', '[]', '"id"']) expect(readRecord(text)).toBeNull()
})
