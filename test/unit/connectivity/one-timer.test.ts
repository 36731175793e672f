import { expect, test } from 'vitest'
import { fakeClock, settled } from '../outbox/clock.ts'
import { draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

function start() {
  const service = new SimulatedService()
  const clock = fakeClock()
  return { service, clock, ...startConnection({ service, clock }) }
}

test('sets no timer without work, online or offline', async () => {
  const app = start()
  must(await app.refresh.run())
  await settled()
  expect(app.clock.timers()).toBe(0)
  app.service.unreachable = true
  app.reach.hint(false)
  await settled()
  expect(app.reach.state().state).toBe('offline')
  expect(app.clock.timers()).toBe(0)
  await app.close()
})

test('sets one timer for a hundred edits while offline, and none once they are sent', async () => {
  const app = start()
  app.service.unreachable = true
  for (let n = 0; n < 100; n++) must(await app.outbox.create(draft(`n${String(n)}.example`)))
  await settled()
  expect(app.clock.timers()).toBe(1)
  app.service.unreachable = false
  await app.clock.advance(30 * 60_000)
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  expect(app.clock.timers()).toBe(0)
  await app.close()
})

test('tries nothing with a rejected key until it is replaced', async () => {
  const app = start()
  app.service.keyRefused = true
  must(await app.outbox.create(draft('a.example')))
  await app.clock.advance(1000)
  const requestsBefore = app.service.received.length
  await app.clock.advance(24 * 60 * 60_000)
  expect(app.service.received.length).toBe(requestsBefore)
  expect(app.clock.timers()).toBe(0)
  app.service.keyRefused = false
  app.reach.keyChanged()
  app.outbox.wake()
  await app.clock.advance(1000)
  expect(app.service.domains()).toEqual(['a.example'])
  await app.close()
})

const YEAR = 365 * 24 * 60 * 60_000

test.each([
  ['forwards', YEAR],
  ['backwards', -30 * YEAR],
])('a jump of the clock %s changes neither when edits are sent nor their order', async (_way, jump) => {
  const app = start()
  app.service.unreachable = true
  must(await app.outbox.create(draft('a.example')))
  app.clock.jump(jump)
  must(await app.outbox.create(draft('b.example')))
  await settled()
  const gate = app.reach.gate()
  app.clock.jump(jump)
  expect(app.reach.gate()).toEqual(gate)
  expect(app.clock.timers()).toBe(1)
  app.service.unreachable = false
  await app.clock.advance(5 * 60_000)
  expect(app.service.domains()).toEqual(['a.example', 'b.example'])
  // A delete is sent after ten seconds of the monotonic clock, whatever the wall clock shows.
  must(await app.outbox.delete(app.keyOf('a.example')))
  app.clock.jump(jump)
  await app.clock.advance(9_000)
  expect(app.service.domains()).toHaveLength(2)
  await app.clock.advance(2_000)
  expect(app.service.domains()).toEqual(['b.example'])
  await app.close()
})
