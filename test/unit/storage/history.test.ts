import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HistoryRecord } from '../../../src/main/outbox/model/history-record.ts'
import type { LateWrite } from '../../../src/main/outbox/model/late-write.ts'
import { must } from '../outbox/rig.ts'
import { folder, reopen, store, tamper, useStore, write } from './rig.ts'

useStore()

const historyRecord = (id: string, website: string): HistoryRecord => ({
  ...{ id, website, domain: 'a.example', kind: 'update', became: 'sent', settings: { email: true }, password: false },
  ...{ before: {}, overwritten: {}, ignored: {}, at: 1, undone: false, putBack: false },
})

const lateWrite = (website: string): Omit<LateWrite, 'n'> => ({
  ...{ edit: 'e', website, domain: 'a.example', kind: 'update', settings: { email: true }, sent: null },
  ...{ sealed: Buffer.from('canary-carried'), expected: { email: false }, newest: null, updated_at: null },
})

test('counts mismatches until the user has looked at them, also over a restart', () => {
  write(() => {
    store.addHistoryRecord(historyRecord('e1', 'k'))
    store.addHistoryRecord({ ...historyRecord('e2', 'k'), ignored: { email: false } })
    store.addHistoryRecord({ ...historyRecord('e3', 'k'), became: 'repaired' })
  })
  expect(store.mismatches()).toBe(2)
  reopen()
  expect(store.mismatches()).toBe(2)
  must(store.mismatchesSeen())
  expect(store.mismatches()).toBe(0)
})

test('keeps the history over a restart, the latest entry first, and replaces the entry of an edit', () => {
  write(() =>
    ['e1', 'e2', 'e3'].forEach((id) => store.addHistoryRecord(historyRecord(id, id === 'e2' ? 'other' : 'k'))),
  )
  write(() => store.addHistoryRecord({ ...historyRecord('e1', 'k'), became: 'discarded' }))
  reopen()
  expect(store.historyRecords(0, 10, undefined).map(({ id, became }) => [id, became])).toEqual([
    ['e1', 'discarded'],
    ['e3', 'sent'],
    ['e2', 'sent'],
  ])
  expect(store.historyRecords(0, 10, 'other')).toEqual([historyRecord('e2', 'other')])
  expect([store.countHistoryRecords(undefined), store.countHistoryRecords('k')]).toEqual([3, 2])
})

test('hides an entry of the history that this version can’t read, and keeps it', () => {
  write(() => ['e1', 'e2'].forEach((id) => store.addHistoryRecord(historyRecord(id, 'k'))))
  tamper(`UPDATE history SET entry = '{"id"' WHERE id = 'e1'`)
  expect(store.historyRecords(0, 10, undefined).map(({ id }) => id)).toEqual(['e2'])
  expect(store.historyRecord('e1')).toBeNull()
  expect(store.countHistoryRecords(undefined)).toBe(2)
})

test('keeps a late write over a restart, and erases its password with it', () => {
  write(() => store.addLateWrite(lateWrite('k')))
  reopen()
  const [kept] = store.lateWritesOf('k')
  expect(kept).toMatchObject({ ...lateWrite('k'), sealed: expect.anything() })
  expect(Buffer.from(kept?.sealed ?? []).toString()).toBe('canary-carried')
  expect(store.lateWriteWebsites()).toEqual([{ website: 'k', latest: kept?.n }])
  write(() => store.removeLateWrite(kept?.n ?? 0))
  reopen(() => {
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes('canary')).toBe(false)
  })
})

test('reads an unreadable late write without values, and can remove it', () => {
  write(() => store.addLateWrite(lateWrite('k')))
  tamper(`UPDATE late_write SET request = 'x'`)
  expect(store.lateWritesOf('k')).toMatchObject([{ settings: {}, sealed: null, expected: {} }])
  write(() => store.removeLateWrite(store.lateWritesOf('k')[0]?.n ?? 0))
  expect(store.lateWriteWebsites()).toEqual([])
})

test('moves the late writes and history of a website to its key when two rows turn out to be one website', () => {
  write(() => store.addWebsite('mine', 'a.example'))
  const run = must(store.beginRun())
  must(
    store.savePage({ run, mark: store.mark(), position: 0, websites: [{ id: '1', domain: 'a.example', extra: {} }] }),
  )
  const stranger = store.websiteOfId('1')?.key ?? expect.fail('it was not kept')
  write(() => {
    store.addHistoryRecord(historyRecord('e', stranger))
    store.addLateWrite(lateWrite(stranger))
    store.acknowledge('mine', { id: '1', domain: 'a.example', extra: {} })
  })
  expect(store.historyRecords(0, 10, 'mine')).toHaveLength(1)
  expect(store.lateWritesOf('mine')).toHaveLength(1)
})
