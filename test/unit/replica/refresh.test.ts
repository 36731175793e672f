import { afterEach, beforeEach, expect, test } from 'vitest'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { startSampleService, type SampleService } from '../../../src/main/sample/service.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let clock: FakeClock
let sample: SampleService | undefined
let app: ReturnType<typeof startConnection> | undefined

beforeEach(() => {
  clock = fakeClock()
})

afterEach(async () => {
  await app?.close()
  await sample?.close()
  app = sample = undefined
})

/** Connects to a sample service. `around` wraps the client. */
async function connectSample(websites: number, around: (service: Service) => Service = (service) => service) {
  sample = await startSampleService({ websites, rate: 0 })
  const key = new Secret(sample.apiKey)
  const client = createService({ address: sample.address, key: () => key, dispatcher: createDispatcher() })
  app = startConnection({ service: around(client), clock })
  return { app, sample }
}

test('reads every page of the service, the newest first', async () => {
  const { app, sample } = await connectSample(428)
  const seen: number[] = []
  app.refresh.onChange(({ websites }) => websites && seen.push(app.view.total()))
  must(await app.refresh.run())
  expect(app.view.total()).toBe(428)
  expect(seen[0]).toBe(100)
  expect(app.refresh.state()).toEqual({
    running: false,
    ended: 1,
    read: 428,
    total: 428,
    seenAt: clock.wall(),
    error: null,
  })
  const newest = sample.store.all().toSorted((a, b) => b.id - a.id)[0]
  expect(app.list()[0]).toMatchObject({ id: String(newest?.id), domain: newest?.domain, state: 'synced' })
  expect(app.view.account()?.account.id).toBeDefined()
})

test('reports progress while it reads', async () => {
  const { app } = await connectSample(250)
  const states: string[] = []
  app.refresh.onChange(() => {
    const { running, read, total } = app.refresh.state()
    states.push(`${running ? 'running' : 'done'} ${String(read)}/${String(total)}`)
  })
  must(await app.refresh.run())
  expect(states).toContain('running 100/250')
  expect(states.at(-1)).toBe('done 250/250')
  // The listener is also called for a refresh without changes.
  states.length = 0
  must(await app.refresh.run())
  expect(states[0]).toMatch(/ 0\/null$/)
  expect(states).toContain('running 100/250')
})

test('removes a website that another client deleted', async () => {
  const { app, sample } = await connectSample(120)
  must(await app.refresh.run())
  const [gone] = sample.store.all()
  sample.store.delete(gone?.id ?? 0)
  must(await app.refresh.run())
  expect(app.view.total()).toBe(119)
  expect(app.list(gone?.domain)).toEqual([])
})

test('an interrupted refresh removes no website, and reports the reason', async () => {
  let cut = false
  const { app, sample } = await connectSample(428, (service) => ({
    ...service,
    listNext: (next) =>
      cut
        ? Promise.resolve({ outcome: 'inDoubt', error: { code: 'interrupted', message: '' }, meta: {} })
        : service.listNext(next),
  }))
  must(await app.refresh.run())
  for (const { id } of sample.store.all().slice(0, 200)) sample.store.delete(id)
  cut = true
  expect(codeOf(await app.refresh.run())).toBe('interrupted')
  expect(app.view.total()).toBe(428)
  expect(app.refresh.state().error?.code).toBe('interrupted')
})

test('keeps a website that is missing from the list but can still be read', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  const { list } = service
  service.list = async (query) => {
    const answer = await list(query)
    return answer.outcome === 'applied' ? { ...answer, value: { websites: [], next: null } } : answer
  }
  must(await app.refresh.run())
  expect(app.view.total()).toBe(1)
  service.records.clear()
  must(await app.refresh.run())
  expect(app.view.total()).toBe(0)
})

test('ends when the pages of the service loop', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  const { list } = service
  service.list = async (query) => {
    const answer = await list(query)
    return answer.outcome === 'applied' ? { ...answer, value: { ...answer.value, next: 'page=2' } } : answer
  }
  service.listNext = () => service.list({})
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  expect(app.view.total()).toBe(1)
})

test('reads to the end when pages have fewer websites than requested', async () => {
  const service = new SimulatedService()
  for (let n = 0; n < 7; n++) service.add(`n${String(n)}.example`)
  const pageOf = (start: number) => {
    const websites = [...service.records.values()].slice(start, start + 2)
    return { websites, next: start + 2 < service.records.size ? String(start + 2) : null }
  }
  service.list = () => Promise.resolve({ outcome: 'applied', value: pageOf(0), meta: {} })
  service.listNext = (next) => Promise.resolve({ outcome: 'applied', value: pageOf(Number(next)), meta: {} })
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  expect(app.view.total()).toBe(7)
})

test('keeps the list when the service can no longer be reached', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  service.fail('list', { lost: 'request' })
  service.fail('account', { lost: 'request' })
  service.fail('account', { lost: 'request' })
  expect(codeOf(await app.refresh.run())).toBe('timeout')
  expect(app.view.total()).toBe(1)
  expect(app.reach.state().state).toBe('offline')
})

test.each(['not-found', 'not-the-service'] as const)(
  'succeeds and removes old entries of the activity on a host whose account answers %s',
  async (code) => {
    const service = new SimulatedService()
    service.add('a.example')
    service.account = async () => ({ outcome: 'inDoubt', error: { code, message: '' }, meta: {} })
    app = startConnection({ service, clock })
    let pruned = 0
    const { store } = app
    const { pruneActivity } = store
    store.pruneActivity = (before) => {
      pruned += 1
      return pruneActivity(before)
    }
    must(await app.refresh.run())
    expect(app.refresh.state().error).toBeNull()
    expect(pruned).toBe(1)

    service.fail('list', { refuse: 'unavailable' })
    expect(codeOf(await app.refresh.run())).toBe('unavailable')
  },
)

test('does not show the old value if a list was read before an edit was applied and arrives after it', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  const key = app.keyOf('a.example')
  let release = () => {}
  const { list } = service
  service.list = async (query) => {
    const answer = structuredClone(await list(query))
    await new Promise<void>((resolve) => (release = resolve))
    return answer
  }
  const run = app.refresh.run()
  await settled()
  must(await app.outbox.update(key, { email: true }))
  await settled()
  release()
  must(await run)
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('lists a website until it is deleted on the service, and websites that are not created yet first', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  service.add('b.example')
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  must(await app.outbox.delete(app.keyOf('a.example')))
  must(await app.outbox.create(draft('c.example')))
  expect(app.list().map(({ domain, state }) => [domain, state])).toEqual([
    ['c.example', 'held'],
    ['b.example', 'synced'],
    ['a.example', 'deleting'],
  ])
  const page = must(app.view.list({ ...listQuerySchema.parse({}), page: 9 }))
  expect(page).toMatchObject({ page: 1, pages: 1, matching: 3, total: 3 })
})

test('waits as long as a 429 says, then continues, and the list is as of then', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  service.fail('list', { refuse: 'rate-limited', retryAfter: 20 })
  app = startConnection({ service, clock })
  const run = app.refresh.run()
  await clock.advance(19_999)
  expect(app.view.total()).toBe(0)
  await clock.advance(1)
  must(await run)
  expect(app.view.total()).toBe(1)
  expect(app.refresh.state().seenAt).toBe(clock.wall())
})

test('says until when a refresh waits for the rate limit, also one that the user requests during that wait', async () => {
  const service = new SimulatedService()
  service.fail('list', { refuse: 'rate-limited', retryAfter: 600 })
  const { refresh, reach } = (app = startConnection({ service, clock }))
  const until = clock.wall() + 600_000
  const shown: (number | undefined)[] = []
  refresh.onChange(() => void shown.push(refresh.state().waitsUntil))
  void refresh.run()
  await settled()
  expect(shown.at(-1)).toBe(until)
  void refresh.request()
  await clock.advance(600_000)
  expect(shown.at(-1)).toBeUndefined()

  service.fail('account', { refuse: 'rate-limited', retryAfter: 600 })
  await reach.probe()
  void refresh.request()
  expect(refresh.state().waitsUntil).toBe(clock.wall() + 600_000)
})

test('says until when a refresh waits after an error with a Retry-After, also for less than a minute', async () => {
  const service = new SimulatedService()
  service.fail('list', { refuse: 'unavailable', retryAfter: 30 })
  const { refresh } = (app = startConnection({ service, clock }))
  expect(codeOf(await refresh.run())).toBe('unavailable')
  expect(refresh.state().waitsUntil).toBeUndefined()
  const run = refresh.run()
  expect(refresh.state().waitsUntil).toBe(clock.wall() + 30_000)
  await clock.advance(30_000)
  must(await run)
})

test('says until when a refresh that the user asks for waits because edits have used up the app’s own limit', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  const { budget, refresh } = (app = startConnection({ service, clock }))
  while (budget.tryTake('replay'));
  void refresh.request()
  expect(refresh.state()).toMatchObject({ waitsUntil: clock.wall() + 60_000, waitsFor: 'budget' })
  await clock.advance(60_000)
  expect(refresh.state()).not.toHaveProperty('waitsUntil')
  expect(app.view.total()).toBe(1)
})

test('asks again within an hour when the service demands a wait of years', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  service.fail('list', { refuse: 'rate-limited', retryAfter: 99_999_999 })
  app = startConnection({ service, clock })
  const run = app.refresh.run()
  await clock.advance(60 * 60_000)
  must(await run)
  expect(app.view.total()).toBe(1)
})

test('ends a stopped refresh at once, even while it waits', async () => {
  const service = new SimulatedService()
  service.fail('list', { refuse: 'rate-limited', retryAfter: 600 })
  service.fail('account', { refuse: 'rate-limited', retryAfter: 600 })
  app = startConnection({ service, clock })
  const waiting = app.refresh.run()
  await settled()
  app.refresh.stop()
  expect(codeOf(await waiting)).toBe('no-connection')
  await app.close()
  expect(clock.timers()).toBe(0)

  // Stopping a refresh also ends its wait for an answer.
  service.before = () => new Promise<void>(() => {})
  app = startConnection({ service, clock })
  const asking = app.refresh.run()
  await settled()
  app.refresh.stop()
  expect(codeOf(await asking)).toBe('no-connection')
})

test('stores a list that came in one answer slice by slice, and serves the user between the slices', async () => {
  const service = new SimulatedService()
  for (let n = 0; n < 2_000; n++) service.add(`n${String(n)}.example`)
  app = startConnection({ service, clock })
  const seen = [0]
  app.refresh.onChange(({ websites }) => websites && seen.push(app?.view.total() ?? 0))
  let turns = 0
  let running = true
  const count = () => {
    turns += 1
    if (running) setImmediate(count)
  }
  setImmediate(count)
  must(await app.refresh.run())
  running = false
  expect(seen.at(-1)).toBe(2_000)
  const steps = seen.slice(1).map((total, n) => total - (seen[n] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThan(2)
})

test('keeps the value of an edit that is acknowledged while a list is being stored', async () => {
  const service = new SimulatedService()
  for (let n = 0; n < 2_000; n++) service.add(`n${String(n)}.example`)
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  const key = app.keyOf('n0.example')
  const { list } = service
  service.list = async (query) => structuredClone(await list(query))
  const run = app.refresh.run()
  // The newest websites are stored first, so this one is not stored yet.
  must(await app.outbox.update(key, { email: true }))
  must(await run)
  await settled()
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
  expect(app.view.total()).toBe(2_000)
})
