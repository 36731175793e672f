import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, addSharedWebsite, start, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

test('reads the website after a lost answer to an update, and finds the update applied', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update', 'get'])
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('reads the website after an update was lost on the way, and sends the update again', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['update', 'get', 'get', 'update'])
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('reports an update as sent if its first request was applied, although a stale read denied that and the second request was refused', async () => {
  const key = await addSharedWebsite()
  const { get } = service
  service.get = async (id) => {
    const read = await get(id)
    // In the first three seconds, reads show the old value.
    if (read.outcome !== 'applied' || clock.monotonic() >= 3_000) return read
    return { ...read, value: { ...read.value, email: false } }
  }
  service.fail('update', { lost: 'answer' })
  service.fail('update', { refuse: 'refused' })
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['update', 'update'])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'sent', settings: { email: true } }])
})

test('asks about a remote value that the read of an update in doubt shows, instead of overwriting that value', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    const record = service.records.get('1')
    if (operation === 'get' && record !== undefined) record.privacy = 0
  }
  must(await app.outbox.update(key, { privacy: 2, password: 'x' }))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  expect(service.records.get('1')).toMatchObject({ privacy: 0 })
})

test('a delete counts as applied after two answers "not found", an answer for the account between them, and a list without the website', async () => {
  const key = await addSharedWebsite()
  service.fail('delete', { lost: 'answer' })
  must(await app.outbox.delete(key))
  await clock.advance(10_000)
  expect(service.operations()).toEqual(['get', 'delete', 'get', 'account', 'get', 'list'])
  expect(app.view.get(key)).toBeNull()
})

test('sends a delete again that was lost on the way', async () => {
  const key = await addSharedWebsite()
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(key))
  await clock.advance(15_000)
  expect(service.operations()).toEqual(['get', 'delete', 'get', 'get', 'delete'])
  expect(service.records.size).toBe(0)
})

test('reads the website back after an empty answer to a create or an update', async () => {
  service.fail('create', { empty: true })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('keeps a create in doubt while its look-ups fail, and then settles it without sending it again', async () => {
  for (let n = 0; n < 12; n++) service.fail('list', { lost: 'request' })
  service.fail('create', { lost: 'answer' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt', can: { undo: true, discard: false } }])
  await clock.advance(60 * 60_000)
  expect(service.writes()).toEqual(['create'])
  expect(app.edits()).toEqual([])
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('sends the new password if the user changes the password while the old one is being unsealed', async () => {
  const release = sealer.hold()
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'first' })))
  await settled()
  sealer.failure = 'password-missing'
  must(await app.outbox.update(key, { password: 'second' }))
  release()
  await settled()
  sealer.failure = null
  release()
  await settled()
  expect(service.received.filter(({ operation }) => operation === 'create')).toMatchObject([
    { sent: { password: 'second' } },
  ])
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('after a power cut, looks up the website of the create that was being sent, and does not send the create twice', async () => {
  const release = service.hold('create')
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  // The power is cut. The request still arrives, but its answer is lost.
  void app.outbox.stop()
  app.store.close()
  release()
  await settled()
  service.before = () => {}
  start()
  expect(app.view.get(key)?.state).toMatch(/checking|synced/)
  await settled()
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
  expect(service.writes()).toEqual(['create'])
})

test('shows the error of a lost request while its edit waits to be sent again', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(2_000)
  const [edit] = must(app.outbox.list({ page: 1, per_page: 10 })).edits
  expect(edit).toMatchObject({ state: 'held', reason: 'backoff', error: { code: 'timeout' } })
})

test.each([
  ['a field', { exclude_bots: false }, { email: true, exclude_bots: false }],
  ['a field that the service does not show', { exclude_params: ['ref'] }, { exclude_params: ['ref'] }],
])('sends %s of a lost request again although another client has set its other field', async (_what, rest, again) => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'get') Object.assign(service.records.get('1') ?? {}, { email: true })
  }
  must(await app.outbox.update(key, { email: true, ...rest }))
  await clock.advance(5_000)
  expect(service.updates()).toEqual([{ email: true, ...rest }, again])
  expect(service.records.get('1')).toMatchObject({ email: true, ...('exclude_bots' in rest && rest) })
  expect(app.edits()).toEqual([])
})

test('does not take a write-only field as applied because fields of an earlier request took effect late', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_bots: false }))
  await settled()
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'update') Object.assign(service.records.get('1') ?? {}, { email: true, exclude_bots: false })
  }
  await clock.advance(30_000)
  expect(service.received.flatMap(({ sent }) => sent ?? [])).toEqual([
    { email: true, exclude_bots: false },
    { email: true, exclude_bots: false, exclude_params: ['ref'] },
    { exclude_params: ['ref'] },
  ])
  expect(app.edits()).toEqual([])
})

test('an edit that was sent twice counts as applied if either request was applied', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'request' })
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { email: true, exclude_ips: ['10.0.0.1'], exclude_params: ['ref'] }))
  await clock.advance(30_000)
  expect(service.writes()).toEqual(['update', 'update'])
  expect(app.edits()).toEqual([])
})

test('lines that only our request added prove that all of it was applied, so it is not sent again', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  service.before = (operation) => {
    if (operation === 'get') Object.assign(service.records.get('1') ?? {}, { privacy: 1 })
  }
  must(await app.outbox.update(key, { privacy: 0, exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ privacy: 0, exclude_ips: ['10.0.0.1'] }])
  expect(app.edits()).toEqual([])
  expect(app.history()[0]).toMatchObject({ kind: 'update', became: 'sent', ignored: { privacy: 1 } })
})

test('asks before a later edit overwrites another client’s value if our lines prove that the earlier request was applied', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  const release = service.hold('get')
  must(await app.outbox.update(key, { privacy: 0, exclude_ips: ['10.0.0.1'] }))
  await settled()
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  Object.assign(service.records.get('1') ?? {}, { privacy: 1 })
  release()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['update'])
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } },
  ])
})

test('an edit that a list has shown as applied counts as applied, although another client has restored the old value since', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  service.fail('get', { lost: 'request' })
  service.fail('list', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  must(await app.refresh.run())
  must(await app.outbox.delete(key))
  const remote = service.records.get('1')
  if (remote !== undefined) remote.email = false
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['update'])
  expect(app.history()).toMatchObject([{ kind: 'update', became: 'sent' }])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('remembers a refusal that a full disk could not store: once the disk has room, the edit is not in doubt', async () => {
  const record = service.add('a.example', { updated_at: '1' })
  must(await app.refresh.run())
  service.touch(record, { exclude_bots: false })
  const { write } = app.store
  service.fail('update', { refuse: 'rate-limited', retryAfter: 1 })
  service.before = (operation) => {
    if (operation !== 'update') return
    app.store.write = () => ({ ok: false, error: { code: 'disk-full', message: '' } })
  }
  must(await app.outbox.update(app.keyOf('a.example'), { exclude_params: ['ref'] }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'sending' }])
  await clock.advance(2 * MINUTE)
  service.before = () => {}
  app.store.write = write
  await clock.advance(10 * MINUTE)
  expect(service.writes()).toEqual(['update'])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})
