import { beforeEach, expect, test } from 'vitest'
import { createBudget, withBudget } from '../../../src/main/connectivity/budget.ts'
import { createReach, withReach, type ReachMonitor } from '../../../src/main/connectivity/reach.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { random } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let service: SimulatedService
let clock: FakeClock
let reach: ReachMonitor
let heard: Service
let changes: string[]

beforeEach(() => {
  service = new SimulatedService()
  clock = fakeClock()
  const budget = createBudget({ clock })
  reach = createReach({ service: withBudget(service, budget, 'person', clock), budget, clock, random })
  heard = withReach(withBudget(service, budget, 'replay', clock), reach)
  changes = []
  reach.onChange(() => changes.push(reach.state().state))
})

test('the answers tell what is reachable; each change is told once', async () => {
  expect(reach.state()).toEqual({ state: 'unknown' })
  await heard.account()
  await heard.list({})
  service.unreachable = true
  await heard.account()
  await heard.account()
  expect(reach.state()).toMatchObject({ state: 'offline', since: clock.wall(), error: { code: 'unreachable' } })
  expect(changes).toEqual(['online', 'offline'])
})

test('without anything waiting nothing is tried; with it, less and less often, at last every five minutes', async () => {
  service.unreachable = true
  await heard.account()
  expect(clock.timers()).toBe(0)
  reach.want('outbox', true)
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

test('a single failing request says nothing of the service; a failing probe does', async () => {
  await heard.account()
  service.fail('get', { lost: 'request' })
  await heard.get('1')
  expect(reach.gate()).toEqual({ open: true })
  service.fail('account', { lost: 'request' })
  expect(await reach.probe()).toBe(false)
  expect(reach.gate()).toMatchObject({ open: false, reason: 'connection', error: { code: 'timeout' } })
})

test('a host that shows no account is proven by its list', async () => {
  service.fail('account', { refuse: 'not-found' })
  expect(await reach.probe()).toBe(true)
  service.fail('account', { refuse: 'forbidden' })
  service.fail('list', { refuse: 'forbidden' })
  expect(await reach.probe()).toBe(false)
})

test('a refused key is no lost connection; the gate opens when another one is good', async () => {
  service.keyRefused = true
  await heard.account()
  expect(reach.state().state).toBe('online')
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key', error: { code: 'unauthenticated' } })
  service.keyRefused = false
  reach.retryNow()
  await settled()
  expect(reach.gate()).toEqual({ open: true })
})

test('the word of the operating system is looked into, not believed', async () => {
  await heard.account()
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

test('probes that are asked for at the same time are one request', async () => {
  expect(await Promise.all([reach.probe(), reach.probe()])).toEqual([true, true])
  expect(service.asked).toHaveLength(1)
})

test('after stop nothing is tried and nobody is told', async () => {
  service.unreachable = true
  reach.want('outbox', true)
  await heard.account()
  reach.stop()
  changes.length = 0
  service.unreachable = false
  reach.keyChanged()
  await clock.advance(60 * 60_000)
  expect(changes).toEqual([])
  expect(clock.timers()).toBe(0)
})

/** The service doesn't deal with an operation of this kind until it's let go. */
function hold(operation: 'account' | 'list'): () => void {
  let release = () => {}
  service.before = (asked) => (asked === operation ? new Promise((resolve) => (release = resolve)) : undefined)
  return () => {
    service.before = () => {}
    release()
  }
}

test('a late refusal of a key that was replaced does not close the gate for the new one', async () => {
  const release = hold('list')
  const late = heard.list({})
  await settled()
  reach.keyChanged()
  await settled()
  service.keyRefused = true
  release()
  expect(await late).toMatchObject({ error: { code: 'unauthenticated' } })
  expect(reach.gate()).toEqual({ open: true })
  // Of the new one it's believed.
  await heard.account()
  expect(reach.gate()).toMatchObject({ open: false, reason: 'key' })
})

test('a late answer to a key that was replaced does not open the gate that the new one closed', async () => {
  const release = hold('list')
  const late = heard.list({})
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

test('another key is tried at once, and whoever awaits a probe of the old one is told of the new one', async () => {
  service.keyRefused = true
  await heard.account()
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

test('a service out of reach is looked for at once with another key', async () => {
  service.unreachable = true
  await heard.account()
  service.unreachable = false
  reach.keyChanged()
  await settled()
  expect(reach.state()).toEqual({ state: 'online' })
})

test('after a sleep nothing is asked while nothing waits; else at once, whatever was asked before', async () => {
  await heard.account()
  service.asked.length = 0
  reach.resumed()
  await settled()
  expect(service.asked).toEqual([])

  reach.want('outbox', true)
  service.unreachable = true
  await heard.account()
  expect(reach.state().state).toBe('offline')
  // A probe that went out before is answered by nobody.
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

test('a probe from before a sleep that fails late closes nothing', async () => {
  reach.want('outbox', true)
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
