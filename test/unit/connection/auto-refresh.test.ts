import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createAutoRefresh, type AutoRefresh } from '../../../src/main/connection/auto-refresh.ts'
import { createPause, type Pause } from '../../../src/main/connectivity/pause.ts'
import { createRefreshConditions } from '../../../src/main/connection/refresh-conditions.ts'
import type { ReachMonitor } from '../../../src/main/connectivity/reach.ts'
import type { Refresh } from '../../../src/main/replica/refresh.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { random, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let clock: FakeClock
let service: SimulatedService
let refresh: Refresh
let reach: ReachMonitor
let autoRefresh: AutoRefresh
let hasKey: boolean
let tries: number[]
let pause: Pause
let power: ReturnType<typeof fakePower>
let conditions: ReturnType<typeof createRefreshConditions>

function fakePower() {
  const listeners = new Map<string, () => void>()
  return {
    onBatteryPower: false,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    emit: (event: string) => listeners.get(event)?.(),
  }
}

beforeEach(() => {
  clock = fakeClock()
  service = new SimulatedService()
  service.add('a.example')
  hasKey = true
  tries = []
  pause = createPause(false)
  power = fakePower()
  conditions = createRefreshConditions({ minutes: 30, pause, power })
  const connection = startConnection({ service, clock })
  onTestFinished(() => connection.close())
  const { budget } = connection
  reach = connection.reach
  const run = () => {
    tries.push(clock.monotonic())
    return connection.refresh.run()
  }
  refresh = connection.refresh
  const { rerun, state, holdChanged, requests } = refresh
  const ports = { run, rerun, state, holdChanged, requests }
  autoRefresh = createAutoRefresh({
    ...{ clock, random, reach, refresh: ports, conditions },
    timeOf: (requests) => budget.timeAlone(requests, autoRefresh.isShown() ? 'refresh' : 'background'),
    canRead: () => hasKey,
  })
})

/** Returns the number of list requests since the last call. */
async function lists(): Promise<number> {
  await clock.advance(0)
  await settled()
  return service.received.splice(0).filter(({ operation }) => operation === 'list').length
}

describe('a list that is shown', () => {
  beforeEach(() => autoRefresh.setShown(true))

  test('is refreshed once, although it is shown again soon after', async () => {
    autoRefresh.keyAvailable()
    expect(await lists()).toBe(1)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(0)
  })

  test('is refreshed when it is shown after five minutes, and not earlier', async () => {
    await lists()
    autoRefresh.setShown(false)
    await clock.advance(5 * MINUTE - 1)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(0)
    autoRefresh.setShown(false)
    await clock.advance(1)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(1)
  })

  test('is refreshed after a failed refresh once the service is back', async () => {
    await lists()
    service.unreachable = true
    await clock.advance(5 * MINUTE)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(0)
    service.unreachable = false
    await clock.advance(5 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is refreshed after a failed refresh once the service accepts the key again', async () => {
    conditions.setMinutes(0)
    service.keyRefused = true
    await lists()
    await clock.advance(5 * MINUTE)
    autoRefresh.setShown(true)
    await lists()
    expect(refresh.state().error?.code).toBe('unauthenticated')
    service.keyRefused = false
    reach.retryNow()
    expect(await lists()).toBe(1)
    expect(refresh.state().error).toBeNull()
  })

  test('is refreshed again if a refresh has lost an answer while the service was away for a moment', async () => {
    conditions.setMinutes(0)
    await lists()
    const release = service.hold('list')
    service.fail('list', { lost: 'request' })
    await clock.advance(5 * MINUTE)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(1)
    service.unreachable = true
    reach.hint(false)
    await settled()
    service.unreachable = false
    reach.hint(true)
    await settled()
    expect(reach.state().state).toBe('online')
    expect(await lists()).toBe(0)
    service.before = () => {}
    release()
    expect(await lists()).toBe(1)
    expect(await lists()).toBe(0)
  })

  test('is refreshed again after a sleep that began during a refresh', async () => {
    await lists()
    const release = service.hold('list')
    await clock.advance(5 * MINUTE)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(1)
    autoRefresh.resumed()
    release()
    expect(await lists()).toBe(1)
    await clock.advance(31 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test.each([
    ['waits if sending is paused when the list is no longer shown', false],
    ['does not wait if the user has asked for it too', true],
  ])('and whose refresh a sleep has interrupted is refreshed again: the second refresh %s', async (_, isAskedFor) => {
    await lists()
    const release = service.hold('list')
    await clock.advance(5 * MINUTE)
    autoRefresh.setShown(true)
    expect(await lists()).toBe(1)
    autoRefresh.resumed()
    if (isAskedFor) void refresh.rerun()
    autoRefresh.setShown(false)
    pause.set(true)
    release()
    await lists()
    expect(refresh.hold() === null).toBe(isAskedFor)
  })

  test('is refreshed every half hour', async () => {
    await lists()
    await clock.advance(31 * MINUTE)
    expect(await lists()).toBe(1)
  })
})

describe('a list that is not shown', () => {
  beforeEach(() => autoRefresh.keyAvailable())

  test('is refreshed within a minute after the start, and then every half hour', async () => {
    await clock.advance(MINUTE)
    expect(await lists()).toBe(1)
    await clock.advance(29 * MINUTE)
    expect(await lists()).toBe(0)
    await clock.advance(2 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is refreshed half as often on battery', async () => {
    await clock.advance(MINUTE)
    power.onBatteryPower = true
    power.emit('on-battery')
    await lists()
    await clock.advance(59 * MINUTE)
    expect(await lists()).toBe(0)
    await clock.advance(2 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is not refreshed while the computer sleeps, but soon after it has woken', async () => {
    await clock.advance(MINUTE)
    await lists()
    power.emit('suspend')
    await clock.advance(5 * HOUR)
    expect(await lists()).toBe(0)
    power.emit('resume')
    autoRefresh.resumed()
    await clock.advance(MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is not refreshed while paused', async () => {
    pause.set(true)
    await clock.advance(5 * HOUR)
    expect(await lists()).toBe(0)
    pause.set(false)
    await clock.advance(MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is not refreshed if the user has switched that off', async () => {
    conditions.setMinutes(0)
    await clock.advance(5 * HOUR)
    expect(await lists()).toBe(0)
    conditions.setMinutes(15)
    await clock.advance(MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is tried again soon, and then ever more rarely, if it fails after the start or after sleep', async () => {
    service.unreachable = true
    for (const wake of [() => undefined, () => autoRefresh.resumed()]) {
      tries = []
      wake()
      const from = clock.monotonic()
      await clock.advance(2 * HOUR)
      // Each try begins at a random time within a minute, here always after half a minute.
      const minutes = [from, ...tries].map((at, n) => ((tries[n] ?? NaN) - at) / MINUTE)
      expect(minutes.slice(0, -1)).toEqual([0.5, 1.5, 2.5, 4.5, 8.5, 16.5, 30.5, 30.5])
    }
    autoRefresh.resumed()
    await clock.advance(MINUTE)
    service.unreachable = false
    await clock.advance(2 * MINUTE)
    expect(await lists()).toBe(1)
    expect(await lists()).toBe(0)
  })

  test('is tried again only at the next interval if a later refresh fails', async () => {
    await clock.advance(MINUTE)
    await lists()
    service.unreachable = true
    await clock.advance(31 * MINUTE)
    service.unreachable = false
    expect(await lists()).toBe(0)
    await clock.advance(29 * MINUTE)
    expect(await lists()).toBe(0)
    await clock.advance(2 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is refreshed less often if it is long', async () => {
    service.pageSize = 1
    for (let n = 0; n < 100; n++) service.add(`n${String(n)}.example`)
    await clock.advance(20 * MINUTE)
    expect(await lists()).toBeGreaterThan(0)
    await clock.advance(50 * MINUTE)
    expect(await lists()).toBe(0)
    await clock.advance(20 * MINUTE)
    expect(await lists()).toBeGreaterThan(0)
  })

  test('is refreshed less often if it is long, even if its last refresh ended while it was shown', async () => {
    service.pageSize = 1
    for (let n = 0; n < 100; n++) service.add(`n${String(n)}.example`)
    autoRefresh.setShown(true)
    await clock.advance(20 * MINUTE)
    expect(await lists()).toBeGreaterThan(0)
    autoRefresh.setShown(false)
    await clock.advance(30 * MINUTE)
    expect(await lists()).toBe(0)
  })

  test('is refreshed as often as before after the rate limit has delayed a refresh', async () => {
    service.fail('list', { refuse: 'rate-limited', retryAfter: 3_600 })
    await clock.advance(60.6 * MINUTE)
    expect(await lists()).toBe(2)
    await clock.advance(30 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is tried again soon if its refresh after a sleep fails, even if that refresh took long', async () => {
    await clock.advance(MINUTE)
    await lists()
    service.fail('list', { lost: 'request' })
    const release = service.hold('list')
    autoRefresh.resumed()
    await clock.advance(1.5 * MINUTE)
    release()
    expect(await lists()).toBe(1)
    await clock.advance(2 * MINUTE)
    expect(await lists()).toBe(1)
  })

  test('is not refreshed without a key', async () => {
    hasKey = false
    await clock.advance(HOUR)
    expect(await lists()).toBe(0)
  })

  test('is not refreshed after the connection is closed', async () => {
    autoRefresh.stop()
    await clock.advance(HOUR)
    expect(await lists()).toBe(0)
  })
})
