import { expect, test } from 'vitest'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { exclude_ips: ['10.0.0.1'], updated_at: '1' }))

/** Loses the answer to our update. Another client and then the user change the website before the app reads it. */
async function inDoubt(ours: WebsiteChanges, theirs: Partial<WebsiteRecord>, then: WebsiteChanges): Promise<void> {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), ours))
  const release = service.hold('get')
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  service.touch(record(), theirs)
  must(await app.outbox.update(existingKey(), then))
  release()
  await clock.advance(MINUTE)
}

test('asks about a field that is set back behind a change in doubt if other clients have changed it', async () => {
  await inDoubt({ privacy: 0 }, { privacy: 2, password: true }, { privacy: 1 })
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings: { privacy: 1 } }])
})

test.each([
  ['removes a line that a request in doubt added', ['1', '2'], ['1', '2', '3'], ['1'], ['1', '3']],
  ['replaces a line that a request in doubt added', ['1', '2'], ['1', '2', '3'], ['1', '4'], ['1', '3', '4']],
  ['puts back a line that a request in doubt removed', ['2'], ['2', '3'], ['2', '1', '4'], ['2', '3', '1', '4']],
])('%s, and keeps the line that another client added', async (_what, ours, theirs, then, expected) => {
  const lines = (ends: string[]) => ends.map((end) => `10.0.0.${end}`)
  await inDoubt({ exclude_ips: lines(ours) }, { exclude_ips: lines(theirs) }, { exclude_ips: lines(then) })
  expect(record().exclude_ips).toEqual(lines(expected))
  expect(app.edits()).toEqual([])
})

test('removes a line that a read has shown as applied if the user takes it back, and keeps the line of another client', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  service.before = (operation) => {
    if (operation === 'get') service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  }
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff' }])
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(record().exclude_ips).toEqual(['10.0.0.1', '10.0.0.3'])
})

test('sends a field that the user sets back while the edit is parked with a conflict in another field', async () => {
  service.fail('update', { lost: 'answer' })
  service.before = (operation) => {
    if (operation === 'get') service.touch(record(), { privacy: 2 })
  }
  must(await app.outbox.update(existingKey(), { privacy: 0, email: true }))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  const parkedId = app.edits()[0]?.id ?? ''
  must(await app.outbox.resolve(parkedId, { way: 'units', units: { privacy: 'theirs' } }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 2, email: false })
})

test('asks about a field set back behind a change in doubt if the website is gone, and drops nothing', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { email: true }))
  const release = service.hold('get')
  await settled()
  must(await app.outbox.update(existingKey(), { email: false }))
  service.records.delete('1')
  release()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone', settings: { email: false } }])
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone', settings: { email: true } }])
})

/** Parks a create because its domain exists, and lets a refresh read the existing website. Returns that website's key. */
async function taken(ours: WebsiteChanges): Promise<string> {
  service.add('mine.example')
  must(await app.outbox.create(draft('mine.example', ours)))
  await settled()
  must(await app.refresh.run())
  return app.store.websiteOfId('2')?.key ?? expect.fail('not met')
}

/** Answers the parked create with “use the existing website”. */
async function adopt(): Promise<void> {
  const create = app.edits().find(({ kind }) => kind === 'create')?.id ?? ''
  must(await app.outbox.resolve(create, { way: 'adopt' }))
}

test('sends a field that the user sets back after adopting a website that they had changed before', async () => {
  const met = await taken({ privacy: 0 })
  must(await app.outbox.update(met, { privacy: 2, password: 'x' }))
  await clock.advance(MINUTE)
  service.unreachable = true
  app.reach.hint(false)
  await adopt()
  must(await app.outbox.update(app.keyOf('mine.example'), { privacy: 1 }))
  await app.online(MINUTE)
  expect(service.records.get('2')).toMatchObject({ privacy: 1 })
})

test('sends a field that the user sets back even if its change was being sent when the website was adopted', async () => {
  const met = await taken({ email: true })
  const release = service.holdAnswer('update')
  must(await app.outbox.update(met, { exclude_bots: false }))
  await settled()
  await adopt()
  service.after = () => {}
  service.fail('update', { lost: 'request' })
  const releaseRead = service.hold('get')
  release()
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt', settings: { email: true } }])
  must(await app.outbox.update(met, { exclude_bots: true }))
  releaseRead()
  await clock.advance(MINUTE)
  expect(service.records.get('2')).toMatchObject({ email: true, exclude_bots: true })
})

test('asks before it sends the reverse of a change with a password if other clients have changed the privacy', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(2 * MINUTE)
  delete record().updated_at
  must(await app.refresh.run())
  service.touch(record(), { privacy: 1 })
  const entry = app.history()[0]
  await clock.advance(2 * MINUTE)
  must(await app.outbox.revert(entry?.id ?? '', 'undo', 'typed'))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } },
  ])
})

test('sends a write-only value again if it is set back behind a change that may have been applied', async () => {
  const created = service.hold('create')
  must(await app.outbox.create(draft('new.example')))
  await settled()
  service.fail('update', { lost: 'answer' })
  const key = app.keyOf('new.example')
  must(await app.outbox.update(key, { email: true, exclude_params: ['ref'] }))
  created()
  const read = service.hold('get')
  await settled()
  must(await app.outbox.update(key, { exclude_params: [], exclude_bots: false }))
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.updates().at(-1)).toMatchObject({ exclude_params: [], exclude_bots: false })
})

test.each([
  ['a value', { email: false }, { email: false }, { email: true }, { email: true }],
  [
    'a line',
    { exclude_ips: ['10.0.0.1', '10.0.0.2'] },
    { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] },
    { exclude_ips: ['10.0.0.1'] },
    { exclude_ips: ['10.0.0.1', '10.0.0.3'] },
  ],
] as const)(
  'after a refused update, %s that the user sets back is sent, even if another client has set it as well since',
  async (_what, ours, theirs, back, expected) => {
    service.touch(record(), { email: true })
    await clock.advance(2 * MINUTE)
    must(await app.refresh.run())
    service.fail('update', { refuse: 'invalid', fields: {} })
    must(await app.outbox.update(existingKey(), ours as WebsiteChanges))
    await settled()
    service.touch(record(), theirs as Partial<WebsiteRecord>)
    must(await app.refresh.run())
    must(await app.outbox.update(existingKey(), back as WebsiteChanges))
    await clock.advance(2 * MINUTE)
    expect(record()).toMatchObject(expected)
    expect(app.edits()).toEqual([])
  },
)

test('sends the earlier value that the user chooses again while a change of the field is in doubt', async () => {
  service.touch(record(), { email: false })
  await clock.advance(2 * MINUTE)
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { email: true }))
  const release = service.hold('get')
  await settled()
  for (const email of [false, true, false]) must(await app.outbox.update(existingKey(), { email }))
  release()
  await clock.advance(2 * MINUTE)
  expect(record().email).toBe(false)
})

test('a parked edit keeps the fields that were set back behind a change that may still be applied', async () => {
  service.fail('update', { lost: 'request' })
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true, exclude_ips: ['10.0.0.2'], exclude_params: ['a'] }))
  await settled()
  must(
    await app.outbox.update(existingKey(), {
      email: false,
      exclude_ips: ['10.0.0.1'],
      exclude_params: ['a', 'b'],
      privacy: 0,
    }),
  )
  release()
  await clock.advance(2_000)
  // The late write takes effect.
  service.touch(record(), { email: true, exclude_ips: ['10.0.0.2'] })
  must(await app.refresh.run())
  await clock.advance(MINUTE)
  const settings = { email: false, exclude_ips: ['10.0.0.1'] }
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings }])
})

test('asks about a delete if the website has changed since the user decided to keep it, even back to its earlier value', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'secret' }))
  must(await app.outbox.delete(existingKey()))
  service.touch(record(), { privacy: 0 })
  await clock.advance(2 * MINUTE)
  await app.online()
  await app.offline()
  const [parked] = app.edits()
  expect(parked).toMatchObject({ state: 'parked', ways: ['delete', 'keep'] })
  must(await app.outbox.resolve(parked?.id ?? '', { way: 'keep' }))
  must(await app.outbox.delete(existingKey()))
  Object.assign(record(), { privacy: 1, updated_at: '1' })
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('does not ask about a delete because of a field that was set back after a change that was not applied', async () => {
  service.fail('update', { lost: 'request' })
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true, privacy: 0 }))
  await settled()
  must(await app.outbox.update(existingKey(), { email: false }))
  must(await app.outbox.delete(existingKey()))
  release()
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('asks about a delete if another client has set back a part of a request in doubt, on a host without times', async () => {
  service.touch = () => {}
  delete record().updated_at
  must(await app.refresh.run())
  const { exclude_bots } = record()
  service.fail('update', { lost: 'answer' })
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 0, exclude_bots: !exclude_bots }))
  await settled()
  record().exclude_bots = exclude_bots
  must(await app.outbox.delete(existingKey()))
  release()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('asks nothing if the user sets a field back after a lost change and then chooses a third value', async () => {
  service.fail('update', { lost: 'request' })
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 0, email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  release()
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'secret' }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ privacy: 2, password: true, email: true })
})

test('repeats a lost request that sets fields back, although another client has since set a value of the first request', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 0, email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 1, email: false }))
  service.touch(record(), { privacy: 1 })
  service.fail('update', { lost: 'request' })
  release()
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt', settings: { privacy: 1, email: false } }])
  service.touch(record(), { privacy: 0 })
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1, email: false })
  expect(app.edits()).toEqual([])
})
