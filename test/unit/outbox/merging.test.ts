import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeClock, settled, type FakeClock, MINUTE } from './clock.ts'
import { draft, FakeSealer, must, startConnection } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>

beforeEach(async () => {
  service = new SimulatedService()
  service.pageSize = 100
  service.add('there.example', { exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '1' })
  clock = fakeClock()
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  service.asked.length = 0
})
afterEach(() => app.close())

const there = () => app.keyOf('there.example')
const record = () => service.records.get('1') ?? expect.fail('it is gone')

test('what was read within the last minute is not read again; what is older is, before anything is sent', async () => {
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update'])
  // The answer to a PUT counts as read.
  await clock.advance(MINUTE)
  must(await app.outbox.update(there(), { email: false }))
  await settled()
  expect(service.operations()).toEqual(['update', 'update'])
  await clock.advance(MINUTE + 1)
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update', 'update', 'get', 'update'])
})

test('a restart reads anew', async () => {
  const again = startConnection({ service, clock })
  must(again.store.write(() => ({ ok: true, value: again.store.addWebsite('k', 'there.example') })))
  must(again.store.write(() => ({ ok: true, value: again.store.acknowledge('k', { ...record() }) })))
  must(await again.outbox.update('k', { email: true }))
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
  await again.close()
})

test('what others have changed meanwhile stays as they left it, and only what differs is sent', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { email: true, exclude_ips: ['10.0.0.1', '10.0.0.9'] }))
  service.touch(record(), { privacy: 0, email: true, exclude_ips: ['10.0.0.7', '10.0.0.2', '10.0.0.1'] })
  await clock.advance(MINUTE + 1)
  await app.online()
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.7', '10.0.0.1', '10.0.0.9'] }])
  expect(app.list()).toMatchObject([{ state: 'synced', privacy: 0, email: true }])
})

test('what the service has already is not sent, and the history says so', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { privacy: 0 }))
  service.touch(record(), { privacy: 0 })
  await clock.advance(MINUTE + 1)
  await app.online()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'nothing', settings: { privacy: 0 } }])
})

test('a field that both have changed is left to the person, and nothing of the edit is sent', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { privacy: 2, password: 'x', email: true }))
  service.touch(record(), { privacy: 0 })
  await clock.advance(MINUTE + 1)
  await app.online()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', attempts: 0 }])
})

test('a change that is made while its website is being read is sent with it', async () => {
  await clock.advance(MINUTE + 1)
  const release = service.hold('get')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(await app.outbox.update(there(), { privacy: 0 }))
  release()
  await settled()
  expect(service.updates()).toEqual([{ email: true, privacy: 0 }])
  expect(app.edits()).toEqual([])
})

test('what is undone, deleted or stopped while its website is being read is not sent', async () => {
  await clock.advance(MINUTE + 1)
  let release = service.hold('get')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  release()
  await settled()
  expect(service.writes()).toEqual([])

  await clock.advance(MINUTE + 1)
  release = service.hold('get')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(await app.outbox.delete(there()))
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
  expect(app.store.editsOf(there()).every(({ attempts }) => attempts === 0)).toBe(true)
})

test('while the gate closes during the read nothing leaves, and what was read is good for a minute', async () => {
  await clock.advance(MINUTE + 1)
  service.after = (operation) => {
    if (operation === 'get') service.fail('list', { refuse: 'rate-limited', retryAfter: 30 })
    return operation === 'get' ? void app.refresh.run() : undefined
  }
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(20_000)
  service.after = () => {}
  // It can still be taken back.
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'rate', attempts: 0 }])
  await clock.advance(20_000)
  expect(service.operations().filter((operation) => operation === 'get')).toHaveLength(1)
  expect(record()).toMatchObject({ email: true })
})

test('many on a page are read as a page, once a minute, and each is written once', async () => {
  for (let n = 0; n < 300; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 300; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  service.asked.length = 0
  await app.online()
  await clock.advance(15 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toHaveLength(300)
  // 45 requests a minute: a page that has a hundred is read three times, as each look at it is good for a minute.
  expect(service.operations().length - 300).toBeLessThanOrEqual(9)
})

test('a few among many are read one by one; what a page should have had and has not is asked for by itself', async () => {
  for (let n = 0; n < 450; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (const n of [3, 200, 400]) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  service.asked.length = 0
  await app.online()
  expect(service.operations().filter((operation) => operation.startsWith('list'))).toEqual([])

  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 20; n++)
    must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: false, privacy: 0 }))
  for (let n = 5; n < 10; n++) service.records.delete(String(n + 2))
  service.asked.length = 0
  await app.online()
  await clock.advance(5 * MINUTE)
  expect(app.edits()).toHaveLength(5)
  expect(app.edits().every(({ reason }) => reason === 'gone')).toBe(true)
  expect(service.writes()).toHaveLength(15)
  // Five pages, and the list that proves it for each of the five that are gone.
  expect(service.operations().filter((operation) => operation.startsWith('list')).length).toBeLessThanOrEqual(10)
})

test('a host that can not list still gets its edits, each after a read of its own', async () => {
  for (let n = 0; n < 20; n++) service.add(`n${String(n)}.example`)
  must(await app.refresh.run())
  await clock.advance(10 * MINUTE)
  await app.offline()
  for (let n = 0; n < 20; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  for (let n = 0; n < 50; n++) service.fail('list', { lost: 'request' })
  service.asked.length = 0
  await app.online()
  await clock.advance(5 * MINUTE)
  expect(service.writes()).toHaveLength(20)
})

test('a single answer "not found" on the way to the service does not pass for a deleted website', async () => {
  await clock.advance(MINUTE + 1)
  service.fail('get', { refuse: 'not-found' })
  must(await app.outbox.delete(there()))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['delete'])
  expect(service.records.size).toBe(0)
})

test('a website that can not be read is neither changed nor given up', async () => {
  await clock.advance(MINUTE + 1)
  for (let n = 0; n < 3; n++) service.fail('get', { lost: 'request' })
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff', attempts: 0 }])
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('a website that is gone is not written to: its update is parked, its delete is done', async () => {
  await clock.advance(MINUTE + 1)
  service.records.delete('1')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone' }])
  must(await app.outbox.delete(there()))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual([])
  expect(app.list()).toEqual([])
  expect(app.history()[0]).toMatchObject({ kind: 'delete', became: 'nothing' })
})

test.each([
  ['a field', { privacy: 0 as const }],
  ['something that is not shown', {}],
])('after a minute a website in which %s was changed is kept, and the person is asked', async (_, changes) => {
  await app.offline()
  must(await app.outbox.delete(there()))
  service.touch(record(), changes)
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('our own change of a website is no reason to ask before it is deleted, or its password set', async () => {
  const release = service.hold('update')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(await app.outbox.update(there(), { privacy: 2, password: 'x', exclude_params: ['ref'] }))
  service.before = () => {}
  release()
  await settled()
  expect(service.updates()).toEqual([{ email: true }, { privacy: 2, password: 'x', exclude_params: ['ref'] }])

  const releaseNext = service.hold('update')
  must(await app.outbox.update(there(), { email: false }))
  await settled()
  must(await app.outbox.delete(there()))
  service.before = () => {}
  releaseNext()
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('a password is not sent over a change that nobody can see; without one it is', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { privacy: 2, password: 'x' }))
  service.touch(record())
  await clock.advance(MINUTE + 1)
  await app.online()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('a doubted password is sent again although the record has moved: that may be our own doing', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(there(), { exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }, { exclude_params: ['ref'] }])
  expect(app.edits()).toEqual([])
})

test('what the service accepts and does not keep is sent once more; then the person is told what it kept', async () => {
  service.ignores.add('email')
  must(await app.outbox.update(there(), { email: true, privacy: 0 }))
  await settled()
  expect(service.updates()).toEqual([{ email: true, privacy: 0 }, { email: true }])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { became: 'sent', settings: { email: true, privacy: 0 }, before: { privacy: 1 }, ignored: { email: false } },
  ])
  expect(app.list()).toMatchObject([{ state: 'synced', email: false, privacy: 0 }])
})

test('a create of which something is not kept is followed by one update', async () => {
  service.ignores.add('email')
  must(await app.outbox.create(draft('new.example', { email: true })))
  await settled()
  expect(service.writes()).toEqual(['create', 'update'])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { kind: 'update', ignored: { email: false } },
    { kind: 'create', became: 'sent', ignored: { email: false } },
  ])
})

test('what was lost on the way and is merged anew does not bring back what others have removed since', async () => {
  service.fail('update', { lost: 'request' })
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  await clock.advance(MINUTE + 1)
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.4'] }))
  await settled()
  await app.offline()
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.updates()).toHaveLength(2)
  expect(record().exclude_ips).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.4'])
})

test('a keychain that takes its time does not make an old read count', async () => {
  const sealer = new FakeSealer()
  await app.close()
  app = startConnection({ service, clock, sealer })
  must(await app.refresh.run())
  let release = () => {}
  const { unseal } = sealer
  sealer.unseal = async (sealed) => {
    await new Promise<void>((resolve) => (release = resolve))
    return unseal.call(sealer, sealed)
  }
  must(await app.outbox.update(there(), { privacy: 2, password: 'x' }))
  await clock.advance(2 * MINUTE)
  service.touch(record(), { privacy: 0 })
  release()
  await settled()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ reason: 'conflict' }])
})

test('a service that answers "not found" to each delete of what is there is not believed, nor asked for ever', async () => {
  for (let n = 0; n < 20; n++) service.fail('delete', { refuse: 'not-found' })
  must(await app.outbox.delete(there()))
  await clock.advance(60 * MINUTE)
  expect(service.writes()).toHaveLength(5)
  expect(app.edits()).toMatchObject([
    { kind: 'delete', state: 'parked', reason: 'failing', error: { code: 'not-found' } },
  ])
})

test('what is set back to what it was before a part of it was sent is sent, not taken for no change', async () => {
  service.ignores.add('email')
  const release = service.holdAnswer('update')
  must(await app.outbox.update(there(), { email: true, privacy: 0 }))
  await settled()
  service.after = () => {}
  // The answer says that the email isn't kept; while that is sent again nothing can go.
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  release()
  await settled()
  must(await app.outbox.update(there(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1 })
})

test('nor where it was left out because somebody else had brought it about', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { privacy: 0, email: true }))
  service.touch(record(), { privacy: 0 })
  await clock.advance(2 * MINUTE)
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  await app.online()
  must(await app.outbox.update(there(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1, email: true })
})

test.each([
  { what: 'the machine slept', running: 0, jump: 10 * MINUTE },
  { what: 'it slept for less than a minute, and ran for the rest of it', running: MINUTE / 2, jump: MINUTE / 2 + 1 },
  { what: 'its clock was set back', running: 0, jump: -10 * MINUTE },
])('what was read before $what is read again', async ({ running, jump }) => {
  await clock.advance(MINUTE + 1)
  must(await app.refresh.run())
  // The running time stands still.
  clock.jump(jump)
  await clock.advance(running)
  service.asked.length = 0
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
})

test('an outage of less than a minute is no reason to read again, one of more is', async () => {
  await clock.advance(MINUTE + 1)
  must(await app.refresh.run())
  service.asked.length = 0
  await app.offline()
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE / 2)
  await app.online()
  await settled()
  expect(service.operations().filter((operation) => operation !== 'account')).toEqual(['update'])
  await clock.advance(MINUTE / 2)
  service.asked.length = 0
  await app.offline()
  must(await app.outbox.update(there(), { email: false }))
  await clock.advance(MINUTE + 1)
  await app.online()
  await settled()
  expect(service.operations().filter((operation) => ['get', 'update'].includes(operation))).toEqual(['get', 'update'])
})

test('what others have written while the person was typing is merged with it, not taken for seen', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2'], privacy: 1 as const }
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  must(await app.refresh.run())
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.2', '10.0.0.3'] }, seen))
  await settled()
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.2', '10.0.0.9', '10.0.0.3'] })
})

test('both have changed a field while the person was typing: the person is asked', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(there(), { privacy: 0 }, { privacy: 1 }))
  await settled()
  expect(app.edits()).toMatchObject([
    { reason: 'conflict', conflict: { base: { privacy: 1 }, theirs: { privacy: 2 } } },
  ])
  expect(service.updates()).toEqual([])
})

test('lines that were typed before others were merged into what is on its way do not take those away', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }
  await app.offline()
  must(await app.outbox.update(there(), { exclude_ips: seen.exclude_ips }))
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  await clock.advance(2 * MINUTE)
  service.fail('update', { lost: 'request' })
  service.unreachable = false
  app.reach.retryNow()
  await settled()
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3'] }])
  must(await app.outbox.update(there(), { exclude_ips: [...seen.exclude_ips, '10.0.0.4'] }, seen))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3', '10.0.0.4'] })
})
