import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRefreshConditions } from '../../../src/main/connection/refresh-conditions.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { settled, type FakeClock } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { unstartedConnection } from './wired.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Simulates a day of an account with a closed window. Returns the number of requests, in total and the most in any minute. */
async function aDay({ websites, battery = false, paused = false, asleep = false }: Day) {
  const listeners = new Map<string, () => void>()
  const power = {
    onBatteryPower: battery,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
  }
  const conditions = createRefreshConditions({ minutes: 30, pause: createPause(paused), power })
  const { service, clock, ...connection } = await unstartedConnection(paused, conditions)
  for (let n = 0; n < websites; n++) service.add(`n${String(n)}.example`)
  service.pageSize = 100
  const at: number[] = []
  service.before = () => void at.push(clock.monotonic())
  if (asleep) listeners.get('suspend')?.()
  connection.start()
  connection.keyChanged()
  // The first requests, which find that the service is reachable, do not count.
  await clock.advance(1_000)
  at.length = 0
  const isIdle = paused || asleep
  await pass(DAY_SECONDS, clock, () => (isIdle ? 60 : connection.refresh.state().running ? 1 : 10))
  await connection.close()
  return {
    requests: at.length,
    mostInAMinute: Math.max(0, ...at.map((from) => at.filter((to) => to >= from && to < from + 60_000).length)),
  }
}

/** Lets time pass, `stepOf()` seconds at once: one while a list is read, because storing it takes several turns. */
async function pass(seconds: number, clock: FakeClock, stepOf: () => number): Promise<void> {
  for (let second = 0; second < seconds;) {
    const step = stepOf()
    await clock.advance(step * 1_000)
    await settled()
    second += step
  }
}

interface Day {
  websites: number
  battery?: boolean
  paused?: boolean
  asleep?: boolean
}

describe('in one day, the background refresh', () => {
  // A refresh reads the account and the newest page. If the list has more than one page of 100 websites, it reads all pages.
  test.for([
    [10, 2 * 48],
    [1_000, 12 * 48],
  ] as const)('of %s websites runs every half hour, and half as often on battery', async ([websites, requests]) => {
    const mains = await aDay({ websites })
    expect(mains.requests).toBeGreaterThan(requests * 0.95)
    expect(mains.requests).toBeLessThanOrEqual(requests)
    const battery = await aDay({ websites, battery: true })
    expect(battery.requests).toBeLessThanOrEqual(requests / 2)
    expect(battery.requests).toBeGreaterThan(requests * 0.45)
  })

  test('of 10,000 websites runs less often, and takes at most a tenth of the time and a quarter of the rate limit', async () => {
    const { requests, mostInAMinute } = await aDay({ websites: 10_000 })
    // At 12 requests a minute, 102 requests take over eight minutes. Therefore the next refresh begins after over eighty minutes.
    expect(requests).toBeLessThanOrEqual(102 * 18)
    expect(requests).toBeGreaterThan(102 * 15)
    expect(mostInAMinute).toBeLessThanOrEqual(12)
    const battery = await aDay({ websites: 10_000, battery: true })
    expect(battery.requests).toBeLessThanOrEqual(requests / 2)
    expect(battery.requests).toBeGreaterThan(requests * 0.45)
    expect(battery.mostInAMinute).toBeLessThanOrEqual(12)
  }, 120_000)

  test('is left out while the app is paused, and while the computer sleeps', async () => {
    expect(await aDay({ websites: 1_000, paused: true })).toMatchObject({ requests: 0 })
    expect(await aDay({ websites: 1_000, asleep: true })).toMatchObject({ requests: 0 })
  })

  test('of 10,000 websites waits while the app is paused, and then reads the rest', async () => {
    const { connection, clock, pause, service, at, minutes } = await reading(10_000)
    const begun = clock.wall()
    await clock.advance(2 * 60_000)
    await settled()
    pause.set(true)
    // Waits for the answer to the request that is already sent.
    await settled()
    at.length = 0
    await minutes(24 * 60, 60)
    expect(at).toEqual([])
    pause.set(false)
    while (connection.refresh.state().ended === 0) await minutes(1 / 60)
    // The refresh continues where it stopped, so it reads no page twice.
    expect(at.length).toBeLessThan(102)
    expect(connection.refresh.state()).toMatchObject({ running: false, read: 10_000, error: null })
    // The age of a list is that of its first page. Therefore the next refresh is due at once.
    expect(Math.abs((connection.refresh.state().seenAt ?? 0) - begun)).toBeLessThan(5_000)
    at.length = 0
    await minutes(2)
    expect(at.length).toBeGreaterThan(0)
    // The interval to the next refresh depends on the duration of this one, from which the pause is subtracted.
    await minutes(15)
    expect(connection.refresh.state()).toMatchObject({ running: false, ended: 2 })
    at.length = 0
    await minutes(90)
    expect(at.length).toBeGreaterThan(0)
    expect(service.received.length).toBeGreaterThan(204)
  })

  test('of 10,000 websites that sleep has interrupted reads the rest, and then begins again', async () => {
    const { connection, emit, at, minutes } = await reading(10_000)
    await minutes(2)
    emit('suspend')
    await minutes(5 * 60, 60)
    at.length = 0
    emit('resume')
    connection.resumed()
    while (connection.refresh.state().ended === 0) await minutes(1 / 60)
    expect(at.length).toBeLessThan(102)
    expect(connection.refresh.state()).toMatchObject({ ended: 1, error: null })
    at.length = 0
    await minutes(2)
    expect(at.length).toBeGreaterThan(0)
  })

  test('reads on although the app is paused if the user asks for a refresh', async () => {
    const { connection, clock, pause, minutes } = await reading(1_000)
    pause.set(true)
    await clock.advance(60_000)
    expect(connection.refresh.state()).toMatchObject({ running: true })
    connection.refresh.request()
    await minutes(15)
    expect(connection.refresh.state()).toMatchObject({ running: false, ended: 2, read: 1_000, error: null })
  })
})

test('a paused app sends no probe to a service that is offline, even if a change is pending', async () => {
  const { connection, pause, service, minutes } = await reading(10)
  await minutes(5)
  service.unreachable = true
  // Counts the calls, because an unreachable service receives no requests.
  const probes = vi.spyOn(service, 'account')
  must(await connection.outbox.create(draft('mine.example')))
  await minutes(60)
  expect(connection.reach.state()).toMatchObject({ state: 'offline' })
  expect(probes).toHaveBeenCalled()
  pause.set(true)
  await settled()
  probes.mockClear()
  await minutes(24 * 60, 60)
  expect(probes).not.toHaveBeenCalled()
  service.unreachable = false
  pause.set(false)
  await minutes(5)
  expect(service.domains()).toContain('mine.example')
})

/** Starts an account whose list is read in the background. `minutes` lets time pass. */
async function reading(websites: number) {
  const pause = createPause(false)
  const listeners = new Map<string, () => void>()
  const power = { onBatteryPower: false, on: (event: string, listener: () => void) => listeners.set(event, listener) }
  const conditions = createRefreshConditions({ minutes: 30, pause, power })
  const { service, clock, ...connection } = await unstartedConnection(pause, conditions)
  onTestFinished(() => connection.close())
  for (let n = 0; n < websites; n++) service.add(`n${String(n)}.example`)
  service.pageSize = 100
  const at: number[] = []
  service.before = () => void at.push(clock.monotonic())
  connection.start()
  connection.keyChanged()
  while (!connection.refresh.state().running && connection.refresh.state().ended === 0) await clock.advance(1_000)
  const minutes = (count: number, step?: number): Promise<void> =>
    pass(count * 60, clock, () => step ?? (connection.refresh.state().running ? 1 : 10))
  const emit = (event: string) => listeners.get(event)?.()
  return { connection, service, clock, pause, emit, at, minutes }
}
