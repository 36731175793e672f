import { describe, expect, test } from 'vitest'
import { activityFile } from '../../../src/main/replica/activity-file.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'
import type { RemoteSummary } from '../../../src/shared/activity.ts'
import { MINUTE, settled } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

useApp(() => {
  service.add('there.example', { email: false, privacy: 1, exclude_ips: ['10.0.0.1'], updated_at: '1' })
  service.add('other.example', { privacy: 1, updated_at: '1' })
})

const entries = () => must(app.outbox.activity({ limit: 100 })).entries
const kinds = () => entries().map(({ domain, kind }) => `${domain} ${kind}`)

test('records what a refresh shows as changed by another client, and nothing of our own writes', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  must(await app.refresh.run())
  expect(kinds()).toEqual(['there.example delivered'])
  service.touch(record(), { privacy: 0, updated_at: '5' })
  must(await app.refresh.run())
  expect(entries()[0]).toMatchObject({
    ...{ kind: 'changed', domain: 'there.example', website: existingKey() },
    remote: { fields: ['privacy'], before: { privacy: 1 }, after: { privacy: 0 } },
  })
})

test('the activity names no changed field if another client has only put the lines of a list in another order', async () => {
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  must(await app.refresh.run())
  service.touch(record(), { exclude_ips: ['10.0.0.2', '10.0.0.1'] })
  must(await app.refresh.run())
  expect(app.remote().map(({ remote }) => remote?.fields)).toEqual([[], ['exclude_ips']])
})

test('records a remote change that only the read before a write has shown', async () => {
  await clock.advance(MINUTE)
  service.touch(record(), { privacy: 0, updated_at: '5' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(record()).toMatchObject({ privacy: 0, email: true })
  expect(app.remote()).toMatchObject([{ kind: 'changed', remote: { before: { privacy: 1 }, after: { privacy: 0 } } }])
})

test('records a remote change that the answer to a write shows, even while a request to create the website may still be under way', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('new.example')))
  await clock.advance(30_000)
  const created = [...service.records.values()].find(({ domain }) => domain === 'new.example')
  if (created === undefined) expect.fail('the website was not created')
  service.before = (operation) => void (operation === 'update' && service.touch(created, { privacy: 0 }))
  must(await app.outbox.update(app.keyOf('new.example'), { email: true }))
  await settled()
  expect(app.remote()).toMatchObject([{ domain: 'new.example', remote: { after: { privacy: 0 } } }])
})

test('does not record our own write as a remote change if its answer is lost', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.refresh.run())
  await clock.advance(2 * MINUTE)
  must(await app.refresh.run())
  expect(app.history()).toMatchObject([{ became: 'sent' }])
  expect(app.remote()).toEqual([])
})

test('records a remote change that was made just before our write, even while the request of an undone delete may still take effect', async () => {
  const key = existingKey()
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(key))
  await clock.advance(11_000)
  must(app.outbox.undo(app.edits()[0]?.id ?? '', true))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  service.before = (operation) => {
    if (operation === 'update') service.touch(record(), { email: true })
  }
  must(await app.outbox.update(key, { exclude_bots: false }))
  await settled()
  expect(app.remote()).toMatchObject([{ kind: 'changed', remote: { fields: ['email'] } }])
})

describe('a late write of the values that the website already has', () => {
  /** Loses the first request of a change, and lets the app send it again. */
  async function sendAgain() {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
    await clock.advance(6 * MINUTE)
    expect(app.edits()).toEqual([])
  }

  test.each([
    ['only the time of the record', ['10.0.0.1', '10.0.0.2']],
    ['the order of the lines', ['10.0.0.2', '10.0.0.1']],
  ])('is not recorded as a remote change if it changes %s', async (_, lines) => {
    await sendAgain()
    service.touch(record(), { exclude_ips: lines })
    await clock.advance(10 * MINUTE)
    must(await app.refresh.run())
    expect(app.remote()).toEqual([])
  })

  test('does not hide that another client has changed another setting', async () => {
    await sendAgain()
    service.touch(record(), { exclude_ips: ['10.0.0.2', '10.0.0.1'], privacy: 0 })
    await clock.advance(10 * MINUTE)
    must(await app.refresh.run())
    expect(app.remote()).toMatchObject([{ kind: 'changed', remote: { fields: ['privacy'] } }])
  })
})

test('does not record our own create as added by another client if its answer is lost', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('list', { lost: 'request' })
  must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await app.refresh.run())
  await clock.advance(5 * MINUTE)
  must(await app.refresh.run())
  expect(app.remote()).toEqual([])
})

test('records that a change was parked because of a conflict, and how the user resolved the conflict', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'canary-x' }))
  service.touch(record(), { privacy: 0, updated_at: '5' })
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(entries()).toMatchObject([
    { kind: 'failed', step: { kind: 'update', reason: 'conflict' } },
    { kind: 'changed', remote: { after: { privacy: 0 } } },
  ])
  const id = app.edits()[0]?.id ?? ''
  clock.jump(1_000)
  must(await app.outbox.resolve(id, { way: 'units', units: { privacy: 'mine' } }))
  await settled()
  expect(kinds().slice(0, 2).toSorted()).toEqual(['there.example delivered', 'there.example resolved'])
  expect(entries().find(({ kind }) => kind === 'resolved')?.step).toEqual({ kind: 'update', way: 'units' })
})

test('finds the version of a website before and after each entry', async () => {
  must(await app.outbox.update(existingKey(), { email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  await app.online(11_000)
  service.touch(record(), { privacy: 0, updated_at: '5' })
  must(await app.refresh.run())
  clock.jump(1_000)
  must(await app.outbox.update(existingKey(), { exclude_ips: [] }))
  await app.online(11_000)
  const numbers = must(app.outbox.activity({ website: existingKey(), limit: 10 })).entries.map(({ n }) => n)
  const versions = (side: 'before' | 'after') => numbers.map((n) => must(app.outbox.version(existingKey(), n, side)))
  expect(versions('after')).toMatchObject([
    { privacy: 0, email: true, exclude_ips: [] },
    { privacy: 0, email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] },
    { privacy: 1, email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] },
  ])
  expect(versions('before').slice(0, 2)).toEqual(versions('after').slice(1))
  expect(versions('before')[2]).toMatchObject({ privacy: 1, email: false, exclude_ips: ['10.0.0.1'] })
  expect(codeOf(app.outbox.version(existingKey(), 999, 'after'))).toBe('edit-gone')
  expect(codeOf(app.outbox.version('nobody', 1, 'after'))).toBe('website-gone')
})

test('finds the versions of a website even if the clock was set back between two changes', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await app.online(11_000)
  clock.jump(-60 * MINUTE)
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  const latest = Math.max(...entries().map(({ n }) => n))
  expect(must(app.outbox.version(existingKey(), latest, 'after'))).toMatchObject({ privacy: 0, email: true })
  expect(must(app.outbox.version(existingKey(), latest, 'before'))).toMatchObject({ privacy: 0, email: false })
})

test('each refresh reports the number of remote changes that it has found, and the next refresh does not report them again', async () => {
  service.touch(record(), { privacy: 0, updated_at: '5' })
  must(await app.refresh.run())
  const summaries: RemoteSummary[] = []
  const times: number[] = []
  app.refresh.onRemoteChanges(({ summary, since }) => (summaries.push(summary), times.push(since)))
  service.add('new.example', {})
  must(await app.refresh.run())
  must(await app.refresh.run())
  expect(summaries).toEqual([{ added: 1, changed: 0, published: 1, deleted: 0 }])
  expect(times).toEqual([Math.min(...entries().map(({ at }) => at))])
})

test('a refresh that succeeds removes the entries that are older than a year', async () => {
  service.now = clock.wall
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  clock.jump(364 * 24 * 60 * MINUTE)
  must(await app.refresh.run())
  expect(entries()).toHaveLength(1)
  clock.jump(2 * 24 * 60 * MINUTE)
  service.fail('list', { refuse: 'unavailable' })
  expect((await app.refresh.run()).ok).toBe(false)
  expect(entries()).toHaveLength(1)
  must(await app.refresh.run())
  expect(entries()).toEqual([])
})

test('a refresh removes no entry while the clocks of this computer and the service differ by more than a day', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await app.online(11_000)
  clock.jump(400 * 24 * 60 * MINUTE)
  must(await app.refresh.run())
  expect(entries()).toHaveLength(1)
})

test('a refresh keeps the tags and notes of a deleted website for more than 30 days while the clocks of this computer and the service differ by more than a day', async () => {
  const local = { domain: 'there.example', tags: [], note: 'Kept' }
  const deleted = record()
  const refreshAfter = async (days: number) => {
    clock.jump(days * 24 * 60 * MINUTE)
    must(await app.refresh.run())
    return must(app.store.localWebsites())
  }
  must(app.store.saveLocal({ websites: [local] }))
  service.records.delete(deleted.id)
  expect(await refreshAfter(0)).toEqual([local])
  expect(await refreshAfter(40)).toEqual([local])
  service.now = clock.wall
  service.records.set('9', { ...deleted, id: '9' })
  expect(await refreshAfter(0)).toEqual([local])
  service.records.delete('9')
  expect(await refreshAfter(0)).toEqual([local])
  expect(await refreshAfter(40)).toEqual([])
})

test('tags and notes of a website that was deleted again stay for 30 days, counted only while the clocks of this computer and the service agree', async () => {
  const local = { domain: 'there.example', tags: [], note: 'Kept' }
  const listed = record()
  const refreshAfter = async (days: number) => {
    clock.jump(days * 24 * 60 * MINUTE)
    must(await app.refresh.run())
    return must(app.store.localWebsites())
  }
  must(app.store.saveLocal({ websites: [local] }))
  service.now = clock.wall
  service.records.delete(listed.id)
  expect(await refreshAfter(0)).toEqual([local])
  service.now = () => clock.wall() - 10 * 24 * 60 * MINUTE
  service.records.set('9', { ...listed, id: '9' })
  expect(await refreshAfter(1)).toEqual([local])
  service.records.delete('9')
  expect(await refreshAfter(40)).toEqual([local])
  service.now = clock.wall
  expect(await refreshAfter(1)).toEqual([local])
  expect(await refreshAfter(31)).toEqual([])
})

test('the activity contains no password, nor does its export or a version', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'canary-own' }))
  await app.online(11_000)
  service.touch(record(), { privacy: 2, password: true, updated_at: '7', extra: { password: 'canary-theirs' } })
  must(await app.refresh.run())
  const file = must(await activityFile(app.outbox, {}))
  const versions = entries().map(({ n }) => must(app.outbox.version(existingKey(), n, 'after')))
  expect(JSON.stringify([entries(), file, versions])).not.toContain('canary')
  expect(file.pieces.join('')).toContain('password')
})

test.each([
  ['en', ','],
  ['de', ';'],
])(
  'the exported activity has the separator of spreadsheets in the language %s, and no cell that any spreadsheet would read as a formula',
  async (locale, separator) => {
    must(await app.outbox.update(existingKey(), { exclude_params: ['x', "=cmd|'/C calc'!A0", 'y;=1', 'z,"+1'] }))
    await app.online(11_000)
    setFormatLocale(() => locale)
    const text = must(await activityFile(app.outbox, {})).pieces.join('')
    setFormatLocale(() => 'en')
    expect(text).toContain(['there.example', 'own', 'delivered', 'update', 'sent', 'exclude_params'].join(separator))
    expect(text).toContain("'=cmd|")
    expect(text).not.toMatch(/[,;\t\n]"*[=+\-@]/)
  },
)

test('exports one row of the activity for each changed field', async () => {
  must(await app.outbox.update(existingKey(), { email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  await app.online(11_000)
  service.touch(record(), { privacy: 0, updated_at: '5' })
  must(await app.refresh.run())
  const { pieces, entries: count } = must(await activityFile(app.outbox, {}))
  expect(count).toBe(2)
  const rows = pieces
    .join('')
    .split('\r\n')
    .map((row) => row.replace(/^[^,]*T[^,]*Z,/, ''))
  expect(rows.slice(1, 4)).toEqual([
    'there.example,remote,changed,,,privacy,private,public',
    'there.example,own,delivered,update,sent,email,off,on',
    expect.stringMatching(/^there\.example,own,delivered,update,sent,exclude_ips,/),
  ])
  const own = must(await activityFile(app.outbox, { author: 'own' }))
  expect(own.entries).toBe(1)
})
