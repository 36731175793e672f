import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createBudget } from '../../../src/main/connectivity/budget.ts'
import { fakeClock } from './clock.ts'
import { draft, FakeSealer, must, startConnection } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

/** Starts an app that has read this number of websites and gone offline. */
async function start({ websites = 0, sealer = new FakeSealer() } = {}) {
  const service = new SimulatedService()
  for (let n = 0; n < websites; n++) service.add(`w${String(n)}.example`)
  const clock = fakeClock()
  const app = startConnection({ service, clock, sealer })
  opened.push(app)
  must(await app.refresh.run())
  await app.offline()
  const goOnline = async () => {
    await app.online(0)
  }
  return { service, clock, app, goOnline }
}

const deliveryOf = ({ app }: Awaited<ReturnType<typeof start>>) => app.outbox.delivery() ?? expect.fail('nothing waits')

test('shows no progress if nothing is pending', async () => {
  const { app, goOnline } = await start()
  expect(app.outbox.delivery()).toBeNull()
  must(await app.outbox.create(draft('a.example')))
  expect(app.outbox.delivery()).toMatchObject({ done: 0, total: 1 })
  await goOnline()
  expect(app.outbox.delivery()).toBeNull()
})

test('the total of a delivery includes an edit that is added during the delivery, until that edit is undone', async () => {
  const rig = await start()
  for (let n = 0; n < 100; n++) must(await rig.app.outbox.create(draft(`n${String(n)}.example`)))
  await rig.goOnline()
  const { done, total } = deliveryOf(rig)
  expect(done).toBeGreaterThan(0)
  expect(total).toBe(100)
  must(await rig.app.outbox.create(draft('more.example')))
  expect(deliveryOf(rig)).toMatchObject({ done, total: 101 })
  must(rig.app.outbox.undo(rig.app.edits().at(-1)?.id ?? ''))
  expect(deliveryOf(rig)).toMatchObject({ done, total: 100 })
  await rig.clock.advance(5 * 60_000)
  expect(rig.app.outbox.delivery()).toBeNull()
  // The next edits to send are counted from 0 again.
  rig.service.unreachable = true
  must(await rig.app.outbox.create(draft('later.example')))
  expect(deliveryOf(rig)).toMatchObject({ done: 0, total: 1 })
})

test.each([
  ['creates', 0, 150],
  ['changes of a few websites among many', 1_000, 60],
  ['changes of all websites', 160, 160],
])(
  'gives an estimate for %s that is right to a factor of two and a minute, and never rises by more than a minute at once',
  async (_, websites, edits) => {
    const rig = await start({ websites })
    const { app, clock } = rig
    for (let n = 0; n < edits; n++) {
      if (websites === 0) must(await app.outbox.create(draft(`n${String(n)}.example`)))
      else must(await app.outbox.update(app.keyOf(`w${String(n)}.example`), { email: true }))
    }
    await rig.goOnline()
    const estimate = deliveryOf(rig).seconds ?? expect.fail('no estimate')
    const started = clock.monotonic()
    let last = estimate
    while (app.outbox.delivery() !== null) {
      await clock.advance(1_000)
      const now = app.outbox.delivery()?.seconds ?? 0
      // An additional read may make the estimate a little longer.
      expect(now).toBeLessThanOrEqual(last + 61)
      last = now
    }
    const took = (clock.monotonic() - started) / 1000
    expect(estimate).toBeGreaterThan(0.5 * took - 61)
    expect(estimate).toBeLessThan(2 * took + 61)
  },
)

test.each([
  ['quick', 100],
  ['slow', 4_000],
])('gives an estimate for a %s service that is right to a factor of two', async (_, latency) => {
  const rig = await start()
  const { app, clock, service } = rig
  for (let n = 0; n < 60; n++) must(await app.outbox.create(draft(`n${String(n)}.example`)))
  service.before = () => new Promise((resolve) => void clock.after(latency, resolve))
  await rig.goOnline()
  await clock.advance(5 * latency)
  const estimate = deliveryOf(rig).seconds ?? expect.fail('no estimate')
  const started = clock.monotonic()
  while (app.outbox.delivery() !== null) await clock.advance(1_000)
  const took = (clock.monotonic() - started) / 1000
  expect(estimate).toBeGreaterThan(0.5 * took - 1)
  expect(estimate).toBeLessThan(2 * took + 1)
})

test('gives no estimate before the first answer of the service', async () => {
  const service = new SimulatedService()
  service.unreachable = true
  const app = startConnection({ service, clock: fakeClock() })
  opened.push(app)
  must(await app.outbox.create(draft('a.example')))
  expect(app.outbox.delivery()).toEqual({ done: 0, total: 1, seconds: null })
})

test('includes the ten seconds for Undo in the estimate, and gives no estimate after repeated failures', async () => {
  const rig = await start({ websites: 2 })
  const { app, clock, service } = rig
  must(await app.outbox.delete(app.keyOf('w0.example')))
  await rig.goOnline()
  expect(deliveryOf(rig).seconds).toBe(10)
  await clock.advance(11_000)
  expect(app.outbox.delivery()).toBeNull()
  for (let n = 0; n < 2; n++) service.fail('update', { lost: 'request' })
  const key = app.keyOf('w1.example')
  must(await app.outbox.update(key, { email: true }))
  while (app.store.editsOf(key)[0]?.attempts !== 2) await clock.advance(500)
  await clock.advance(2_000)
  expect(deliveryOf(rig).seconds).toBeNull()
})

test('the progress does not count creates that the plan’s website limit holds', async () => {
  const rig = await start({ websites: 2 })
  const { app, clock, service } = rig
  service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  for (const name of ['a', 'b', 'c']) must(await app.outbox.create(draft(`${name}.example`)))
  for (let n = 0; n < 2; n++) must(await app.outbox.update(app.keyOf(`w${String(n)}.example`), { email: true }))
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  service.before = (operation) => (operation === 'update' ? held : undefined)
  await rig.goOnline()
  expect(app.outbox.counts()).toMatchObject({ waiting: 4, parked: 1 })
  expect(deliveryOf(rig)).toMatchObject({ done: 0, total: 2 })
  release()
  await clock.advance(60_000)
  expect(app.outbox.counts()).toMatchObject({ waiting: 2, parked: 1 })
  expect(app.outbox.delivery()).toBeNull()
  // All edits were sent, so the next ones are counted from 0 again.
  must(await app.outbox.update(app.keyOf('w0.example'), { email: false }))
  expect(deliveryOf(rig)).toMatchObject({ done: 0, total: 1 })
})

test('gives no estimate while the only pending edit waits for the keychain', async () => {
  const sealer = new FakeSealer()
  const rig = await start({ sealer })
  must(await rig.app.outbox.create(draft('a.example', { privacy: 2, password: 'x' })))
  sealer.failure = 'keychain-locked'
  await rig.goOnline()
  expect(deliveryOf(rig).seconds).toBeNull()
})

test('the rate budget tells exactly how long a number of requests will take', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }),
      fc.integer({ min: 1, max: 200 }),
      (gaps, n) => {
        let now = 0
        const budget = createBudget({ clock: { monotonic: () => now, after: () => () => {} } })
        for (const gap of gaps) {
          now += gap
          budget.tryTake('user')
        }
        const expected = budget.timeFor(n, 'replay')
        const from = now
        let last = now
        for (let sent = 0; sent < n; sent++) {
          now += budget.delay('replay')
          expect(budget.tryTake('replay')).toBe(true)
          last = now
        }
        expect(last - from).toBe(expected)
      },
    ),
  )
})

test('the time that the rate budget tells for a number of requests includes the wait for Retry-After', () => {
  const budget = createBudget({ clock: fakeClock() })
  budget.recordAnswer({ outcome: 'notApplied', error: { code: 'rate-limited', message: '', retryAfter: 40 }, meta: {} })
  expect(budget.timeFor(1, 'replay')).toBe(40_000)
  expect(budget.timeFor(46, 'replay')).toBe(100_000)
  expect(budget.timeFor(0, 'replay')).toBe(0)
})
