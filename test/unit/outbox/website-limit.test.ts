import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

/** The plan allows this number of websites. */
const LIMIT = 2

useApp(() => {
  service.add('one.example')
  service.add('two.example')
  service.before = (operation) => {
    if (operation !== 'create' || service.records.size < LIMIT) return
    service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  }
})

const creates = () => service.writes().filter((write) => write === 'create').length

test('at the website limit of the plan, holds all creates and asks the user once', async () => {
  for (const domain of ['a.example', 'b.example', 'c.example']) must(await app.outbox.create(draft(domain)))
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([
    { domain: 'a.example', state: 'parked', reason: 'website-limit', error: { fields: { domain: expect.anything() } } },
    { domain: 'b.example', state: 'held', reason: 'website-limit' },
    { domain: 'c.example', state: 'held', reason: 'website-limit' },
  ])
  expect(creates()).toBe(1)
  expect(app.outbox.counts()).toMatchObject({ waiting: 2, parked: 1 })
  // Edits of other websites are sent.
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('sends a create that the website limit held after a delete has made room', async () => {
  for (const domain of ['a.example', 'b.example']) must(await app.outbox.create(draft(domain)))
  await settled()
  must(await app.outbox.delete(app.keyOf('one.example')))
  await clock.advance(11_000)
  expect(service.domains()).toEqual(['two.example', 'a.example'])
  expect(app.edits()).toMatchObject([{ domain: 'b.example', state: 'parked', reason: 'website-limit' }])
  must(await app.outbox.delete(app.keyOf('two.example')))
  await clock.advance(11_000)
  expect(service.domains()).toEqual(['a.example', 'b.example'])
  expect(app.edits()).toEqual([])
})

test('at the website limit, asks nothing and tries no further create while deletes are pending', async () => {
  must(await app.outbox.delete(app.keyOf('one.example')))
  for (const domain of ['a.example', 'b.example']) must(await app.outbox.create(draft(domain)))
  await clock.advance(9_000)
  expect(app.edits()).toMatchObject([
    { kind: 'delete', reason: 'undo' },
    { domain: 'a.example', state: 'held', reason: 'depends' },
    { domain: 'b.example', state: 'held', reason: 'depends' },
  ])
  expect(creates()).toBe(1)
  await clock.advance(2_000)
  expect(service.domains()).toEqual(['two.example', 'a.example'])
})

/** Makes room for one website, loses a create and the lookup after it, and then deletes the website in the app. */
async function loseAndDelete(): Promise<void> {
  service.records.delete('2')
  service.fail('create', { lost: 'request' })
  service.fail('list', { lost: 'request' })
  const key = must(await app.outbox.create(draft('lost.example')))
  await settled()
  must(await app.outbox.delete(key))
}

test('sends a create that waits for a delete once that delete is canceled together with its own create', async () => {
  await loseAndDelete()
  service.add('three.example')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.edits()).toMatchObject([{}, { kind: 'delete' }, { domain: 'a.example', reason: 'depends' }])
  service.records.delete('3')
  await clock.advance(5 * 60_000)
  expect(service.domains()).toEqual(['one.example', 'a.example'])
  expect(app.edits()).toEqual([])
})

test('asks about the website limit if the delete that would make room is undone', async () => {
  must(await app.outbox.delete(app.keyOf('one.example')))
  must(await app.outbox.create(draft('a.example')))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  await settled()
  expect(app.edits()).toMatchObject([{ domain: 'a.example', state: 'parked', reason: 'website-limit' }])
})

test('at the website limit, tries the next create after the user discards the first', async () => {
  for (const domain of ['a.example', 'b.example']) must(await app.outbox.create(draft(domain)))
  await settled()
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  await settled()
  expect(app.edits()).toMatchObject([{ domain: 'b.example', state: 'parked', reason: 'website-limit' }])
  // The user has deleted a website elsewhere to make room.
  service.records.delete('1')
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await settled()
  expect(service.domains()).toEqual(['two.example', 'b.example'])
})

test('sends a create after an earlier delete of its domain', async () => {
  must(await app.outbox.delete(app.keyOf('one.example')))
  must(await app.outbox.create(draft('one.example')))
  await clock.advance(9_000)
  expect(app.edits()).toMatchObject([{ reason: 'undo' }, { state: 'held', reason: 'depends' }])
  expect(creates()).toBe(0)
  await clock.advance(2_000)
  expect(service.domains()).toEqual(['two.example', 'one.example'])
})

test('sends a create even if a conflict about a website contains the text “website-limit”', async () => {
  service.before = () => {}
  // The app repeats a read that is older than a minute.
  await clock.advance(2 * 60_000)
  await app.offline()
  must(await app.outbox.update(app.keyOf('one.example'), { privacy: 0 }))
  const record = service.records.get('1') ?? {}
  Object.assign(record, { privacy: 2, extra: { note: 'website-limit', reason: 'website-limit' } })
  await app.online(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  must(await app.outbox.create(draft('new.example')))
  await clock.advance(60_000)
  expect(service.domains()).toContain('new.example')
})

test('at the website limit, does not wait for a delete behind an unconfirmed create, as that delete makes no room', async () => {
  await loseAndDelete()
  // Another client has created this website.
  service.add('lost.example', { email: true })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(5 * 60_000)
  // The app doesn't wait for the held delete, but reports the limit.
  const waiting = [
    { domain: 'lost.example', state: 'parked' },
    { domain: 'a.example', state: 'parked', reason: 'website-limit' },
    { kind: 'delete', state: 'held', reason: 'depends' },
  ]
  expect(app.edits()).toMatchObject(waiting)
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(5 * 60_000)
  expect(app.edits()).toMatchObject(waiting)
})
