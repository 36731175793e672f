import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createAutoRefresh, type AutoRefresh } from '../../../src/main/connection/auto-refresh.ts'
import type { OpenConnection } from '../../../src/main/connection/open.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const MINUTE = 60_000

let clock: FakeClock
let service: SimulatedService
let autoRefresh: AutoRefresh
let key: Secret | null
let visible: boolean

beforeEach(() => {
  clock = fakeClock()
  service = new SimulatedService()
  service.add('a.example')
  key = new Secret('key')
  visible = true
  const app = startConnection({ service, clock })
  onTestFinished(() => app.close())
  autoRefresh = createAutoRefresh(clock, () => visible)
  const { reach, refresh } = app
  autoRefresh.watch({ reach, refresh, key: { current: () => key } } as unknown as OpenConnection)
})

const show = () => {
  visible = true
  autoRefresh.shown()
}
const hide = () => {
  visible = false
  autoRefresh.hidden()
}

/** Returns the number of requests for the list since the last call. */
async function lists(): Promise<number> {
  await clock.advance(0)
  await settled()
  return service.asked.splice(0).filter(({ operation }) => operation === 'list').length
}

test('refreshes once the key is loaded, and not again when the window is shown soon after', async () => {
  autoRefresh.keyAvailable()
  expect(await lists()).toBe(1)
  show()
  expect(await lists()).toBe(0)
})

test('refreshes when the window is shown after five minutes, and not earlier', async () => {
  autoRefresh.keyAvailable()
  await lists()
  hide()
  await clock.advance(5 * MINUTE - 1)
  show()
  expect(await lists()).toBe(0)
  hide()
  await clock.advance(1)
  show()
  expect(await lists()).toBe(1)
})

test('refreshes nothing while the window is hidden, for any time', async () => {
  hide()
  autoRefresh.keyAvailable()
  await clock.advance(60 * MINUTE)
  expect(await lists()).toBe(0)
  show()
  expect(await lists()).toBe(1)
})

test('refreshes nothing without a key', async () => {
  key = null
  autoRefresh.shown()
  expect(await lists()).toBe(0)
})

test('refreshes after a failed run once the service is back, or once the window is shown', async () => {
  service.unreachable = true
  autoRefresh.keyAvailable()
  expect(await lists()).toBe(0)
  service.unreachable = false
  await clock.advance(5 * MINUTE)
  expect(await lists()).toBe(1)

  service.unreachable = true
  hide()
  await clock.advance(5 * MINUTE)
  show()
  await lists()
  hide()
  service.unreachable = false
  await clock.advance(MINUTE)
  expect(await lists()).toBe(0)
  show()
  await clock.advance(MINUTE)
  expect(await lists()).toBeGreaterThan(0)
})
