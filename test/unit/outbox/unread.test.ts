import { expect, test } from 'vitest'
import type { Service } from '../../../src/main/service/port.ts'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp(() => service.add('a.example'), { onDisk: true })

const HOUR = 60 * MINUTE

function failRequests(operation: 'get' | 'list'): () => void {
  const works: Pick<Service, typeof operation> = { get: service.get, list: service.list }
  service[operation] = () =>
    Promise.resolve({ outcome: 'inDoubt', error: { code: 'unavailable', message: '' }, meta: {} })
  return () => void Object.assign(service, { [operation]: works[operation] })
}

/** From the next delete on, every read fails. */
function breakOffWithDelete(): void {
  service.before = (operation) => {
    if (operation !== 'delete') return
    failRequests('get')
    failRequests('list')
  }
}

const edit = () => app.edits()[0] ?? expect.fail('no edit waits')

test('settles an edit in doubt by the list if the website cannot be read alone', async () => {
  failRequests('get')
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(app.keyOf('a.example'), { email: true }))
  await settled()
  expect(service.writes()).toEqual(['update'])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'sent', settings: { email: true } }])
})

test('finds in the list that an edit in doubt was not applied, and sends it again', async () => {
  failRequests('get')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(app.keyOf('a.example'), { email: true }))
  await clock.advance(MINUTE)
  expect(service.records.get('1')).toMatchObject({ email: true })
  expect(app.edits()).toEqual([])
})

test('parks an edit in doubt whose website cannot be read for long; the user can have it looked up again', async () => {
  const mend = [failRequests('get'), failRequests('list')]
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(app.keyOf('a.example'), { email: true }))
  await clock.advance(20 * MINUTE)
  expect(edit()).toMatchObject({ state: 'inDoubt', can: { discard: false } })
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({
    state: 'parked',
    reason: 'unread',
    error: { code: 'unavailable' },
    can: { discard: true, sendNow: true },
  })
  // The next lookup fails too.
  must(app.outbox.sendNow(edit().id))
  await settled()
  expect(edit()).toMatchObject({ state: 'inDoubt' })
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ state: 'parked', reason: 'unread' })
  for (const works of mend) works()
  must(app.outbox.sendNow(edit().id))
  await settled()
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'sent', settings: { email: true } }])
  expect(service.writes()).toEqual(['update'])
})

test('does not park an edit in doubt any sooner if the user tries often while its website cannot be read', async () => {
  breakOffWithDelete()
  service.fail('delete', { lost: 'answer' })
  must(await app.outbox.delete(app.keyOf('a.example')))
  await clock.advance(15_000)
  for (let times = 0; times < 30; times++) {
    must(app.outbox.sendNow(edit().id))
    await clock.advance(1_000)
  }
  // Waits until the rate limit has allowed the last of these lookups.
  await clock.advance(MINUTE)
  expect(edit()).toMatchObject({ state: 'inDoubt' })
})

test('counts only the failed reads since the last successful read before it parks an edit in doubt', async () => {
  const mend = [failRequests('get'), failRequests('list')]
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(app.keyOf('a.example'), { email: true }))
  await clock.advance(25 * MINUTE)
  expect(edit()).toMatchObject({ state: 'inDoubt' })
  // A read succeeds, so the edit is sent again. Its request is lost, and reads fail again.
  for (const works of mend) works()
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation !== 'update') return
    failRequests('get')
    failRequests('list')
  }
  await clock.advance(20 * MINUTE)
  expect(service.writes()).toEqual(['update', 'update'])
  expect(edit()).toMatchObject({ state: 'inDoubt' })
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ state: 'parked', reason: 'unread' })
})

test('records the outcome as unknown if the user discards an edit in doubt whose website cannot be read', async () => {
  breakOffWithDelete()
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(app.keyOf('a.example')))
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ kind: 'delete', state: 'parked', reason: 'unread' })
  must(app.outbox.discard(edit().id))
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ kind: 'delete', became: 'unknown', can: { undo: false } }])
  expect(app.list()).toMatchObject([{ domain: 'a.example', state: 'synced' }])
})

test('if the user discards a delete whose outcome could not be read, the change that it had replaced is queued again', async () => {
  await app.offline()
  must(await app.outbox.update(app.keyOf('a.example'), { email: true }))
  breakOffWithDelete()
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(app.keyOf('a.example')))
  await app.online(HOUR)
  expect(edit()).toMatchObject({ kind: 'delete', state: 'parked', reason: 'unread' })
  must(app.outbox.discard(edit().id))
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { email: true } }])
})

test('if the user agrees, the undo of a bulk create also deletes a website whose create may have been applied but could not be checked', async () => {
  const works = failRequests('list')
  service.fail('create', { lost: 'answer' })
  must(await app.outbox.create(draft('b.example')))
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ kind: 'create', state: 'parked', reason: 'unread' })
  const undo = (agreed: boolean) => app.outbox.takeBackBulk('create', [edit().website], agreed)
  expect(await undo(false)).toEqual([{ ok: true, value: 'asks' }])
  expect(await undo(true)).toEqual([{ ok: true, value: 'queued' }])
  works()
  await clock.advance(HOUR)
  expect(service.domains()).toEqual(['a.example'])
  expect(app.edits()).toEqual([])
})

test('parks a create that cannot be looked up, and does not create it twice', async () => {
  const works = failRequests('list')
  service.fail('create', { lost: 'answer' })
  must(await app.outbox.create(draft('b.example')))
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ kind: 'create', state: 'parked', reason: 'unread' })
  works()
  await clock.advance(HOUR)
  expect(edit()).toMatchObject({ state: 'parked' })
  must(app.outbox.sendNow(edit().id))
  await settled()
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['create'])
  expect(app.list('b.example')).toMatchObject([{ state: 'synced' }])
})
