import { afterEach, beforeEach, expect, test } from 'vitest'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { must, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const path = useFolder()
let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>

beforeEach(async () => {
  service = new SimulatedService()
  clock = fakeClock()
  for (let n = 1; n <= 8; n++) service.add(`w${String(n)}.example`)
  app = startConnection({ service, clock, file: path() })
  must(await app.refresh.run())
})
afterEach(() => app.close())

const told = () => must(app.view.list({ ...listQuerySchema.parse({}), page: 1 })).deletedRemotely
const idOf = (domain: string) => [...service.records.values()].find((one) => one.domain === domain)?.id ?? ''
const deleteThere = (...domains: string[]) => domains.forEach((domain) => service.records.delete(idOf(domain)))

test('shows which websites another client deleted, over refreshes and a restart, until the user has looked', async () => {
  expect(told()).toBeUndefined()
  deleteThere('w2.example', 'w5.example')
  must(await app.refresh.run())
  expect(told()).toEqual({ count: 2, domains: ['w2.example', 'w5.example'] })
  deleteThere('w1.example')
  must(await app.refresh.run())
  await app.close()
  app = startConnection({ service, clock, file: path() })
  expect(told()).toEqual({ count: 3, domains: ['w2.example', 'w5.example', 'w1.example'] })
  must(app.view.markAllSeen())
  must(await app.refresh.run())
  expect(told()).toBeUndefined()
})

test('names the first of many deleted websites', async () => {
  deleteThere(...service.domains())
  must(await app.refresh.run())
  expect(told()?.count).toBe(8)
  expect(told()?.domains).toHaveLength(5)
})

test('shows no deletes that an interrupted refresh could not prove', async () => {
  deleteThere('w2.example')
  service.fail('get', { lost: 'request' })
  await app.refresh.run()
  expect(told()).toBeUndefined()
})

test('does not show our own delete as a remote one, even if its answer is lost', async () => {
  for (const domain of ['w3.example', 'w4.example']) {
    if (domain === 'w4.example') service.fail('delete', { lost: 'answer' })
    must(await app.outbox.delete(app.keyOf(domain)))
    await clock.advance(60_000)
    must(await app.refresh.run())
  }
  expect(service.domains()).toHaveLength(6)
  expect(told()).toBeUndefined()
})
