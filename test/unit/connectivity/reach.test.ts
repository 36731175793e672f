import { beforeEach, expect, test } from 'vitest'
import { createBudget } from '../../../src/main/connectivity/budget.ts'
import { createReach, type ReachMonitor } from '../../../src/main/connectivity/reach.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock, MINUTE, settled, type FakeClock } from '../outbox/clock.ts'
import { random } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let service: SimulatedService
let clock: FakeClock
let reach: ReachMonitor
/** A service whose answers {@link reach} observes. */
let observed: Service
let changes: string[]

beforeEach(() => {
  service = new SimulatedService()
  clock = fakeClock()
  const budget = createBudget({ clock })
  reach = createReach({ service: budget.wrap(service, 'user'), budget, clock, random })
  observed = reach.wrap(budget.wrap(service, 'replay'))
  changes = []
  reach.onChange(() => changes.push(reach.state().state))
})

test('learns the state from answers, and notifies once of each change', async () => {
  expect(reach.state()).toEqual({ state: 'unknown' })
  await observed.account()
  await observed.list({})
  service.unreachable = true
  await observed.account()
  await observed.account()
  expect(reach.state()).toMatchObject({ state: 'offline', since: clock.wall(), error: { code: 'unreachable' } })
  expect(changes).toEqual(['online', 'offline'])
})

test('notifies once if the reason for being offline changes, such as a network with a sign-in page', async () => {
  reach.setWaiting('window', true)
  service.unreachable = true
  await observed.account()
  service.unreachable = false
  service.account = () => Promise.resolve({ outcome: 'inDoubt', error: { code: 'redirected', message: '' }, meta: {} })
  await clock.advance(60_000)
  expect(reach.state()).toMatchObject({ state: 'offline', since: clock.wall() - 60_000, error: { code: 'redirected' } })
  expect(changes).toEqual(['offline', 'offline'])
})

test('notifies if the status of the service changes while it is offline, although the error code stays the same', async () => {
  for (const status of [500, 503]) {
    service.account = () =>
      Promise.resolve({ outcome: 'inDoubt', error: { code: 'unavailable', message: '', status }, meta: {} })
    await reach.probe()
    await reach.probe()
  }
  expect(changes).toEqual(['offline', 'offline'])
})

test('probes only while something waits, less and less often, at most every five minutes', async () => {
  service.unreachable = true
  await observed.account()
  expect(clock.timers()).toBe(0)
  reach.setWaiting('outbox', true)
  expect(clock.timers()).toBe(1)
  let tries = 0
  const { account } = service
  service.account = () => {
    tries += 1
    return account()
  }
  await clock.advance(60_000)
  const inTheFirstMinute = tries
  await clock.advance(60 * 60_000)
  tries = 0
  await clock.advance(60 * 60_000)
  expect(inTheFirstMinute).toBeGreaterThanOrEqual(4)
  expect(tries).toBeGreaterThanOrEqual(12)
  expect(tries).toBeLessThanOrEqual(24)
  service.unreachable = false
  await clock.advance(5 * 60_000)
  expect(reach.state()).toEqual({ state: 'online' })
  expect(clock.timers()).toBe(0)
})

test('changes the state for a failed probe, but not for a single failed request', async () => {
  await observed.account()
  service.fail('get', { lost: 'request' })
  await observed.get('1')
  expect(reach.gate()).toEqual({ open: true })
  service.fail('account', { lost: 'request' })
  expect(await reach.probe()).toBe(false)
  expect(reach.gate()).toMatchObject({ open: false, reason: 'connection', error: { code: 'timeout' } })
})

test('accepts an answer with the list as proof that the service can be reached, on a host that shows no account', async () => {
  service.fail('account', { refuse: 'not-found' })
  expect(await reach.probe()).toBe(true)
  service.fail('account', { refuse: 'forbidden' })
  service.fail('list', { refuse: 'forbidden' })
  expect(await reach.probe()).toBe(false)
})

test('reports an outage, and not that all requests are rejected, if the account is forbidden and the list unavailable', async () => {
  service.fail('account', { refuse: 'forbidden' })
  service.list = () => Promise.resolve({ outcome: 'inDoubt', error: { code: 'unavailable', message: '' }, meta: {} })
  expect(await reach.probe()).toBe(false)
  expect(reach.state()).toMatchObject({ state: 'offline', error: { code: 'unavailable' } })
})

test('stays offline since the same time while the service rejects all requests', async () => {
  service.account = service.list = () =>
    Promise.resolve({ outcome: 'notApplied', error: { code: 'forbidden', message: '' }, meta: {} })
  await reach.probe()
  const { since } = reach.state() as { since?: number }
  await clock.advance(60_000)
  await observed.list({})
  await reach.probe()
  expect(reach.state()).toMatchObject({ state: 'offline', since, error: { code: 'forbidden' } })
  expect(changes).toEqual(['offline'])
  await observed.get('1')
  expect(reach.state()).toEqual({ state: 'online' })
})

test('stays online with a rejected key, and opens the gate when another key is accepted', async () => {
  service.keyRefused = true
  await observed.account()
  expect(reach.state().state).toBe('online')
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key', error: { code: 'unauthenticated' } })
  service.keyRefused = false
  reach.retryNow()
  await settled()
  expect(reach.gate()).toEqual({ open: true })
})

test('probes the service when the operating system says that the network has changed, and believes only the probe', async () => {
  await observed.account()
  reach.hint(false)
  await settled()
  expect(reach.state().state).toBe('online')
  service.unreachable = true
  reach.hint(false)
  await settled()
  expect(reach.state().state).toBe('offline')
  reach.hint(true)
  await settled()
  expect(reach.state().state).toBe('offline')
  service.unreachable = false
  reach.hint(true)
  await settled()
  expect(reach.state().state).toBe('online')
})

test('makes one request for probes that are requested at the same time', async () => {
  expect(await Promise.all([reach.probe(), reach.probe()])).toEqual([true, true])
  expect(service.received).toHaveLength(1)
})

test('neither probes nor notifies after it is stopped', async () => {
  service.unreachable = true
  reach.setWaiting('outbox', true)
  await observed.account()
  reach.stop()
  changes.length = 0
  service.unreachable = false
  reach.keyChanged()
  await clock.advance(60 * 60_000)
  expect(changes).toEqual([])
  expect(clock.timers()).toBe(0)
})

/** Holds requests of this kind until the returned function is called. */
function hold(operation: 'account' | 'list'): () => void {
  let release = () => {}
  service.before = (requested) => (requested === operation ? new Promise((resolve) => (release = resolve)) : undefined)
  return () => {
    service.before = () => {}
    release()
  }
}

test('ignores a late rejection of an earlier key', async () => {
  const release = hold('list')
  const late = observed.list({})
  await settled()
  reach.keyChanged()
  await settled()
  service.keyRefused = true
  release()
  expect(await late).toMatchObject({ error: { code: 'unauthenticated' } })
  expect(reach.gate()).toEqual({ open: true })
  // Only a rejection of an earlier key is ignored, not one of the current key.
  await observed.account()
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key' })
})

test('ignores a late success of an earlier key after the current one was rejected', async () => {
  const release = hold('list')
  const late = observed.list({})
  await settled()
  service.keyRefused = true
  reach.keyChanged()
  await settled()
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key' })
  service.keyRefused = false
  release()
  expect((await late).outcome).toBe('applied')
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key' })
})

test('probes at once with a new key, and gives the new result also to a caller who waits for the earlier probe', async () => {
  service.keyRefused = true
  await observed.account()
  service.keyRefused = false
  const release = hold('account')
  const probe = reach.probe()
  await settled()
  service.before = () => {}
  reach.keyChanged()
  await settled()
  expect(reach.gate()).toEqual({ open: true })
  service.fail('account', { refuse: 'unauthenticated' })
  release()
  expect(await probe).toBe(true)
  expect(reach.gate()).toEqual({ open: true })
})

test('probes an unreachable service at once with a new key', async () => {
  service.unreachable = true
  await observed.account()
  service.unreachable = false
  reach.keyChanged()
  await settled()
  expect(reach.state()).toEqual({ state: 'online' })
})

test('after a sleep, probes at once if something waits for the service, even if an earlier probe hangs, and otherwise not at all', async () => {
  await observed.account()
  service.received.length = 0
  reach.resumed()
  await settled()
  expect(service.received).toEqual([])

  reach.setWaiting('outbox', true)
  service.unreachable = true
  await observed.account()
  expect(reach.state().state).toBe('offline')
  // The probe that began before the sleep is never answered.
  service.unreachable = false
  service.before = () => new Promise(() => {})
  const before = reach.probe()
  await settled()
  service.before = () => {}
  reach.resumed()
  await settled()
  expect(reach.state()).toEqual({ state: 'online' })
  void before
})

test('ignores the late failure of a probe that began before a sleep', async () => {
  reach.setWaiting('outbox', true)
  const release = hold('account')
  const before = reach.probe()
  await settled()
  service.before = () => {}
  reach.resumed()
  await settled()
  expect(reach.gate()).toEqual({ open: true })
  service.fail('account', { lost: 'request' })
  release()
  expect(await before).toBe(true)
  expect(reach.gate()).toEqual({ open: true })
})

test('a slow answer tells the service’s clock as of its request, unless a quick answer has told it already', async () => {
  /** Requests a list that the service sends at once, and that arrives 20 seconds later. */
  async function answerSlowly(): Promise<void> {
    const release = hold('list')
    const slow = observed.list({})
    await clock.advance(20_000)
    release()
    await slow
  }
  const made = service.now()
  await answerSlowly()
  expect(reach.serviceDate()).toBe(made + 20_000)
  service.now = () => made + 60 * MINUTE
  await observed.account()
  expect(reach.serviceDate()).toBe(made + 60 * MINUTE)
  service.now = () => made
  await answerSlowly()
  expect(reach.serviceDate()).toBe(made + 60 * MINUTE + 20_000)
})

test('the wait in the rate budget does not count for how slow an answer is', async () => {
  for (let n = 0; n < 50; n += 1) void observed.account()
  await settled()
  const made = service.now() + 60 * MINUTE
  service.now = () => made
  let isAnswered = false
  void observed.account().then(() => (isAnswered = true))
  while (!isAnswered) await clock.advance(500)
  expect(clock.monotonic()).toBeGreaterThan(10_000)
  expect(Number(reach.serviceDate()) - made).toBeLessThanOrEqual(500)
})
