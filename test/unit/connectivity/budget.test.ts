import { expect, test } from 'vitest'
import { createBudget } from '../../../src/main/connectivity/budget.ts'
import type { Outcome } from '../../../src/main/service/outcome.ts'
import { fakeClock, settled } from '../outbox/clock.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

/** Returns an answer with the headers of a rate limit. */
const answerWithLimit = (limit: number, remaining: number): Outcome<null> => ({
  outcome: 'applied',
  value: null,
  meta: { limit, remaining },
})

/** Returns a 429. `retryAfter`: the seconds of its Retry-After header. */
const tooMany = (retryAfter?: number): Outcome<null> => ({
  outcome: 'notApplied',
  error: { code: 'rate-limited', message: '', ...(retryAfter !== undefined && { retryAfter }) },
  meta: {},
})

test('sends at most fifty requests in any minute until the service announces its limit', async () => {
  const clock = fakeClock()
  const service = new SimulatedService()
  const budgeted = createBudget({ clock }).wrap(service, 'user')
  for (let n = 0; n < 120; n++) void budgeted.account()
  const after = async (ms: number) => {
    await clock.advance(ms)
    return service.received.length
  }
  expect(await after(0)).toBe(50)
  expect(await after(59_999)).toBe(50)
  expect(await after(1)).toBe(100)
  expect(await after(60_000)).toBe(120)
})

test('leaves room for edits during a long refresh, and for the user’s requests during both', () => {
  const budget = createBudget({ clock: fakeClock() })
  const spend = (source: 'refresh' | 'replay' | 'user') => {
    let spent = 0
    for (; budget.delay(source) === 0; spent++) budget.tryTake(source)
    return spent
  }
  expect(spend('refresh')).toBe(30)
  expect(spend('replay')).toBe(15)
  expect(spend('user')).toBe(5)
})

test('takes the limit and the remaining requests from each answer, so that requests of other clients count too', () => {
  const budget = createBudget({ clock: fakeClock() })
  budget.tryTake('user')
  budget.recordAnswer(answerWithLimit(1000, 999))
  for (let n = 0; n < 500; n++) budget.tryTake('user')
  expect(budget.delay('user')).toBe(0)
  budget.recordAnswer(answerWithLimit(60, 0))
  expect(budget.delay('user')).toBe(60_000)
})

test('sends at most 6,000 requests a minute, however many the service announces', () => {
  const budget = createBudget({ clock: fakeClock() })
  budget.recordAnswer(answerWithLimit(1e15, 1e15))
  expect(budget.timeFor(12_000, 'user')).toBe(60_000)
  budget.recordAnswer(answerWithLimit(1e15, 0))
  expect(budget.delay('user')).toBe(60_000)
})

test('Retry-After pauses every request of the connection', () => {
  const budget = createBudget({ clock: fakeClock() })
  budget.recordAnswer(tooMany(7))
  expect(budget.delay('user')).toBe(7_000)
  expect(budget.delay('replay')).toBe(7_000)
})

test('pauses after a 429 even without Retry-After, and shortens an absurdly long Retry-After to an hour', () => {
  const silent = createBudget({ clock: fakeClock() })
  silent.recordAnswer(tooMany())
  expect(silent.delay('user')).toBeGreaterThan(0)
  const absurd = createBudget({ clock: fakeClock() })
  absurd.recordAnswer(tooMany(999_999_999))
  expect(absurd.delay('user')).toBe(60 * 60_000)
})

test('Retry-After of an error other than a 429 pauses for at most five minutes, because the service may work again earlier', () => {
  const budget = createBudget({ clock: fakeClock() })
  const error = { code: 'unavailable', message: '', status: 503, retryAfter: 3_600 } as const
  budget.recordAnswer({ outcome: 'notApplied', error, meta: {} })
  expect(budget.delay('user')).toBe(5 * 60_000)
})

test('sends nothing once the budget is closed, neither waiting nor later requests', async () => {
  const clock = fakeClock()
  const service = new SimulatedService()
  const budget = createBudget({ clock })
  const budgeted = budget.wrap(service, 'user')
  budget.recordAnswer(tooMany(30))
  const waiting = budgeted.delete('1')
  await settled()
  budget.close()
  const later = budgeted.account()
  for (const outcome of [await waiting, await later]) {
    expect(outcome).toEqual({ outcome: 'notApplied', error: { code: 'no-connection', message: '' }, meta: {} })
  }
  await clock.advance(60 * 60_000)
  expect(service.received).toEqual([])
  expect(clock.timers()).toBe(0)
})

test('sends an allowed request in the same tick', () => {
  const service = new SimulatedService()
  const clock = fakeClock()
  void createBudget({ clock }).wrap(service, 'replay').account()
  expect(service.received).toHaveLength(1)
})
