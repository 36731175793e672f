import { expect, test, vi } from 'vitest'
import { createReadCache } from '../../../src/main/outbox/remote/read-cache.ts'
import { createPreflightReads } from '../../../src/main/outbox/remote/preflight-reads.ts'
import { settled, MINUTE } from './clock.ts'
import { must, startConnection } from './rig.ts'
import { app, clock, record, sealer, service, existingKey, useApp } from './rig-app.ts'

useApp(() => {
  service.pageSize = 100
  service.add('there.example', { exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '1' })
})

test('reads a website again before a write only if the last read is more than two seconds old', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update'])
  // The answer to a write counts as a read of the website.
  await clock.advance(2_000)
  must(await app.outbox.update(existingKey(), { email: false }))
  await settled()
  expect(service.operations()).toEqual(['update', 'update'])
  await clock.advance(2_001)
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update', 'update', 'get', 'update'])
})

test('counts the age of a read from its answer, so that a slow read is not repeated before the write', async () => {
  await clock.advance(MINUTE)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(20_000)
  release()
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
})

test('writes after one more read if the rate limit delayed a write after its read', async () => {
  await clock.advance(MINUTE)
  // Between the read and the write, other requests use up the rate limit.
  service.after = (operation) => {
    if (operation === 'get') while (app.budget.tryTake('replay'));
  }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(3 * MINUTE)
  expect(service.operations()).toEqual(['get', 'get', 'update'])
})

test('merges with a newer record that a refresh has shown while the website was being read', async () => {
  await clock.advance(MINUTE)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }))
  await settled()
  await clock.advance(1_000)
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.9.9.9'], updated_at: '2' })
  must(await app.refresh.run())
  release()
  await settled()
  expect(record().exclude_ips).toEqual(['10.0.0.1', '10.0.0.2', '10.9.9.9', '10.0.0.3'])
})

const remoteEntries = () => must(app.outbox.activity({ author: 'remote', limit: 10 })).entries

test('reports a difference between the answer to a write and the merged record as a remote change', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  service.before = (operation) => {
    if (operation !== 'update') return
    service.before = () => {}
    service.touch(record(), { exclude_ips: ['10.0.0.1', '10.9.9.9'], updated_at: '2' })
  }
  await settled()
  expect(app.view.get(existingKey())?.exclude_ips).toEqual(['10.0.0.1', '10.9.9.9'])
  expect(remoteEntries()).toMatchObject([{ kind: 'changed', remote: { fields: ['exclude_ips'] } }])
})

test('does not report our own write as a remote change', async () => {
  must(await app.outbox.update(existingKey(), { email: true, privacy: 2, password: 'secret' }))
  await settled()
  expect(record()).toMatchObject({ email: true, privacy: 2 })
  expect(remoteEntries()).toEqual([])
})

test('reads the website again before the first write after a restart', async () => {
  const again = startConnection({ service, clock })
  must(again.store.write(() => ({ ok: true, value: again.store.addWebsite('k', 'there.example') })))
  must(again.store.write(() => ({ ok: true, value: again.store.acknowledge('k', { ...record() }) })))
  must(await again.outbox.update('k', { email: true }))
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
  await again.close()
})

test('sends in one request what the user changes while the website is being read for an earlier change', async () => {
  await clock.advance(MINUTE + 1)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  release()
  await settled()
  expect(service.updates()).toEqual([{ email: true, privacy: 0 }])
  expect(app.edits()).toEqual([])
})

test('sends nothing if the edit is undone, the website deleted or the outbox stopped while the website is being read', async () => {
  await clock.advance(MINUTE + 1)
  let release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  release()
  await settled()
  expect(service.writes()).toEqual([])

  await clock.advance(MINUTE + 1)
  release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.outbox.delete(existingKey()))
  release()
  await settled()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'delete', reason: 'undo' }])
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))

  await clock.advance(MINUTE + 1)
  release = service.hold('get')
  app.outbox.wake()
  await settled()
  const stopped = app.outbox.stop()
  release()
  await stopped
  await clock.advance(MINUTE)
  expect(app.store.editsOf(existingKey()).every(({ attempts }) => attempts === 0)).toBe(true)
})

test('sends nothing while a 429 that came during the read applies, and then reads again before the write', async () => {
  await clock.advance(MINUTE + 1)
  service.after = (operation) => {
    if (operation === 'get') service.fail('list', { refuse: 'rate-limited', retryAfter: 30 })
    return operation === 'get' ? void app.refresh.run() : undefined
  }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(20_000)
  service.after = () => {}
  // The edit was not sent, so it can still be undone.
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'rate' }])
  expect(app.store.editsOf(existingKey())).toMatchObject([{ attempts: 0 }])
  await clock.advance(20_000)
  expect(service.operations().slice(-2)).toEqual([expect.stringMatching(/get|list/), 'update'])
  expect(record()).toMatchObject({ email: true })
})

test('sends an edit five minutes after a read that the service answered with a longer Retry-After and no 429', async () => {
  await clock.advance(MINUTE)
  service.fail('get', { refuse: 'unavailable', retryAfter: 3_600 })
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('reads less often if the reads of a website fail with a Retry-After of 0 seconds and other requests work', async () => {
  await clock.advance(MINUTE)
  for (let n = 0; n < 100; n++) service.fail('get', { refuse: 'unavailable', retryAfter: 0 })
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(10 * MINUTE)
  expect(service.operations().filter((operation) => operation === 'get').length).toBeLessThan(20)
})

test('reads by page for many edits, at most one page for fifteen writes, and sends each edit once', async () => {
  for (let n = 0; n < 150; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 150; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  service.received.length = 0
  await app.online()
  await clock.advance(15 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toHaveLength(150)
  expect(service.operations().length - 150).toBeLessThanOrEqual(150 / 15)
})

test('once the edits that were read by page are sent, reads the website of the next edit singly before its write', async () => {
  for (let n = 0; n < 10; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(MINUTE)
  await app.offline()
  for (let n = 0; n < 5; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  service.received.length = 0
  await app.online()
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['account', 'list', ...Array.from({ length: 5 }, () => 'update')])
  must(await app.outbox.update(app.keyOf('n7.example'), { email: true }))
  await settled()
  expect(service.operations().slice(7)).toEqual(['get', 'update'])
})

test('reads a few edited websites among many one by one, as well as those that are missing from a page', async () => {
  for (let n = 0; n < 450; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (const n of [3, 200, 400]) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  service.received.length = 0
  await app.online()
  expect(service.operations().filter((operation) => operation.startsWith('list'))).toEqual([])

  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 20; n++)
    must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: false, privacy: 0 }))
  for (let n = 5; n < 10; n++) service.records.delete(String(n + 2))
  service.received.length = 0
  await app.online()
  await clock.advance(5 * MINUTE)
  expect(app.edits()).toHaveLength(5)
  expect(app.edits().every(({ reason }) => reason === 'gone')).toBe(true)
  expect(service.writes()).toHaveLength(15)
  // Five pages, and a search for each of the five websites that are gone.
  expect(service.operations().filter((operation) => operation.startsWith('list')).length).toBeLessThanOrEqual(10)
})

test('sends edits to a host whose list can’t be read', async () => {
  for (let n = 0; n < 20; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 20; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  for (let n = 0; n < 50; n++) service.fail('list', { lost: 'request' })
  service.received.length = 0
  await app.online()
  await clock.advance(5 * MINUTE)
  expect(service.writes()).toHaveLength(20)
})

test.each([
  [1, MINUTE],
  [2, 2 * MINUTE],
])(
  'does not take a website for deleted while the list has it, although reads are answered with “not found” (reads: %i)',
  async (times, ms) => {
    await clock.advance(MINUTE + 1)
    for (let n = 0; n < times; n++) service.fail('get', { refuse: 'not-found' })
    must(await app.outbox.delete(existingKey()))
    await clock.advance(ms)
    expect(service.writes()).toEqual(['delete'])
    expect(service.records.size).toBe(0)
  },
)

test('holds the update of a website that cannot be read, and sends it once a read succeeds', async () => {
  await clock.advance(MINUTE + 1)
  for (let n = 0; n < 3; n++) service.fail('get', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff' }])
  expect(app.store.editsOf(existingKey())).toMatchObject([{ attempts: 0 }])
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('writes nothing to a website that is gone: its update is parked, its delete is done', async () => {
  await clock.advance(MINUTE + 1)
  service.records.delete('1')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone' }])
  must(await app.outbox.delete(existingKey()))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual([])
  expect(app.list()).toEqual([])
  expect(app.history()[0]).toMatchObject({ kind: 'delete', became: 'nothing' })
})

test('reads the website again before a write that a slow keychain has delayed', async () => {
  const release = sealer.hold()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }))
  await clock.advance(2 * MINUTE)
  service.touch(record(), { privacy: 0 })
  release()
  await settled()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ reason: 'conflict' }])
})

test('parks the delete of an existing website after the service has answered five requests with "not found"', async () => {
  for (let n = 0; n < 20; n++) service.fail('delete', { refuse: 'not-found' })
  must(await app.outbox.delete(existingKey()))
  await clock.advance(60 * MINUTE)
  expect(service.writes()).toHaveLength(5)
  expect(app.edits()).toMatchObject([
    { kind: 'delete', state: 'parked', reason: 'failing', error: { code: 'not-found' } },
  ])
})

test('reads a website again before a write after an outage', async () => {
  await clock.advance(MINUTE + 1)
  must(await app.refresh.run())
  service.received.length = 0
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(5_000)
  await app.online()
  await settled()
  expect(service.operations().filter((operation) => ['get', 'update'].includes(operation))).toEqual(['get', 'update'])
})

test('parks an edit in doubt as gone if its website is no longer found, even if a list has just shown the sent value', async () => {
  service.fail('update', { lost: 'answer' })
  service.before = async (operation) => {
    if (operation !== 'get') return
    service.before = () => {}
    // A list that is read just before still shows the website, with the sent value.
    must(await app.refresh.run())
    service.records.delete('1')
  }
  must(await app.outbox.update(existingKey(), { email: true, exclude_params: ['a'] }))
  await clock.advance(3_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone' }])
  must(await app.outbox.update(existingKey(), { exclude_params: ['b'] }))
  await clock.advance(3_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone' }])
  expect(service.writes()).toEqual(['update'])
})

test('each call of `next` looks up the websites of only one read page of the list, at most 100', async () => {
  for (let n = 0; n < 1000; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  const readCache = createReadCache(clock)
  const noting = readCache.noting(service)
  let page = await noting.list({ sort_by: 'id', sort: 'asc', per_page: 100 })
  while (page.outcome === 'applied' && page.value.next !== null) page = await noting.listNext(page.value.next)
  await app.offline()
  must(await app.outbox.update(app.keyOf('n950.example'), { email: true }))
  const preflight = createPreflightReads({ service, store: app.store, readCache })
  const looked = vi.spyOn(app.store, 'websiteOfId')
  for (let steps = 1; steps < 10; steps++) {
    expect(preflight.next(() => true)).toBeNull()
    expect(looked.mock.calls.length).toBe(100 * steps)
  }
  // The same website comes next until its edit may no longer be sent.
  expect(preflight.next(() => true)).toMatchObject({ website: { domain: 'n950.example' } })
  expect(preflight.next(() => false)).toBeNull()
})
