import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeClock, settled, type FakeClock, MINUTE } from './clock.ts'
import { codeOf, draft, FakeSealer, must, startConnection, useFolder } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

const file = useFolder()
let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>

const start = (name?: string) => startConnection({ service, clock, file: file(name) })

beforeEach(async () => {
  service = new SimulatedService()
  clock = fakeClock()
  app = start()
  must(await app.refresh.run())
  service.asked.length = 0
})

afterEach(() => app.close())

/** A website that both sides have. */
async function shared(domain = 'a.example'): Promise<string> {
  service.add(domain)
  must(await app.refresh.run())
  service.asked.length = 0
  return app.keyOf(domain)
}

/** The next list doesn't show yet what is there. */
function listIsLate(): void {
  const { list } = service
  service.list = async (query) => {
    service.list = list
    const answer = await list(query)
    return answer.outcome === 'applied' ? { ...answer, value: { websites: [], next: null } } : answer
  }
}

test('a create whose answer is lost is looked up and adopted, not sent twice', async () => {
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(service.operations()).toEqual(['create', 'list'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('a create that was lost on the way is sent again once a read has shown that it is not there', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(3_000)
  expect(service.operations()).toEqual(['create', 'list', 'create'])
  expect(service.domains()).toEqual(['a.example'])
})

test('a website of that domain with other settings is not taken for ours', async () => {
  service.fail('create', { lost: 'request' })
  service.before = (operation) => {
    // Another client is faster.
    if (operation === 'list') service.add('a.example', { email: true })
  }
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
  expect(service.writes()).toEqual(['create'])
})

test('what was on the service before the send is never adopted', async () => {
  service.add('a.example')
  must(await app.refresh.run())
  const mine = app.store
  must(
    mine.write(() => {
      // As it is where the list was read after the create was queued.
      mine.addWebsite('k', 'a.example')
      mine.addEdit({
        id: 'e',
        website: 'k',
        kind: 'create',
        settings: { privacy: 1, email: false, exclude_bots: true, exclude_ips: [], exclude_params: [] },
        sealed: null,
        base: { settings: {} },
        standing: { state: 'queued' },
        attempts: 0,
        sent: null,
        changedAt: 0,
      })
      return { ok: true, value: undefined }
    }),
  )
  service.fail('create', { lost: 'request' })
  app.outbox.wake()
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
})

test('without a complete list from before, the person is asked whether it is theirs', async () => {
  await app.close()
  app = start('never-read.sqlite')
  service.fail('create', { lost: 'answer' })
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
})

test('a refusal "already taken" after a doubt is our own earlier request', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('list', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(5_000)
  expect(service.domains()).toEqual(['a.example'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('an update whose answer is lost is read, and found to be done', async () => {
  const key = await shared()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(service.operations()).toEqual(['update', 'get'])
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('an update that was lost on the way is read, and sent again', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(3_000)
  expect(service.operations()).toEqual(['update', 'get', 'update'])
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('an update of a field that the service never shows is sent again after a doubt', async () => {
  const key = await shared()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  await clock.advance(3_000)
  expect(service.operations()).toEqual(['update', 'get', 'update'])
})

test('a value of somebody else found while settling is not overwritten', async () => {
  const key = await shared()
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

test('a delete whose answer is lost is proven by a working account between two answers "not found", and the list', async () => {
  const key = await shared()
  service.fail('delete', { lost: 'answer' })
  must(await app.outbox.delete(key))
  await clock.advance(10_000)
  expect(service.operations()).toEqual(['delete', 'get', 'account', 'get', 'list'])
  expect(app.view.get(key)).toBeNull()
})

test('a delete that was lost on the way is sent again', async () => {
  const key = await shared()
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(key))
  await clock.advance(13_000)
  expect(service.operations()).toEqual(['delete', 'get', 'delete'])
  expect(service.records.size).toBe(0)
})

test('an empty answer is read back', async () => {
  service.fail('create', { empty: true })
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('while the service only fails, the edit stays in doubt and is never given up', async () => {
  for (let n = 0; n < 12; n++) service.fail('list', { lost: 'request' })
  service.fail('create', { lost: 'answer' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt', can: { undo: true, discard: false } }])
  await clock.advance(60 * 60_000)
  expect(service.writes()).toEqual(['create'])
  expect(app.outbox.counts()).toEqual({ waiting: 0, parked: 0 })
})

test('an edit that is proven not applied five times is left to the person, and the others flow', async () => {
  const key = await shared()
  for (let n = 0; n < 1000; n++) service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  must(await app.outbox.create(draft('b.example')))
  await clock.advance(60 * 60_000)
  expect(service.domains()).toContain('b.example')
  expect(service.writes().filter((write) => write === 'update')).toHaveLength(5)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing', error: { code: 'timeout' } }])
  // The person may let it try five times more.
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(60 * 60_000)
  expect(service.writes().filter((write) => write === 'update')).toHaveLength(10)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing' }])
})

test('an edit that is corrected while its password is being unsealed is sent as corrected', async () => {
  const sealer = new FakeSealer()
  await app.close()
  app = startConnection({ service, clock, sealer, file: file() })
  let release = () => {}
  const { unseal } = sealer
  sealer.unseal = async (sealed) => {
    await new Promise<void>((resolve) => (release = resolve))
    return unseal.call(sealer, sealed)
  }
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'first' })))
  await settled()
  sealer.failure = 'password-missing'
  must(await app.outbox.update(key, { password: 'second' }))
  release()
  await settled()
  sealer.failure = null
  release()
  await settled()
  expect(service.asked.filter(({ operation }) => operation === 'create')).toMatchObject([
    { sent: { password: 'second' } },
  ])
  expect(app.outbox.counts()).toEqual({ waiting: 0, parked: 0 })
})

test('a crash is a doubt like any other: "already taken" is then looked up, not believed', async () => {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
  listIsLate()
  app = start()
  await clock.advance(5_000)
  expect(service.domains()).toEqual(['a.example'])
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
})

test('a create that goes first after a start is told from another by the time of the service, asked for before', async () => {
  await app.close()
  app = start()
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
  app = start()
  await clock.advance(5_000)
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
})

test('a service that tells no time is asked once, not before each create', async () => {
  await app.close()
  app = start()
  const { account } = service
  service.account = async () => ({ ...(await account()), meta: {} })
  const { create } = service
  service.create = async (asked) => ({ ...(await create(asked)), meta: {} })
  for (const domain of ['a.example', 'b.example', 'c.example']) must(await app.outbox.create(draft(domain)))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['account', 'create', 'create', 'create'])
})

test('after a sleep, which running time may not count, what another client made meanwhile is not taken for ours', async () => {
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

describe('a create that is in question, as nobody can tell whether what is there is ours', () => {
  let key = ''
  beforeEach(async () => {
    await app.close()
    app = start('never-read.sqlite')
    service.fail('create', { lost: 'answer' })
    key = must(await app.outbox.create(draft('a.example')))
    await settled()
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
  })

  test('stays so when the person edits it, and the answer takes that along', async () => {
    must(await app.outbox.update(key, { email: true }))
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
    must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'adopt' }))
    await clock.advance(MINUTE)
    expect([...service.records.values()]).toMatchObject([{ domain: 'a.example', email: true }])
    expect(app.list()).toMatchObject([{ key, id: '1', state: 'synced' }])
  })

  test('stays so when the person corrects it', async () => {
    must(await app.outbox.correct(key, draft('a.example', { email: true })))
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
  })

  test('and is deleted is deleted once the person has said that it is', async () => {
    must(await app.outbox.delete(key))
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'adopt' }, { kind: 'delete' }])
    must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'adopt' }))
    await clock.advance(MINUTE)
    expect(service.domains()).toEqual([])
    expect(app.list()).toEqual([])
  })

  test('and is deleted and given up leaves what is there alone', async () => {
    must(await app.outbox.delete(key))
    must(app.outbox.discard(app.edits()[0]?.id ?? ''))
    await clock.advance(MINUTE)
    expect(app.edits()).toEqual([])
    expect(service.domains()).toEqual(['a.example'])
  })

  test('is looked for before it goes again, also where it is changed on the way', async () => {
    service.unreachable = true
    must(app.outbox.sendNow(app.edits()[0]?.id))
    await settled()
    must(await app.outbox.update(key, { email: true }))
    must(await app.outbox.delete(key))
    must(app.outbox.undo(app.edits().at(-1)?.id ?? ''))
    service.unreachable = false
    app.outbox.sendNow()
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', settings: { email: true } }])
    expect(service.writes()).toEqual(['create'])
  })

  test('goes to another file and back with the delete behind it', async () => {
    must(await app.outbox.delete(key))
    const { text } = must(await app.outbox.exportQueue())
    await app.close()
    app = start('another.sqlite')
    expect(must(await app.outbox.importQueue(text))).toMatchObject({ added: 2, refused: [] })
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'adopt' }, { kind: 'delete' }])
  })
})

test('what a crash left unclear stays unclear when the person lets it try again', async () => {
  await app.close()
  app = start('never-read.sqlite')
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('a.example')))
  await settled()
  void app.outbox.stop()
  app.store.close()
  release()
  service.after = () => {}
  app = start('never-read.sqlite')
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
})

test('what was accepted with an empty answer is awaited in the list, not sent again', async () => {
  service.fail('create', { empty: true })
  listIsLate()
  const key = must(await app.outbox.create(draft('a.example')))
  await clock.advance(5_000)
  expect(service.writes()).toEqual(['create'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('what a list still shows of the website before is not taken for the one that was accepted', async () => {
  const before = service.add('a.example', { created_at: '2025-01-01T00:00:00Z' })
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

test('a restart in mid-send: what was being sent is in doubt, is read, and is not doubled', async () => {
  const release = service.hold('create')
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  // The power goes: what was in flight arrives there, and nobody here hears of it.
  void app.outbox.stop()
  app.store.close()
  release()
  await settled()
  service.before = () => {}
  app = start()
  expect(app.view.get(key)?.state).toMatch(/checking|synced/)
  await settled()
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
  expect(service.writes()).toEqual(['create'])
})

test('a refresh in the middle of a create does not show the website twice', async () => {
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

test('what is tried again after a doubt says what brought it there, not that something broke off', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  const [edit] = must(app.outbox.list({ page: 1, per_page: 10 })).edits
  expect(edit).toMatchObject({ state: 'held', reason: 'backoff', error: { code: 'timeout' } })
})

test('a website that may be ours and is deleted meanwhile stays in sight until the person has said whose it is', async () => {
  let answer = () => {}
  service.before = (operation) =>
    operation === 'list' ? new Promise<void>((resolve) => (answer = resolve)) : undefined
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft('a.example', { email: true })))
  await settled()
  // Somebody has changed it since: it can't be told to be as it was sent.
  const there = [...service.records.values()].at(-1)
  Object.assign(there ?? {}, { email: false })
  must(await app.outbox.delete(key))
  service.before = () => {}
  answer()
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'domain-taken' }, { kind: 'delete' }])
  expect(app.view.get(key)).not.toBeNull()
  expect(service.writes()).toEqual(['create'])
  // What is to be deleted can't be corrected: that would go with it.
  expect(codeOf(await app.outbox.correct(key, draft('b.example')))).toBe('website-gone')
})

test('one value that somebody else has set as well proves nothing of what can not be seen: that is sent again', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'get') Object.assign(service.records.get('1') ?? {}, { email: true })
  }
  must(await app.outbox.update(key, { email: true, exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.asked.filter(({ operation }) => operation === 'update').map(({ sent }) => sent)).toEqual([
    { email: true, exclude_params: ['ref'] },
    { exclude_params: ['ref'] },
  ])
  expect(app.edits()).toEqual([])
})

test('nor does it prove anything of the other fields: what is not there yet is sent again', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'get') Object.assign(service.records.get('1') ?? {}, { email: true })
  }
  must(await app.outbox.update(key, { email: true, exclude_bots: false }))
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ email: true, exclude_bots: false })
  expect(app.edits()).toEqual([])
})

test('a password that has arrived with its privacy is sent again without asking', async () => {
  const key = await shared()
  Object.assign(service.records.get('1') ?? {}, { updated_at: '1' })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['update', 'update'])
})

test('a password is not sent again over another privacy that somebody has set since', async () => {
  service.add('a.example', { privacy: 2, password: true, updated_at: '1' })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  service.after = (operation) => {
    const record = service.records.get('1')
    if (operation === 'update' && record !== undefined) service.touch(record, { privacy: 1 })
  }
  must(await app.outbox.update(app.keyOf('a.example'), { privacy: 2, password: 'secret', exclude_bots: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } },
  ])
  expect(service.records.get('1')).toMatchObject({ privacy: 1, exclude_bots: false })
})

test('what was accepted and is not to be found for a long time is left to the person', async () => {
  service.fail('create', { empty: true })
  must(await app.outbox.create(draft('a.example')))
  service.before = (operation) => (operation === 'list' ? service.records.clear() : undefined)
  await clock.advance(2 * 60_000)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  await clock.advance(60 * 60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'gone', can: { discard: true } }])
  expect(service.writes()).toEqual(['create'])
})

test('of a website that is found, what can not be seen is sent once more; what can is not', async () => {
  service.fail('create', { lost: 'answer' })
  const sent = { privacy: 2, password: 'secret', exclude_params: ['ref'], email: true } as const
  const key = must(await app.outbox.create(draft('a.example', { ...sent, exclude_params: ['ref'] })))
  await settled()
  expect(service.writes()).toEqual(['create', 'update'])
  expect(service.asked.at(-1)?.sent).toEqual({ privacy: 2, password: 'secret', exclude_params: ['ref'] })
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('at the plan’s limit a create in doubt is still looked up', async () => {
  service.fail('create', { lost: 'answer' })
  service.fail('list', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example')))
  must(await app.outbox.create(draft('b.example')))
  service.fail('create', { refuse: 'invalid', fields: { domain: ['You added too many websites.'] } })
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'website-limit' }])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('nor do fields that an earlier request has brought late tell that the rest has arrived', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_bots: false }))
  await settled()
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'update') Object.assign(service.records.get('1') ?? {}, { email: true, exclude_bots: false })
  }
  await clock.advance(30_000)
  expect(service.asked.flatMap(({ sent }) => sent ?? [])).toEqual([
    { email: true, exclude_bots: false },
    { email: true, exclude_bots: false, exclude_params: ['ref'] },
    { exclude_params: ['ref'] },
  ])
  expect(app.edits()).toEqual([])
})

test('what was sent twice has arrived, whichever of the two it was', async () => {
  const key = await shared()
  service.fail('update', { lost: 'request' })
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { email: true, exclude_bots: false, exclude_params: ['ref'] }))
  await clock.advance(30_000)
  expect(service.writes()).toEqual(['update', 'update'])
  expect(app.edits()).toEqual([])
})
