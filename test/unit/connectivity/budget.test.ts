import { expect, test } from 'vitest'
import { createBudget, withBudget } from '../../../src/main/connectivity/budget.ts'
import type { Outcome } from '../../../src/main/service/outcome.ts'
import { fakeClock } from '../outbox/clock.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const told = (limit: number, remaining: number): Outcome<null> => ({
  outcome: 'applied',
  value: null,
  meta: { limit, remaining },
})

const tooMany = (retryAfter?: number): Outcome<null> => ({
  outcome: 'notApplied',
  error: { code: 'rate-limited', message: '', ...(retryAfter !== undefined && { retryAfter }) },
  meta: {},
})

test('no minute sees more than fifty requests until the service tells its limit', async () => {
  const clock = fakeClock()
  const service = new SimulatedService()
  const budgeted = withBudget(service, createBudget({ clock }), 'person')
  for (let n = 0; n < 120; n++) void budgeted.account()
  const after = async (ms: number) => {
    await clock.advance(ms)
    return service.asked.length
  }
  expect(await after(0)).toBe(50)
  expect(await after(59_999)).toBe(50)
  expect(await after(1)).toBe(100)
  expect(await after(60_000)).toBe(120)
})

test('a long refresh leaves room for edits, and both for what the person looks at', async () => {
  const budget = createBudget({ clock: fakeClock() })
  const spend = async (who: 'refresh' | 'replay' | 'person') => {
    let spent = 0
    for (; budget.wait(who) === 0; spent++) await budget.take(who)
    return spent
  }
  expect(await spend('refresh')).toBe(30)
  expect(await spend('replay')).toBe(15)
  expect(await spend('person')).toBe(5)
})

test('the limit is learned from the service, and so is what others used of it', async () => {
  const budget = createBudget({ clock: fakeClock() })
  await budget.take('person')
  budget.heard(told(1000, 999))
  for (let n = 0; n < 500; n++) await budget.take('person')
  expect(budget.wait('person')).toBe(0)
  budget.heard(told(60, 0))
  expect(budget.wait('person')).toBe(60_000)
})

test('Retry-After pauses every request of the connection', () => {
  const budget = createBudget({ clock: fakeClock() })
  budget.heard(tooMany(7))
  expect(budget.wait('person')).toBe(7_000)
  expect(budget.wait('replay')).toBe(7_000)
})

test('a 429 that does not say how long pauses too, and an absurd one does not for ever', () => {
  const silent = createBudget({ clock: fakeClock() })
  silent.heard(tooMany())
  expect(silent.wait('person')).toBeGreaterThan(0)
  const absurd = createBudget({ clock: fakeClock() })
  absurd.heard(tooMany(999_999_999))
  expect(absurd.wait('person')).toBe(60 * 60_000)
})
