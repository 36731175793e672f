import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { draft, must, waitingCreate } from './rig.ts'
import { app, clock, endInCreate, service, start, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

/** For `ms` milliseconds, the service's lists are empty. */
function listIsLate(ms = 3_000): void {
  const { list } = service
  const until = clock.monotonic() + ms
  service.list = async (query) => {
    const answer = await list(query)
    if (answer.outcome !== 'applied' || clock.monotonic() >= until) return answer
    return { ...answer, value: { websites: [], next: null } }
  }
}

test('finds the website of a create whose answer was lost, and does not send the create again', async () => {
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(service.operations()).toEqual(['create', 'list'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('creates a deleted website again only once if the answer is lost and the service lists the domain with “www.”', async () => {
  service.add('www.shop.example')
  must(await app.refresh.run())
  must(await app.outbox.delete(app.keyOf('shop.example')))
  await clock.advance(MINUTE)
  service.fail('create', { lost: 'answer' })
  expect(must(app.outbox.undo(must(app.outbox.lastSave())?.entry?.id ?? '', true))).toBe('queued')
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['delete', 'create'])
  expect(app.list()).toMatchObject([{ domain: 'www.shop.example', state: 'synced' }])
})

test('sends a lost create again once a read has shown that it was not applied', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['create', 'list', 'list', 'create'])
  expect(service.domains()).toEqual(['a.example'])
})

test('does not take a website with other settings for the website of a create in doubt', async () => {
  service.fail('create', { lost: 'request' })
  service.before = (operation) => {
    // Another client creates the website before our request arrives.
    if (operation === 'list') service.add('a.example', { email: true })
  }
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
  expect(service.writes()).toEqual(['create'])
})

test('never adopts a website that was on the service before the create was sent', async () => {
  service.add('a.example')
  must(await app.refresh.run())
  const mine = app.store
  must(
    mine.write(() => {
      // Stores a create as if it had been queued before the list was read.
      mine.addWebsite('k0', 'a.example')
      mine.addEdit(waitingCreate())
      return { ok: true, value: undefined }
    }),
  )
  service.fail('create', { lost: 'request' })
  app.outbox.wake()
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
})

test('a create whose answer was lost is settled by the list, even if the first look-up of its website fails', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('list', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['create', 'list', 'account', 'list'])
  expect(service.domains()).toEqual(['a.example'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('attributes the answer "already taken" to our own earlier request even while the list is a few seconds old', async () => {
  listIsLate(4_000)
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example')))
  for (let second = 0; second < 30; second++) {
    await clock.advance(1_000)
    expect(app.edits().filter(({ state }) => state === 'parked')).toEqual([])
  }
  expect(service.writes().length).toBeGreaterThan(1)
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('after a lost answer, reads a current list before it believes that the next request was rejected', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('create', { refuse: 'refused' })
  listIsLate()
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(10_000)
  expect(service.writes()).toEqual(['create', 'create'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('sends what the user has changed while a create was in doubt as an update, once the created website is found', async () => {
  listIsLate()
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example', { exclude_ips: ['10.0.0.1'] })))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['a.example'])
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced', email: true })
  expect(app.history()).toMatchObject([
    { kind: 'update', settings: { email: true } },
    { kind: 'create', settings: { email: false, exclude_ips: ['10.0.0.1'] } },
  ])
})

test('sends the write-only values that the user has changed while a create was in doubt, once the created website is found', async () => {
  listIsLate()
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example', { exclude_params: ['old'] })))
  await settled()
  must(await app.outbox.update(key, { exclude_params: [] }))
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['a.example'])
  expect(service.updates()).toEqual([{ exclude_params: [] }])
  expect(app.edits()).toEqual([])
})

test('parks a create as “domain taken” if no website with the taken domain is found, even after a lost request', async () => {
  service.fail('create', { lost: 'request' })
  for (let times = 0; times < 9; times++)
    service.fail('create', { refuse: 'invalid', fields: { domain: ['The domain has already been taken.'] } })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
})

test('attributes the answer "already taken" after a crash to the request that was sent before the crash', async () => {
  await endInCreate('a.example')
  listIsLate()
  start()
  await clock.advance(5_000)
  expect(service.writes()).toEqual(['create', 'create'])
  expect(service.domains()).toEqual(['a.example'])
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
})

test('asks for the service’s time before the first create after a start, so that it can recognize the website later', async () => {
  await app.close()
  start()
  await endInCreate('a.example')
  start()
  await clock.advance(5_000)
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
})

test('asks a service that sends no time for its time only once, and not before each create', async () => {
  await app.close()
  start()
  const { account } = service
  service.account = async () => ({ ...(await account()), meta: {} })
  const { create } = service
  service.create = async (draft) => ({ ...(await create(draft)), meta: {} })
  for (const domain of ['a.example', 'b.example', 'c.example']) must(await app.outbox.create(draft(domain)))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['account', 'create', 'create', 'create'])
})

test('after the computer slept, does not take another client’s website for the website of a create in doubt', async () => {
  const { now } = service
  service.now = () => now() + 8 * 60 * MINUTE
  service.add('a.example', { created_at: new Date(service.now() - 60 * MINUTE).toISOString() })
  app.reach.resumed()
  app.outbox.wake()
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
})

test('recognizes the website of a second request of a create, because a complete list was read between the two requests', async () => {
  await app.close()
  start('never-read.db')
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.refresh.run())
  service.fail('create', { lost: 'answer' })
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create', 'create'])
  expect(app.edits()).toEqual([])
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
})

test('waits for a create that was accepted with an empty answer to appear in the list', async () => {
  service.fail('create', { empty: true })
  listIsLate()
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(5_000)
  expect(service.writes()).toEqual(['create'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test.each([
  ['the deleted one is known to be older', { created_at: '2025-01-01T00:00:00Z' }],
  ['the deleted one is alike, on a host without times', {}],
])('does not take a deleted website in a stale list for the website of an accepted create: %s', async (_, shown) => {
  const before = service.add('a.example', shown)
  must(await app.refresh.run())
  must(await app.outbox.delete(app.keyOf('a.example')))
  await clock.advance(MINUTE)
  const { list } = service
  service.list = async (query) => {
    const answer = await list(query)
    if (query.search === undefined || answer.outcome !== 'applied') return answer
    service.list = list
    return { ...answer, value: { websites: [before], next: null } }
  }
  service.fail('create', { empty: true })
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['delete', 'create'])
  expect(app.view.get(key)).toMatchObject({ id: '2', state: 'synced' })
})

test('does not show the website twice if a refresh runs during a create', async () => {
  const release = service.holdAnswer('create')
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.refresh.run())
  expect(app.list().map(({ key: shown }) => shown)).toEqual([key])
  release()
  await settled()
  expect(app.list()).toMatchObject([{ key, id: '1', state: 'synced' }])
})

test('asks the user if the website of an accepted create is still not in the list after an hour', async () => {
  service.fail('create', { empty: true })
  must(await app.outbox.create(draft('a.example')))
  service.before = (operation) => (operation === 'list' ? service.records.clear() : undefined)
  await clock.advance(2 * 60_000)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  await clock.advance(60 * 60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone', can: { discard: true } }])
  expect(service.writes()).toEqual(['create'])
})

test('after a lost answer to a create, sends only the write-only values again once the website is found', async () => {
  service.fail('create', { lost: 'answer' })
  const sent = { privacy: 2, password: 'secret', exclude_params: ['ref'], email: true } as const
  const key = must(await app.outbox.create(draft('a.example', { ...sent, exclude_params: ['ref'] })))
  await settled()
  expect(service.writes()).toEqual(['create', 'update'])
  expect(service.received.at(-1)?.sent).toEqual({ privacy: 2, password: 'secret', exclude_params: ['ref'] })
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('looks up a create in doubt even at the plan’s limit', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('list', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example')))
  must(await app.outbox.create(draft('b.example')))
  service.fail('create', { refuse: 'invalid', fields: { domain: ['You added too many websites.'] } })
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'website-limit' }])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})
