import { expect, test } from 'vitest'
import { editSchema } from '../../../src/main/outbox/model/edit.ts'
import { readEdit } from '../../../src/main/storage/edits.ts'

const ROW = {
  ...{ seq: 7, id: 'e', website: 'k', kind: 'update', sealed: null, attempts: 0, changed_at: 1, state: 'queued' },
  ...{ settings: '{"email":true}', base: '{"settings":{"email":false}}', standing: '{"state":"queued"}' },
  ...{ sent: null, note: null },
}

test.each([
  ['that is queued', {}],
  ['with what it overwrites', { note: '{"overwrites":{"email":true}}' }],
  ['that is parked', { standing: '{"state":"parked","reason":"refused","error":null}' }],
  ['with unknown fields', { settings: '{"email":true,"other":1}', standing: '{"state":"queued","other":1}' }],
  ['that failed before', { sent: '{"before":"absent","date":null,"accepted":false,"doubted":true,"failures":2}' }],
])('reads an edit %s from disk with the same result as its schema', (_name, more) => {
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
  ['settings', { settings: '{"email":"yes"}' }],
  ['standing', { standing: '{"state":"flying"}' }],
  ['base', { base: '[]' }],
  ['note', { note: '{' }],
  ['number of attempts', { attempts: 1.5 }],
])('marks an edit whose %s can’t be read from disk as unreadable', (_name, more) => {
  expect(readEdit({ ...ROW, ...more }).standing).toEqual({ state: 'unreadable' })
})
