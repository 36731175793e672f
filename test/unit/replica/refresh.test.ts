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

async function connectSample(websites: number, around: (service: Service) => Service = (service) => service) {
  sample = await startSampleService({ websites, rate: 0 })
  const key = new Secret(sample.apiKey)
  const client = createService({ address: sample.address, key: () => key, dispatcher: createDispatcher() })
  app = startConnection({ service: around(client), clock })
  return { app, sample }
}

test('every page of the service is read, the newest first of all', async () => {
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

test('while it reads it tells how far it is', async () => {
  const { app } = await connectSample(250)
  const told: string[] = []
  app.refresh.onChange(() => {
    const { running, read, total } = app.refresh.state()
    told.push(`${running ? 'running' : 'done'} ${String(read)}/${String(total)}`)
  })
  must(await app.refresh.run())
  expect(told).toContain('running 100/250')
  expect(told.at(-1)).toBe('done 250/250')
  // Also where nothing has changed.
  told.length = 0
  must(await app.refresh.run())
  expect(told[0]).toMatch(/ 0\/null$/)
  expect(told).toContain('running 100/250')
})

test('a website that another client deleted goes; one that another client added comes', async () => {
  const { app, sample } = await connectSample(120)
  must(await app.refresh.run())
  const [gone] = sample.store.all()
  sample.store.delete(gone?.id ?? 0)
  must(await app.refresh.run())
  expect(app.view.total()).toBe(119)
  expect(app.list(gone?.domain)).toEqual([])
})

test('a run that is cut short removes nothing and says why', async () => {
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

test('a list that leaves a website out does not remove it while its own read still answers', async () => {
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

test('a service whose pages loop is read to its end all the same', async () => {
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

test('a service that gives fewer on a page than asked for is read to its end', async () => {
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

test('an error page in place of the list leaves the list as it is', async () => {
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

test('a read that overtakes an edit does not bring the old value back', async () => {
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

test('websites wait visibly for their delete, and those not created yet come first', async () => {
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

test('too many requests: the run waits and goes on', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  service.fail('list', { refuse: 'rate-limited', retryAfter: 20 })
  app = startConnection({ service, clock })
  const run = app.refresh.run()
  await clock.advance(20_000)
  must(await run)
  expect(app.view.total()).toBe(1)
})

test('a service that says to wait for years is asked again within the hour', async () => {
  const service = new SimulatedService()
  service.add('a.example')
  service.fail('list', { refuse: 'rate-limited', retryAfter: 99_999_999 })
  app = startConnection({ service, clock })
  const run = app.refresh.run()
  await clock.advance(60 * 60_000)
  must(await run)
  expect(app.view.total()).toBe(1)
})

test('a run that is stopped ends at once, whatever it waits for', async () => {
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

  // Neither does it wait for an answer that may never come.
  service.before = () => new Promise<void>(() => {})
  app = startConnection({ service, clock })
  const asking = app.refresh.run()
  await settled()
  app.refresh.stop()
  expect(codeOf(await asking)).toBe('no-connection')
})

test('a whole list in one answer is kept by and by: the person is served in between', async () => {
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

test('an edit that is acknowledged while a list is being kept is not undone by it', async () => {
  const service = new SimulatedService()
  for (let n = 0; n < 2_000; n++) service.add(`n${String(n)}.example`)
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  const key = app.keyOf('n0.example')
  const { list } = service
  service.list = async (query) => structuredClone(await list(query))
  const run = app.refresh.run()
  // The newest are kept first, so this one is yet to come.
  must(await app.outbox.update(key, { email: true }))
  must(await run)
  await settled()
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
  expect(app.view.total()).toBe(2_000)
})
