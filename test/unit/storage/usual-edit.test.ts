import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editSchema } from '../../../src/main/outbox/edit.ts'
import { readEdit } from '../../../src/main/storage/read-edit.ts'
import { isUsualEdit } from '../../../src/main/storage/usual-edit.ts'

const SETTINGS = { privacy: 2, email: true, exclude_bots: false, exclude_ips: ['192.0.2.1'], exclude_params: [] }
const EDIT = {
  id: 'e',
  seq: 7,
  website: 'k',
  kind: 'update',
  settings: SETTINGS,
  sealed: null,
  base: { settings: SETTINGS, updated_at: '2026-11-03 09:00:00' },
  standing: { state: 'sending' },
  attempts: 1,
  sent: { before: 'present', date: null, accepted: false, doubted: false },
  changedAt: 1,
}
const PARTS = [EDIT, EDIT.settings, EDIT.base, EDIT.standing, EDIT.sent]

/** What a damaged file, a newer version, or a mistake, may have in the place of a value. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(0, 1, 2, 3, -1, 1.5, 2 ** 60, '2', null, 'delete', 'parked', 'inDoubt', 'queued', 'absent'),
  fc.constantFrom<unknown>(
    undefined,
    Infinity,
    NaN,
    new Map(),
    new Date(),
    new Uint8Array(3),
    [1],
    [null],
    new Array(1),
  ),
  fc.constantFrom<unknown>(...PARTS, { ...EDIT.sent, failures: 2 }, { ...EDIT.base, before: {} }, { state: 'parked' }),
)
const OTHERS = ['note', 'failures', 'before', 'shown', 'reason', 'error', 'theirs', '__proto__', 'constructor', 'other']
const LEFT_OUT = Symbol('left out')

const changed = (whole: object): fc.Arbitrary<unknown> => {
  const change = fc.tuple(fc.constantFrom(...Object.keys(whole), ...OTHERS), fc.oneof(odd, fc.constant(LEFT_OUT)))
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const made = new Map<string, unknown>([...Object.entries(whole), ...changes])
    return Object.fromEntries([...made].filter(([, value]) => value !== LEFT_OUT))
  })
}
/** An edit of which any part is otherwise. */
const anyEdit = fc.oneof(
  changed(EDIT),
  ...(['settings', 'base', 'standing', 'sent'] as const).map((name) =>
    changed(EDIT[name]).map((part) => ({ ...EDIT, [name]: part })),
  ),
)

test('what is usual is known as such', () => {
  expect(isUsualEdit(EDIT)).toBe(true)
  expect(
    isUsualEdit({ ...EDIT, settings: {}, base: { settings: {} }, standing: { state: 'queued' }, sent: null }),
  ).toBe(true)
})

test('an edit that is called usual fits its schema, and is left by it as it is', () => {
  let usual = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: anyEdit }, { weight: 1, arbitrary: odd }), (value) => {
      if (!isUsualEdit(value)) return
      usual += 1
      const read = editSchema.safeParse(value)
      expect(read.success).toBe(true)
      expect(read.data).toStrictEqual(value)
    }),
    { numRuns: 5000 },
  )
  expect(usual).toBeGreaterThan(500)
  expect(usual).toBeLessThan(4500)
})

const ROW = {
  ...{ seq: 7, id: 'e', website: 'k', kind: 'update', sealed: null, attempts: 0, changed_at: 1, state: 'queued' },
  ...{ settings: '{"email":true}', base: '{"settings":{"email":false}}', standing: '{"state":"queued"}' },
  ...{ sent: null, note: null },
}

test.each([
  ['as it is', {}],
  ['with what it overwrites', { note: '{"overwrites":{"email":true}}' }],
  ['that needs the person', { standing: '{"state":"parked","reason":"refused","error":null}' }],
  ['with fields that nobody knows', { settings: '{"email":true,"other":1}', standing: '{"state":"queued","other":1}' }],
  ['that failed before', { sent: '{"before":"absent","date":null,"accepted":false,"doubted":true,"failures":2}' }],
])('an edit on disk %s is read as its schema reads it', (_name, more) => {
  const row = { ...ROW, ...more }
  const parsed = {
    ...row,
    ...{ settings: JSON.parse(row.settings), base: JSON.parse(row.base), standing: JSON.parse(row.standing) },
    sent: row.sent === null ? null : JSON.parse(row.sent),
    ...(row.note === null ? { note: undefined } : { note: JSON.parse(row.note) }),
    changedAt: row.changed_at,
  }
  expect(readEdit(row)).toEqual(editSchema.parse(parsed))
})

test.each([
  ['its settings', { settings: '{"email":"yes"}' }],
  ['its standing', { standing: '{"state":"flying"}' }],
  ['its base', { base: '[]' }],
  ['its note', { note: '{' }],
  ['its number of attempts', { attempts: 1.5 }],
])('of an edit on disk of which %s can not be understood nothing is sent', (_name, more) => {
  expect(readEdit({ ...ROW, ...more }).standing).toEqual({ state: 'unreadable' })
})
