import { expect, test } from 'vitest'
import type { WebsiteChanges } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, addSharedWebsite, start, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

test('parks an edit that is proven not applied five times, and sends the others', async () => {
  const key = await addSharedWebsite()
  for (let n = 0; n < 1000; n++) service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  must(await app.outbox.create(draft('b.example')))
  await clock.advance(60 * 60_000)
  expect(service.domains()).toContain('b.example')
  expect(service.writes().filter((write) => write === 'update')).toHaveLength(5)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing', error: { code: 'timeout' } }])
  // The user can allow five more tries.
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(60 * 60_000)
  expect(service.writes().filter((write) => write === 'update')).toHaveLength(10)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing' }])
})

test('parks a new password after five lost requests if the privacy is “Password” already', async () => {
  service.add('a.example', { privacy: 2, password: true })
  must(await app.refresh.run())
  for (let n = 0; n < 1000; n++) service.fail('update', { lost: 'request' })
  must(await app.outbox.update(app.keyOf('a.example'), { password: 'new' }))
  await clock.advance(5 * 60 * MINUTE)
  expect(service.updates()).toHaveLength(5)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing', fields: ['privacy', 'password'] }])
})

test.each([
  ['a password whose privacy was applied', { privacy: 2, password: 'x' }],
  ['a write-only field whose other fields were applied', { privacy: 0, exclude_params: ['utm_source'] }],
] as const)(
  'sends a sixth request for %s, and parks nothing, if the fifth request was applied and its answer was lost',
  async (_what, changes) => {
    const key = await addSharedWebsite()
    for (let times = 0; times < 4; times++) service.fail('update', { lost: 'request' })
    service.fail('update', { lost: 'answer' })
    must(await app.outbox.update(key, changes as WebsiteChanges))
    for (let second = 0; second < 300; second++) {
      await clock.advance(1_000)
      expect(app.edits().filter(({ state }) => state === 'parked')).toEqual([])
    }
    expect(app.edits()).toEqual([])
    expect(service.updates()).toHaveLength(6)
  },
)

test('after a restart, an edit keeps only its password and privacy if a read has shown the rest as applied, even if the website can’t be read now', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { email: true, privacy: 2, password: 'x' }))
  await clock.advance(2_000)
  await app.close()
  service.fail('get', { refuse: 'forbidden' })
  start()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', fields: ['privacy', 'password'] }])
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(MINUTE)
  expect(service.updates().at(-1)).toEqual({ privacy: 2, password: 'x' })
  expect(app.history()).toMatchObject([
    { became: 'sent', settings: { email: true, privacy: 2 }, before: { email: false, privacy: 1 }, password: true },
  ])
})

test('parks only the fields that the service does not show if, after a lost answer and a stale read, the second request is refused', async () => {
  const key = await addSharedWebsite()
  const { get } = service
  service.get = async (id) => {
    service.get = get
    const read = await get(id)
    return read.outcome === 'applied' ? { ...read, value: { ...read.value, email: false } } : read
  }
  service.fail('update', { lost: 'answer' })
  for (let times = 0; times < 2; times++) service.fail('update', { refuse: 'refused' })
  must(await app.outbox.update(key, { email: true, exclude_params: ['ref'] }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', fields: ['exclude_params'] }])
})

test('deletes a website without asking if only our own requests, whose answers were lost, have changed its time', async () => {
  service.touch = (record) => void (record.updated_at = new Date(service.now()).toISOString())
  service.add('a.example', { privacy: 2, password: true, updated_at: '2025-12-31T00:00:00Z' })
  must(await app.refresh.run())
  for (let times = 0; times < 5; times++) service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(app.keyOf('a.example'), { password: 'new' }))
  await clock.advance(60 * MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing' }])
  must(await app.outbox.delete(app.keyOf('a.example')))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.domains()).toEqual([])
})
