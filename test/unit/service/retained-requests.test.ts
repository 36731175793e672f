import { queryObjects } from 'node:v8'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RequestAttempt } from '../../../src/main/service/attempt.ts'
import { always, client, dispatching, startHost } from './host.ts'

async function attempts(): Promise<number> {
  // The first collection starts the finalizer in which undici releases an abort signal.
  queryObjects(RequestAttempt, { format: 'count' })
  await wait(100)
  return queryObjects(RequestAttempt, { format: 'count' })
}

const REQUESTS = 40
const REQUEST_LIMIT_MS = 200

/** Calls `ask` {@link REQUESTS} times. Returns how many of the requests are still in memory after their time limit. */
async function retainedAttempts(ask: () => Promise<unknown>): Promise<number> {
  await ask()
  await wait(2 * REQUEST_LIMIT_MS)
  const before = await attempts()
  for (let n = 0; n < REQUESTS; n++) await ask()
  await wait(2 * REQUEST_LIMIT_MS)
  return (await attempts()) - before
}

test('keeps nothing in memory after an answered request', async () => {
  const { origin } = await startHost(always(200, { data: { id: 1, name: 'Ada' } }))
  const service = client({ address: origin, dispatcher: dispatching(), limits: { request: REQUEST_LIMIT_MS } })
  expect(await retainedAttempts(() => service.account())).toBeLessThan(REQUESTS / 10)
})

test('keeps nothing in memory after a request without an answer', async () => {
  const service = client({
    address: 'http://127.0.0.1:47',
    dispatcher: dispatching(),
    limits: { request: REQUEST_LIMIT_MS },
  })
  expect(await retainedAttempts(() => service.account())).toBeLessThan(REQUESTS / 10)
})
