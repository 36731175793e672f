import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { damageTable } from '../storage/damage-table.ts'
import { settled } from './clock.ts'
import { codeOf, draft, must, waitingCreate } from './rig.ts'
import { app, clock, file, service, start, useApp } from './rig-app.ts'

useApp(
  () => {
    service.add('a.example')
    service.add('b.example')
  },
  { onDisk: true },
)
beforeEach(() => app.offline())

/** Closes the app, changes its file with `tampering`, and runs the app online for a minute. */
async function restartWith(tampering: () => void): Promise<void> {
  await app.close()
  tampering()
  service.unreachable = false
  service.received.length = 0
  start()
  await clock.advance(60_000)
}

function sql(statement: string): void {
  const db = new Database(file())
  db.exec(statement)
  db.close()
}

/** The state of an edit that another version has stored. This version can't read it. */
const STANDING = '{"state":"delegated"}'

test('shows an edit that another version of the app has stored, leaves that edit unchanged, and sends only edits of other websites', async () => {
  const a = app.keyOf('a.example')
  must(await app.outbox.update(a, { email: true }))
  must(await app.outbox.update(app.keyOf('b.example'), { email: true }))
  const id = app.store.editsOf(a)[0]?.id ?? ''
  await restartWith(() => sql(`UPDATE edit SET standing = '${STANDING}' WHERE id = '${id}'`))

  expect(service.writes()).toEqual(['update'])
  expect(service.records.get('2')).toMatchObject({ email: true })
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 1 })
  expect(app.edits()).toMatchObject([
    {
      id,
      state: 'parked',
      reason: 'unreadable',
      error: { code: 'storage' },
      fields: ['email'],
      can: { undo: false, discard: true, sendNow: false },
    },
  ])
  expect(app.list('a.example')).toMatchObject([{ state: 'parked', email: true, pending: ['email'] }])
  expect(codeOf(app.outbox.undo(id))).toBe('edit-gone')
  app.outbox.sendNow(id)

  // Later edits of the same website wait behind the unreadable one.
  must(await app.outbox.update(a, { exclude_bots: false }))
  must(await app.outbox.delete(a))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ id }, { kind: 'delete', state: 'held', reason: 'depends' }])
  expect(service.writes()).toEqual(['update'])
  await app.close()
  const db = new Database(file())
  expect(db.prepare('SELECT standing FROM edit WHERE id = ?').get(id)).toEqual({ standing: STANDING })
  db.close()
  start()
})

test('keeps a copy of an edit that another version of the app has stored when the user discards the edit, and sends the edits behind it', async () => {
  const a = app.keyOf('a.example')
  must(await app.outbox.update(a, { email: true }))
  const id = app.store.editsOf(a)[0]?.id ?? ''
  await restartWith(() => sql(`UPDATE edit SET standing = '${STANDING}' WHERE id = '${id}'`))
  must(await app.outbox.update(a, { exclude_bots: false }))
  await clock.advance(60_000)
  expect(service.writes()).toEqual([])

  must(app.outbox.discard(id))
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  expect(service.updates()).toEqual([{ exclude_bots: false }])
  expect(app.history()).toMatchObject([{ became: 'sent' }, { id, became: 'unknown', settings: { email: true } }])
  await app.close()
  const db = new Database(file())
  const kept = db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(`unreadable:${id}`)
  expect(JSON.parse(String(kept))).toMatchObject({ id, website: a, standing: STANDING, settings: '{"email":true}' })
  db.close()
  start()
})

test('discarding an unreadable create removes its website, and records the edits behind the create as discarded', async () => {
  const key = must(await app.outbox.create(draft('c.example')))
  const id = app.store.editsOf(key)[0]?.id ?? ''
  await restartWith(() => sql(`UPDATE edit SET base = '{' WHERE id = '${id}'`))
  must(await app.outbox.update(key, { email: true }))
  must(app.outbox.discard(id))
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(app.view.get(key)).toBeNull()
  expect(service.writes()).toEqual([])
  expect(app.history()).toMatchObject([
    { kind: 'update', became: 'discarded', settings: { email: true } },
    { kind: 'create', became: 'unknown' },
  ])
})

test('the undo of a create fails, and removes nothing, if its website has an unreadable edit', async () => {
  const key = must(await app.outbox.create(draft('c.example')))
  app.store.write(() => {
    const create = app.store.editsOf(key)[0]
    if (create !== undefined) app.store.addEdit({ ...create, id: 'behind', kind: 'update' })
    return { ok: true, value: undefined }
  })
  await restartWith(() => sql(`UPDATE edit SET base = '{' WHERE id = 'behind'`))
  const [create] = app.store.editsOf(key)
  expect(codeOf(app.outbox.undo(create?.id ?? ''))).toBe('storage')
  expect(app.store.editsOf(key)).toHaveLength(2)
  expect(service.writes()).toEqual([])
})

test('answers each command with an error while the database file can’t be read, and sends nothing', async () => {
  for (let n = 0; n < 50; n++) must(await app.outbox.create(draft(`n${String(n)}.example`)))
  const a = app.keyOf('n7.example')
  const id = app.store.editsOf(a)[0]?.id ?? ''
  await app.close()
  damageTable(file(), 'edit')
  service.unreachable = false
  service.received.length = 0
  start()
  await clock.advance(10 * 60_000)

  expect(app.outbox.failure()).toEqual({ code: 'storage', message: '' })
  expect(service.writes()).toEqual([])
  expect(codeOf(app.outbox.list({ page: 1, per_page: 10 }))).toBe('storage')
  expect(codeOf(app.view.list({ ...listQuerySchema.parse({}), page: 1 }))).toBe('storage')
  expect(codeOf(app.view.website(a))).toBe('storage')
  expect(app.view.get(a)).toBeNull()
  expect(app.view.total()).toBe(52)
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  expect(codeOf(await app.outbox.update(a, { email: true }))).toBe('storage')
  expect(codeOf(await app.outbox.delete(a))).toBe('storage')
  expect(codeOf(app.outbox.sendNow())).toBe('storage')
  expect(codeOf(app.outbox.sendNow(id))).toBe('storage')
  expect(codeOf(app.outbox.undo(id))).toBe('storage')
})

test('reports a failed refresh if the list cannot be stored, and still shows the old list', async () => {
  await app.close()
  damageTable(file(), 'meta')
  service.unreachable = false
  start()
  expect(app.refresh.state()).toMatchObject({ running: false, seenAt: null, error: null })
  expect(app.view.account()).toBeNull()
  expect(codeOf(await app.refresh.run())).toBe('storage')
  expect(app.refresh.state()).toMatchObject({ running: false, error: { code: 'storage' } })
  expect(app.list()).toHaveLength(2)
})

test('reports a full disk that keeps an edit from being sent, and clears that failure once the disk has room', async () => {
  must(await app.outbox.create(draft('c.example')))
  const { write } = app.store
  let full = true
  const reported: (string | undefined)[] = []
  app.outbox.onChange(() => reported.push(app.outbox.failure()?.code))
  app.store.write = (work) => (full ? { ok: false, error: { code: 'disk-full', message: '' } } : write(work))
  await app.online(0)
  expect(app.outbox.failure()?.code).toBe('disk-full')
  expect(reported.at(-1)).toBe('disk-full')
  expect(service.writes()).toEqual([])
  full = false
  await clock.advance(5 * 60_000)
  expect(app.outbox.failure()).toBeNull()
  expect(reported.at(-1)).toBeUndefined()
  expect(service.domains()).toContain('c.example')
})

test('does not report a full disk while the service can’t be reached, as there may be space again', async () => {
  must(await app.outbox.create(draft('c.example')))
  const { write } = app.store
  app.store.write = () => ({ ok: false, error: { code: 'disk-full', message: '' } })
  await app.online(0)
  expect(app.outbox.failure()?.code).toBe('disk-full')
  app.store.write = write
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  expect(app.reach.state().state).toBe('offline')
  expect(app.outbox.failure()).toBeNull()
})

test('the view returns an error for an unknown website, and shows an edit as held, with the error, once the database can’t be read', async () => {
  expect(codeOf(app.view.website('nobody'))).toBe('website-gone')
  expect(app.view.get('nobody')).toBeNull()
  await app.online(0)
  const edit: Edit = { ...waitingCreate(), seq: 1, kind: 'update', settings: {} }
  expect(app.outbox.statusOf(edit)).toMatchObject({ state: 'held' })
  app.store.close()
  expect(app.outbox.statusOf(edit)).toMatchObject({ state: 'held', error: { code: 'storage' } })
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})
