import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeClock, settled, type FakeClock, MINUTE } from './clock.ts'
import { draft, must, startConnection, useFolder } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

const file = useFolder()
let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>

const start = () => startConnection({ service, clock, file: file() })

beforeEach(async () => {
  service = new SimulatedService()
  service.add('there.example', { email: false, privacy: 1, updated_at: '2026-01-01T00:00:00Z' })
  clock = fakeClock()
  app = start()
  must(await app.refresh.run())
})

afterEach(() => app.close())

const there = () => app.keyOf('there.example')
const record = () => service.records.get('1') ?? expect.fail('it is gone')
const reads = () => service.asked.filter(({ operation }) => operation === 'get' || operation === 'list').length

/** `email` was set in a request that got lost and was made again, and then was set back. */
async function setAndSetBack(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(there(), { email: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ email: false })
}

test('what a late request has changed is put right after ten minutes, once, and told', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(7 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: false })
  expect(app.history()[0]).toMatchObject({
    became: 'repaired',
    settings: { email: false },
    overwritten: { email: true },
  })
  // If that was somebody's wish all the same, it can be put back; and it isn't repaired a second time.
  must(await app.outbox.revert(app.history()[0]?.id ?? '', 'putBack', undefined))
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('it is read once, and nothing is sent where nothing has landed', async () => {
  await setAndSetBack()
  const [before, writes] = [reads(), service.writes().length]
  await clock.advance(7 * MINUTE)
  expect(reads()).toBe(before)
  await clock.advance(30 * MINUTE)
  expect(reads()).toBe(before + 1)
  expect(service.writes()).toHaveLength(writes)
  expect(clock.timers()).toBe(0)
})

test('a request that could only bring what is there already is not looked for', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE)
  const before = reads()
  await clock.advance(30 * MINUTE)
  expect(reads()).toBe(before)
})

test('what others have written since is left alone', async () => {
  await setAndSetBack()
  Object.assign(record(), { privacy: 0, email: false })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ privacy: 0, email: false })
})

test('a value of others that was seen in between is what is put back', async () => {
  Object.assign(record(), { privacy: 0 })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { privacy: 1 }))
  await clock.advance(MINUTE)
  Object.assign(record(), { privacy: 2 })
  must(await app.refresh.run())
  Object.assign(record(), { privacy: 1 })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ privacy: 2 })
})

test('a field that the person has changed since keeps their word', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  must(await app.outbox.update(there(), { privacy: 0 }))
  await clock.advance(30 * MINUTE)
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: false, privacy: 0 })
  expect(app.edits()).toEqual([])
})

test('a restart begins the ten minutes anew', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(6 * MINUTE)
  await app.close()
  app = start()
  await clock.advance(6 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('something on the way that says the website is not there ends no look for what has landed late', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  service.fail('get', { refuse: 'not-found' })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('a website that was given up and appears all the same is shown, and the person says what becomes of it', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('late.example', { email: true })))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  const late = service.add('late.example', { email: true })
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([
    { kind: 'create', domain: 'late.example', state: 'parked', reason: 'appeared', can: { discard: true } },
  ])
  expect(app.list('late.example')).toMatchObject([{ id: late.id, state: 'parked' }])
  // Left as it is, it's a website like any other.
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.list('late.example')).toMatchObject([{ id: late.id, state: 'synced' }])
  expect(service.writes()).toEqual(['create'])
})

test('one that a refresh has met already is the same website', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('late.example')))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.add('late.example')
  must(await app.refresh.run())
  await clock.advance(11 * MINUTE)
  expect(app.list('late.example')).toMatchObject([{ state: 'parked' }])
})

test('one that the person has edited meanwhile is in their hands: nothing is asked about it', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('late.example')))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.add('late.example')
  must(await app.refresh.run())
  must(await app.outbox.update(app.keyOf('late.example'), { email: true }))
  await clock.advance(30 * MINUTE)
  expect(app.list('late.example')).toMatchObject([{ state: 'synced', email: true }])
})

test('what a late arrival was to have is not what it has, where the service does not show it', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('late.example', { exclude_params: [] })))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.add('late.example')
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ reason: 'appeared' }])
  must(await app.outbox.update(app.keyOf('late.example'), { exclude_params: [] }))
  await clock.advance(MINUTE)
  expect(service.asked.at(-1)).toMatchObject({ operation: 'update', sent: { exclude_params: [] } })
})

test('a website that we have made by another edit is no late arrival', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('late.example')))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  must(await app.outbox.create(draft('late.example')))
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(app.list('late.example')).toMatchObject([{ state: 'synced' }])
})

test('a delete that was given up and lands all the same is shown', async () => {
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(there()))
  for (let n = 0; n < 20 && app.edits()[0]?.attempts !== 1; n++) await clock.advance(1_000)
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toEqual([])
  service.records.delete('1')
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ domain: 'there.example', state: 'parked', reason: 'vanished' }])
  expect(service.writes()).toEqual(['delete'])
})

test('an old password that may have landed is followed by our newest, once', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { privacy: 2, password: 'the old one' }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(there(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  const passwords = () =>
    service.asked.flatMap(({ sent }) => (sent !== undefined && 'password' in sent ? [sent.password] : []))
  const before = passwords().length
  Object.assign(record(), { updated_at: '2026-01-01T00:05:00Z' })
  await clock.advance(30 * MINUTE)
  expect(passwords().slice(before)).toEqual(['the new one'])
  await clock.advance(60 * MINUTE)
  expect(passwords()).toHaveLength(before + 1)
})

test('while nothing tells that the record was changed, no password is sent again', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { privacy: 2, password: 'the old one' }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(there(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  const before = service.writes().length
  await clock.advance(60 * MINUTE)
  expect(service.writes()).toHaveLength(before)
})

test('offline nothing is looked for; it is as soon as the service is back', async () => {
  await setAndSetBack()
  service.unreachable = true
  app.reach.hint(false)
  await clock.advance(30 * MINUTE)
  Object.assign(record(), { email: true })
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('a website that was changed before it was created, and whose create was lost once, stays as it was created', async () => {
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  const key = must(await app.outbox.create(draft('new.example', { privacy: 1, exclude_ips: ['10.0.0.1'] })))
  must(await app.outbox.update(key, { privacy: 0, exclude_ips: ['10.0.0.2'] }))
  service.fail('create', { lost: 'request' })
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(30 * MINUTE)
  expect(service.writes()).toEqual(['create', 'create'])
  expect([...service.records.values()].at(-1)).toMatchObject({ privacy: 0, exclude_ips: ['10.0.0.2'] })
  expect(app.history()).toMatchObject([{ became: 'sent', before: {} }])
})

test('a late request that lands before the read that settles our newest is put right too', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  // It waits to be sent again, and is something else by then; of that the answer is lost.
  await settled()
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.2'], email: true }))
  service.fail('update', { lost: 'answer' })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    queueMicrotask(() => Object.assign(record(), { exclude_ips: ['10.0.0.1'] }))
  }
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true, exclude_ips: ['10.0.0.2'] })
})

test('where a field shows that it landed, what the service does not show has landed with it', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'], exclude_params: ['a'] }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(there(), { exclude_ips: [], exclude_params: ['a', 'b'] }))
  await clock.advance(MINUTE)
  Object.assign(record(), { exclude_ips: ['10.0.0.1'] })
  await clock.advance(30 * MINUTE)
  expect(service.asked.findLast(({ operation }) => operation === 'update')?.sent).toEqual({
    exclude_ips: [],
    exclude_params: ['a', 'b'],
  })
})

test('what was found to have arrived while the rest was sent again is not put back', async () => {
  // Of two fields the service shows one: that one has arrived, of the other nobody can tell.
  service.fail('update', { lost: 'answer' })
  let answer = () => {}
  service.after = (operation) => {
    const settles = operation === 'get' && service.writes().length > 0
    return settles ? new Promise<void>((resolve) => (answer = resolve)) : undefined
  }
  must(await app.outbox.update(there(), { email: true, exclude_params: ['a'] }))
  await settled()
  must(await app.outbox.update(there(), { privacy: 0 }))
  service.after = () => {}
  answer()
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true, privacy: 0 })
  expect(app.edits()).toEqual([])
  expect(app.history().map(({ became }) => became)).not.toContain('repaired')
})

test('a create that lands late beside the one that was sent again is told, and deleted by itself', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('new.example')))
  await clock.advance(MINUTE)
  expect(app.list('new')).toMatchObject([{ key, id: '2', state: 'synced' }])
  const late = service.add('new.example', { created_at: new Date(service.now()).toISOString() })
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toMatchObject([{ domain: 'new.example', kind: 'create', reason: 'appeared' }])
  expect(app.edits()[0]?.website).not.toBe(key)
  must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' }))
  await clock.advance(MINUTE)
  expect(service.records.has(late.id)).toBe(false)
  expect(app.list('new')).toMatchObject([{ key, id: '2', state: 'synced' }])
})

test('a create that waits for the person is not told to have come through by a website that they edit already', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('late.example')))
  service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ website: key, state: 'parked', reason: 'website-limit' }])
  service.add('late.example')
  must(await app.refresh.run())
  const met = app.list('late').find(({ id }) => id !== null)?.key ?? expect.fail('not met')
  service.fail('update', { refuse: 'invalid', fields: { privacy: ['No.'] } })
  must(await app.outbox.update(met, { privacy: 0 }))
  await clock.advance(12 * MINUTE)
  // Its answer "delete" would take along what waits there.
  expect(app.edits()).toMatchObject([
    { website: key, reason: 'website-limit' },
    { website: met, reason: 'refused' },
  ])
})

test('a late arrival is not shown at a website that was corrected to another domain since', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('late.example', { email: true })))
  await settled()
  must(await app.outbox.correct(key, draft('other.example')))
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['No.'] } })
  await clock.advance(MINUTE)
  service.add('late.example', { email: true })
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([
    { domain: 'other.example', reason: 'refused' },
    { domain: 'late.example', reason: 'appeared' },
  ])
})

/** `email` was set in a request that got lost, and then was set back; the person's next edit is turned away. */
async function turnedAwayAfter(): Promise<void> {
  await setAndSetBack()
  service.fail('update', { refuse: 'invalid', fields: { privacy: ['No.'] } })
  must(await app.outbox.update(there(), { privacy: 0 }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused' }])
  Object.assign(record(), { email: true })
}

test('what the person discards later does not take the repair along', async () => {
  await turnedAwayAfter()
  await clock.advance(12 * MINUTE)
  expect(app.edits()).toMatchObject([{ settings: { privacy: 0 } }])
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: false, privacy: 1 })
  expect(app.history()[0]).toMatchObject({ became: 'repaired', settings: { email: false } })
})

test('nothing is asked of the service while the person has a question to answer', async () => {
  await turnedAwayAfter()
  const before = service.asked.length
  await clock.advance(60 * MINUTE)
  expect(service.asked).toHaveLength(before)
  expect(clock.timers()).toBe(0)
})

test('a delete that is taken back leaves what is to be put right', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(7 * MINUTE)
  // Within ten seconds, again and again, until the ten minutes are over.
  for (let n = 0; n < 20; n++) {
    must(await app.outbox.delete(there()))
    await clock.advance(9_000)
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    must(await app.outbox.delete(there()))
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  }
  await clock.advance(10 * MINUTE)
  expect(service.writes()).not.toContain('delete')
  expect(record()).toMatchObject({ email: false })
})

/** The passwords that were sent, in order. */
const passwords = () =>
  service.asked.flatMap(({ sent }) => (sent !== undefined && 'password' in sent ? [sent.password] : []))

async function setPasswordTwice(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { privacy: 2, password: 'the old one' }))
  await settled()
  must(await app.outbox.update(there(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one'])
}

test('an old password that lands before another edit is acknowledged is followed by our newest all the same', async () => {
  await setPasswordTwice()
  service.touch(record())
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one', 'the new one'])
})

test('so is one that lands before the read that tells of an edit which was answered with nothing', async () => {
  await setPasswordTwice()
  service.fail('update', { empty: true })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    queueMicrotask(() => service.touch(record()))
  }
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one', 'the new one'])
})

test('no password is put back where somebody has taken it away since', async () => {
  await setPasswordTwice()
  service.touch(record(), { privacy: 0, password: false })
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one'])
  expect(record()).toMatchObject({ privacy: 0 })
})

test('a website whose password the person has taken away since does not get it back', async () => {
  await setPasswordTwice()
  must(await app.outbox.update(there(), { privacy: 0 }))
  await clock.advance(MINUTE)
  service.touch(record(), { privacy: 2, password: true })
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one'])
  expect(record()).toMatchObject({ privacy: 0 })
})

test('a read that is older than our acknowledgement tells nothing of what others have written', async () => {
  Object.assign(record(), { updated_at: '2026-01-01T00:00:00Z' })
  service.touch = (of) => void (of.updated_at = new Date(service.now()).toISOString())
  service.fail('update', { lost: 'request' })
  const before = { ...record() }
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
  // A part of the service that lags behind.
  const now = { ...record() }
  service.records.set('1', before)
  must(await app.refresh.run())
  service.records.set('1', now)
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('where no times are told, what was acknowledged counts more than a read', async () => {
  const timeless = service.add('timeless.example', { email: false })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  const before = { ...timeless }
  must(await app.outbox.update(app.keyOf('timeless.example'), { email: true }))
  await clock.advance(MINUTE)
  service.records.set(timeless.id, before)
  must(await app.refresh.run())
  service.records.set(timeless.id, { ...before, email: true })
  await clock.advance(30 * MINUTE)
  expect(service.records.get(timeless.id)).toMatchObject({ email: true })
})

test('an old password is looked for though the new one, in its place, was lost once as well', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { privacy: 2, password: 'the old one' }))
  await settled()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(there(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one', 'the new one'])
  service.touch(record())
  await clock.advance(30 * MINUTE)
  expect(passwords()).toHaveLength(4)
})

test('what the person has set back to what is there is their word, whatever a late request was to bring', async () => {
  service.fail('update', { lost: 'request' })
  // Somebody else sets one of the two alike; it's undone while that is being read, and then wanted again.
  service.before = (operation) => {
    if (operation === 'get' && service.writes().length > 0) service.touch(record(), { exclude_bots: false })
  }
  let answer = () => {}
  service.after = (operation) =>
    operation === 'get' && service.writes().length > 0 ? new Promise<void>((resolve) => (answer = resolve)) : undefined
  must(await app.outbox.update(there(), { email: true, exclude_bots: false }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.after = service.before = () => {}
  answer()
  await settled()
  must(await app.outbox.update(there(), { exclude_bots: false, privacy: 0 }))
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ exclude_bots: false, privacy: 0, email: false })
})

test('what the person has changed and set back before any of it was sent is their word as well', async () => {
  service.fail('update', { lost: 'request' })
  service.after = (operation) => {
    if (operation === 'get' && service.writes().length > 0) service.unreachable = true
  }
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.after = () => {}
  service.unreachable = false
  // It lands, or somebody else wants the same.
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  service.unreachable = true
  app.reach.hint(false)
  must(await app.outbox.update(there(), { email: false }))
  must(await app.outbox.update(there(), { email: true }))
  expect(app.edits()).toEqual([])
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('so is what they set back behind a change that proves not to have arrived', async () => {
  await setAndSetBack()
  // It lands, and the person sees it.
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  let answer = () => {}
  service.fail('update', { lost: 'request' })
  service.after = (operation) =>
    operation === 'get' && service.writes().length === 4
      ? new Promise<void>((resolve) => (answer = resolve))
      : undefined
  must(await app.outbox.update(there(), { email: false }))
  await settled()
  must(await app.outbox.update(there(), { email: true }))
  service.after = () => {}
  answer()
  await settled()
  expect(app.edits()).toEqual([])
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('what one late request has brought before our newest is read back is no wish of others that another could undo', async () => {
  for (const line of ['10.0.0.1', '10.0.0.2']) {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(there(), { exclude_ips: [line] }))
    await clock.advance(MINUTE)
  }
  service.fail('update', { empty: true })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    queueMicrotask(() => service.touch(record(), { exclude_ips: ['10.0.0.2'] }))
  }
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.3'] }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  service.touch(record(), { exclude_ips: ['10.0.0.1'] })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.3'] })
})

test('where somebody else has chosen the same while ours was in doubt, ours may land as late as any', async () => {
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'get' && service.writes().length === 1) service.touch(record(), { email: true })
  }
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toHaveLength(1)
  must(await app.outbox.update(there(), { email: false }))
  await clock.advance(MINUTE)
  service.touch(record(), { email: true })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: false })
  expect(app.history()[0]).toMatchObject({ became: 'repaired' })
})

test('what one late request of ours has brought is no wish of others that another one could have undone', async () => {
  for (const email of [true, false]) {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(there(), { email }))
    await clock.advance(MINUTE)
  }
  must(await app.outbox.update(there(), { email: true }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
  // The second lands late, which a refresh shows; then the first, which brings what the person wants.
  Object.assign(record(), { email: false, updated_at: '2026-02-01T00:00:00Z' })
  must(await app.refresh.run())
  Object.assign(record(), { email: true, updated_at: '2026-02-01T00:01:00Z' })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  expect(app.history().filter(({ became }) => became === 'repaired')).toEqual([])
})
