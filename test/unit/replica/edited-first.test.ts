import { expect, onTestFinished, test } from 'vitest'
import { fakeClock, settled } from '../outbox/clock.ts'
import { must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

/** Reads websites, and then queues edits of the first ones. The outbox is stopped, so it sends nothing. */
async function edited(websites: number, edits: number) {
  const service = new SimulatedService()
  for (let n = 0; n < websites; n++) service.add(`n${String(n)}.example`)
  const app = startConnection({ service, clock: fakeClock() })
  onTestFinished(() => app.close())
  must(await app.refresh.run())
  service.unreachable = true
  app.reach.hint(false)
  await settled()
  for (let n = 0; n < edits; n++) must(await app.outbox.update(app.keyOf(`n${String(n)}.example`), { email: true }))
  await app.outbox.stop()
  service.unreachable = false
  service.received.length = 0
  return { service, app }
}

/** Returns the requests of a refresh as texts. Leaves out the account. */
const reads = ({ received }: SimulatedService): string[] =>
  received
    .filter(({ operation }) => operation !== 'account')
    .map(({ operation, id }) => `${operation} ${id ?? ''}`.trim())

test('reads websites with pending edits before the list', async () => {
  const { service, app } = await edited(150, 3)
  must(await app.refresh.run())
  expect(reads(service)).toEqual(['get 1', 'get 2', 'get 3', 'list'])
})

test('shows what another client did to an edited website, though the list fails', async () => {
  const { service, app } = await edited(150, 1)
  const record = service.records.get('1')
  Object.assign(record ?? {}, { exclude_bots: false })
  service.fail('list', { refuse: 'invalid' })
  expect(await app.refresh.run()).toMatchObject({ ok: false, error: { code: 'invalid' } })
  expect(app.view.get(app.keyOf('n0.example'))).toMatchObject({ exclude_bots: false, email: true })
})

test('reads at most ten edited websites singly, and none if the first page has all websites', async () => {
  const many = await edited(150, 14)
  must(await many.app.refresh.run())
  expect(reads(many.service).filter((read) => read.startsWith('get'))).toHaveLength(10)
  const few = await edited(20, 3)
  must(await few.app.refresh.run())
  expect(reads(few.service)).toEqual(['list'])
})

test('keeps an edited website that the service doesn’t find, because the outbox decides about it, and reads the list', async () => {
  const { service, app } = await edited(150, 2)
  service.records.delete('1')
  must(await app.refresh.run())
  expect(reads(service)).toEqual(['get 1', 'get 2', 'list'])
  expect(app.list('n0.example')).toHaveLength(1)
})

test('asks an unreachable service once, not for each edited website', async () => {
  const { service, app } = await edited(150, 5)
  service.unreachable = true
  // Records the requests here, because an unreachable service records none.
  const asked: string[] = []
  const { get, list } = service
  service.get = (id) => {
    asked.push(`get ${id}`)
    return get(id)
  }
  service.list = (query) => {
    asked.push('list')
    return list(query)
  }
  expect(await app.refresh.run()).toMatchObject({ ok: false, error: { code: 'unreachable' } })
  expect(asked).toEqual(['get 1'])
})
