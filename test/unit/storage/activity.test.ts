import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ActivityFilter } from '../../../src/shared/activity.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import type { HistoryRecord } from '../../../src/main/outbox/model/history-record.ts'
import type { LateWrite } from '../../../src/main/outbox/model/late-write.ts'
import { must } from '../outbox/rig.ts'
import Database from 'better-sqlite3'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { activitySql } from '../../../src/main/storage/activity.ts'
import { ACTIVITY_LIMIT } from '../../../src/main/outbox/history.ts'
import { file, folder, record, reopen, store, tamper, useStore, write } from './rig.ts'

useStore()

const historyRecord = (id: string, website: string): HistoryRecord => ({
  ...{ id, website, domain: 'a.example', kind: 'update', became: 'sent', settings: { email: true }, password: false },
  ...{ before: {}, overwritten: {}, ignored: {}, at: 1, undone: false, putBack: false },
})

const lateWrite = (website: string): Omit<LateWrite, 'n'> => ({
  ...{ edit: 'e', website, domain: 'a.example', kind: 'update', settings: { email: true }, sent: null },
  ...{ sealed: Buffer.from('canary-carried'), expected: { email: false }, newest: null, updated_at: null },
})

test('counts mismatches until the user has looked at them, even over a restart', () => {
  write(() => {
    store.addHistoryRecord(historyRecord('e1', 'k'))
    store.addHistoryRecord({ ...historyRecord('e2', 'k'), ignored: { email: false } })
    store.addHistoryRecord({ ...historyRecord('e3', 'k'), became: 'repaired' })
  })
  expect(store.mismatches()).toBe(2)
  reopen()
  expect(store.mismatches()).toBe(2)
  must(store.activitySeen())
  expect(store.mismatches()).toBe(0)
})

test('keeps the history over a restart, the latest entry first, and replaces the entry of an edit', () => {
  write(() =>
    ['e1', 'e2', 'e3'].forEach((id) => store.addHistoryRecord(historyRecord(id, id === 'e2' ? 'other' : 'k'))),
  )
  write(() => store.addHistoryRecord({ ...historyRecord('e1', 'k'), became: 'discarded' }))
  reopen()
  expect(store.activity({ limit: 10 }).records.map(({ result, kind }) => [result?.id, kind])).toEqual([
    ['e1', 'resolved'],
    ['e3', 'delivered'],
    ['e2', 'delivered'],
  ])
  expect(store.historyRecords('other', 10)).toEqual([historyRecord('e2', 'other')])
  expect([store.countHistoryRecords('other'), store.countHistoryRecords('k')]).toEqual([1, 2])
})

test('hides entries that this version can’t read, and keeps them', () => {
  write(() => {
    for (const id of ['e1', 'e2']) store.addHistoryRecord(historyRecord(id, 'k'))
    store.addStep({ website: 'k', domain: 'a.example', kind: 'failed', at: 2 }, { kind: 'update', reason: 'refused' })
  })
  tamper(
    `UPDATE activity SET entry = '{"id"' WHERE edit = 'e1'; UPDATE activity SET entry = '[]' WHERE kind = 'failed'`,
  )
  expect(store.activity({ limit: 10 })).toMatchObject({ records: [{ result: { id: 'e2' } }], next: null })
  expect(store.historyRecord('e1')).toBeNull()
  expect(store.countHistoryRecords('k')).toBe(2)
})

test('keeps a late write over a restart, and erases its password from the file when the late write is removed', () => {
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
  expect(store.historyRecords('mine', 10)).toHaveLength(1)
  expect(store.lateWritesOf('mine')).toHaveLength(1)
})

function refresh(at: number, ...websites: ReturnType<typeof record>[]): void {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, at, websites }))
  for (const { key } of store.missing(run)) must(store.removeMissing(key, store.mark(), at))
  must(store.completeRun(run, at))
}

const remote = () =>
  store
    .activity({ author: 'remote', limit: 100 })
    .records.map(({ domain, kind, at, remote }) => [domain, kind, at, remote])

test('records no remote change if a lagging host shows a website once more after the user has deleted it, even after a restart', () => {
  refresh(10, record('1'), record('2'))
  write(() => store.acknowledgeDelete(store.websiteOfId('1')?.key ?? ''))
  reopen()
  refresh(20, record('1'), record('2'))
  refresh(30, record('2'))
  expect(remote()).toEqual([])
})

test('records which websites other clients have added, changed and deleted, with the values, but none at the first refresh', () => {
  refresh(10, record('1'), record('2'))
  expect(remote()).toEqual([])
  refresh(20, { ...record('1'), email: true, privacy: 0 }, record('3'))
  expect(remote()).toEqual([
    ['2.example', 'deleted', 20, { fields: ['domain', 'privacy'], before: { privacy: 1 }, after: {} }],
    ['3.example', 'added', 20, { fields: ['domain', 'privacy'], before: {}, after: { privacy: 1 } }],
    [
      '1.example',
      'changed',
      20,
      { fields: ['privacy', 'email'], before: { privacy: 1 }, after: { privacy: 0, email: true } },
    ],
  ])
  refresh(30, { ...record('1'), email: true, privacy: 0 }, record('3'))
  expect(remote()).toHaveLength(3)
})

test.each([
  ['can', 3],
  ['cannot', 1],
])(
  'after a restore, reports new remote changes once if the activity of the damaged file %s be read',
  async (can, listed) => {
    refresh(10, record('1'))
    must(await store.backUp())
    refresh(20, record('1'), record('2'), record('3'))
    expect(must(store.takeRemoteNews())?.summary).toMatchObject({ added: 2 })
    reopen(() => {
      const db = new Database(file)
      if (can === 'cannot') db.exec('ALTER TABLE activity RENAME TO lost')
      // Another application id in the header makes the file count as damaged.
      db.pragma('application_id = 7')
      db.close()
      must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
    })
    refresh(30, record('1'), record('2'), record('3'))
    expect(must(store.takeRemoteNews())).toBeNull()
    refresh(40, record('1'), record('2'), record('3'), record('4'))
    expect(must(store.takeRemoteNews())?.summary).toMatchObject({ added: 1 })
    expect(must(store.takeRemoteNews())).toBeNull()
    expect(remote()).toHaveLength(listed)
    // No entry of the history is about a missing website.
    for (const { website } of store.activity({ author: 'remote', limit: 100 }).records)
      expect(store.website(website)).not.toBeNull()
  },
)

test('reports the number of remote changes by kind once, even over restarts', () => {
  refresh(10, record('1'), record('2'), record('3'))
  expect(must(store.takeRemoteNews())).toBeNull()
  refresh(20, { ...record('1'), privacy: 0 }, { ...record('2'), email: true }, record('4'))
  reopen()
  expect(must(store.takeRemoteNews())?.summary).toEqual({ added: 1, changed: 1, published: 1, deleted: 1 })
  reopen()
  expect(must(store.takeRemoteNews())).toBeNull()
  write(() => store.addHistoryRecord(historyRecord('e', 'k')))
  expect(must(store.takeRemoteNews())).toBeNull()
  refresh(30, { ...record('1'), privacy: 1 }, { ...record('2'), email: true }, record('4'))
  expect(must(store.takeRemoteNews())?.summary).toEqual({ added: 0, changed: 1, published: 0, deleted: 0 })
})

test('finds exactly the remote changes that a notification counted, even page by page, and none that were removed', () => {
  refresh(10, record('1'), record('2'), record('3'), record('4'), record('5'))
  refresh(20, { ...record('1'), privacy: 0 }, record('2'), record('3'), record('4'), record('5'))
  must(store.takeRemoteNews())
  const rest: WebsiteRecord[] = [{ ...record('1'), privacy: 0 }, record('6'), record('7')]
  refresh(20, ...rest, { ...record('2'), email: true }, { ...record('3'), privacy: 0 })
  write(() => store.addHistoryRecord({ ...historyRecord('e', 'k'), at: 20 }))
  const { summary, ...entries } = must(store.takeRemoteNews()) ?? expect.fail('no news')
  expect(summary).toEqual({ added: 2, changed: 1, published: 1, deleted: 2 })
  refresh(20, ...rest)
  const notified: NonNullable<ActivityFilter['notified']> = { ...entries, groups: ['deleted', 'published'] }
  const found = (query: Partial<typeof notified> = {}, filter: object = {}) =>
    store
      .activity({ ...filter, notified: { ...notified, ...query }, limit: 10 })
      .records.map(({ domain, kind }) => `${domain} ${kind}`)
      .toSorted()
  expect(found()).toEqual(['3.example changed', '4.example deleted', '5.example deleted'])
  expect(found({}, { author: 'remote', kind: 'deleted' })).toEqual(['4.example deleted', '5.example deleted'])
  expect(found({}, { author: 'own' })).toEqual([])
  expect(found({ groups: ['published'] })).toEqual(['3.example changed'])
  expect(found({ groups: ['changed'] })).toEqual(['2.example changed'])
  expect(found({}, { from: 21 })).toEqual([])
  const query = { notified, limit: 2 }
  const first = store.activity(query)
  expect(first.records).toHaveLength(2)
  expect(store.activity({ ...query, ...(first.next && { after: first.next }) }).records).toHaveLength(1)
  must(store.pruneActivity(21))
  refresh(30, { ...record('1'), privacy: 0 }, record('6'))
  expect(found()).toEqual([])
})

test('filters the activity by website, domain, kind, author and time, and continues after a page', () => {
  refresh(10, record('1'), record('2'))
  refresh(20, { ...record('1'), email: true }, { ...record('2'), email: true })
  write(() => {
    store.addHistoryRecord({ ...historyRecord('e1', 'k'), at: 30 })
    store.addHistoryRecord({ ...historyRecord('e2', 'k'), at: 40, became: 'undone' })
    store.addStep({ website: 'k', domain: 'a.example', kind: 'failed', at: 50 }, { kind: 'update', reason: 'refused' })
  })
  const found = (query: object) =>
    store.activity({ ...query, limit: 10 }).records.map(({ domain, kind, at }) => `${domain} ${kind} ${String(at)}`)
  expect(found({})).toEqual([
    'a.example failed 50',
    'a.example undone 40',
    'a.example delivered 30',
    '2.example changed 20',
    '1.example changed 20',
  ])
  expect(found({ website: 'k' })).toHaveLength(3)
  expect(found({ website: 'k', results: true })).toEqual(['a.example undone 40', 'a.example delivered 30'])
  expect(found({ domain: '1.example' })).toEqual(['1.example changed 20'])
  expect(found({ domain: '1.example', author: 'own' })).toEqual([])
  expect(found({ kind: 'undone' })).toEqual(['a.example undone 40'])
  expect(found({ author: 'remote' })).toEqual(['2.example changed 20', '1.example changed 20'])
  expect(found({ from: 20, until: 40 })).toHaveLength(3)
  expect(found({ author: 'own', from: 40 })).toHaveLength(2)
  expect(found({ kind: 'undone', author: 'own' })).toEqual(['a.example undone 40'])
  expect(found({ kind: 'undone', author: 'remote' })).toEqual([])
  expect(found({ results: true })).toEqual(['a.example undone 40', 'a.example delivered 30'])
  expect(found({ results: true, offset: 1 })).toEqual(['a.example delivered 30'])

  const first = store.activity({ limit: 4 })
  expect(first.next).toMatchObject({ at: 20 })
  const second = store.activity({ limit: 4, ...(first.next && { after: first.next }) })
  expect(second).toMatchObject({ records: [{ domain: '1.example' }], next: null })
  const within = { limit: 4, from: 20, until: 60 }
  expect(store.activity({ ...within, ...(first.next && { after: first.next }) })).toEqual(second)
  expect(store.activity({ ...within, until: 40, after: { at: 60, n: 0 } }).records).toHaveLength(3)
})

test('the database finds each page of the activity by an index and never sorts, whatever the filter', () => {
  const filters = [{ website: 'k' }, { domain: 'a.example' }, { kind: 'changed' }, { author: 'own' }] as const
  const notified = { since: 2, after: 1, until: 9, groups: ['deleted', 'published'] as const }
  const queries = [{ from: 1 }, { until: 9 }, { after: { at: 5, n: 5 } }, { notified }] as const
  const all = <T extends object>(of: readonly T[]): object[] =>
    of.reduce<object[]>((sets, one) => [...sets, ...sets.map((set) => ({ ...set, ...one }))], [{}])
  let plans: string[] = []
  reopen(() => {
    const db = new Database(file, { readonly: true })
    const pages = [...all<object>([...filters, ...queries]), { results: true }, { results: true, website: 'k' }]
    plans = pages.map((conditions) => {
      const { sql, values } = activitySql({ ...conditions, limit: 50 })
      return db
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail)
        .join('; ')
    })
    db.close()
  })
  expect(plans).toHaveLength(258)
  const isPage =
    /^(SEARCH|SCAN) activity USING INDEX activity_\w+( \([^)]*\))?(; CORRELATED [^;]+; SCAN json_each [^;]+)?$/
  expect(plans.filter((plan) => !isPage.test(plan))).toEqual([])
})

test('removes entries that are too old or too many, and still knows which of their edits were applied', () => {
  write(() => {
    store.addHistoryRecord({ ...historyRecord('old', 'k'), at: 10 })
    store.addHistoryRecord({ ...historyRecord('undone', 'k'), at: 11, became: 'undone' })
    store.addHistoryRecord({ ...historyRecord('new', 'k'), at: 20 })
  })
  must(store.pruneActivity(20))
  expect(store.activity({ limit: 10 }).records.map(({ result }) => result?.id)).toEqual(['new'])
  expect(['old', 'undone', 'new'].filter((id) => store.wasApplied(id))).toEqual(['old', 'new'])
  tamper(`UPDATE sqlite_sequence SET seq = ${String(ACTIVITY_LIMIT + 2)} WHERE name = 'activity'`)
  write(() => store.addHistoryRecord({ ...historyRecord('last', 'k'), at: 30 }))
  expect(store.activity({ limit: 10 }).records.map(({ result }) => result?.id)).toEqual(['last'])
  expect(store.wasApplied('new')).toBe(true)
})

test('keeps no entry of a transaction that fails', () => {
  const failed = store.write(() => {
    store.addHistoryRecord(historyRecord('e', 'k'))
    return { ok: false, error: { code: 'storage', message: '' } }
  })
  expect(failed.ok).toBe(false)
  expect(store.activity({ limit: 10 }).records).toEqual([])
})
