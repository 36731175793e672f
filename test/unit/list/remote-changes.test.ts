import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
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

const idOf = (domain: string) => [...service.records.values()].find((one) => one.domain === domain)?.id ?? ''
const touch = (domain: string, change: Partial<WebsiteRecord>) =>
  service.touch(service.records.get(idOf(domain)) as WebsiteRecord, change)
const deleteOnService = (...domains: string[]) => domains.forEach((domain) => service.records.delete(idOf(domain)))
const recorded = () =>
  must(app.outbox.activity({ author: 'remote', limit: 100 }))
    .entries.map(({ kind, domain }) => `${kind} ${domain}`)
    .toSorted()

test('counts what another client did, over refreshes and a restart, until the user opens the activity', async () => {
  expect([recorded(), app.store.remoteChanges()]).toEqual([[], 0])
  deleteOnService('w2.example', 'w5.example')
  touch('w1.example', { email: true, updated_at: '7' })
  service.add('new.example')
  must(await app.refresh.run())
  must(await app.refresh.run())
  expect(recorded()).toEqual(['added new.example', 'changed w1.example', 'deleted w2.example', 'deleted w5.example'])
  await app.close()
  app = startConnection({ service, clock, file: path() })
  expect(app.store.remoteChanges()).toBe(4)
  must(app.store.activitySeen())
  must(await app.refresh.run())
  expect(app.store.remoteChanges()).toBe(0)
  expect(recorded()).toHaveLength(4)
})

test('records a remote change if updated_at is later, but not if only an unknown field has changed', async () => {
  touch('w1.example', { extra: { favourite: true } })
  touch('w2.example', { updated_at: '2026-02-01' })
  must(await app.refresh.run())
  expect(recorded()).toEqual(['changed w2.example'])
})

test('does not record as a remote change what a request of ours that is being sent may have changed', async () => {
  const key = app.keyOf('w1.example')
  must(await app.outbox.update(key, { email: true }))
  const [edit] = app.store.editsOf(key)
  if (edit === undefined) throw new Error('no edit')
  must(app.store.write(() => ({ ok: true, value: app.store.saveEdit({ ...edit, standing: { state: 'sending' } }) })))
  touch('w1.example', { email: true, updated_at: '9' })
  must(await app.refresh.run())
  expect([recorded(), app.store.remoteChanges()]).toEqual([[], 0])
})

test('records no delete of a website that is missing from the list if the read that would prove the delete fails', async () => {
  deleteOnService('w2.example')
  service.fail('get', { lost: 'request' })
  await app.refresh.run()
  expect(recorded()).toEqual([])
})

test('does not record our own delete as a remote one, even if its answer is lost', async () => {
  for (const domain of ['w3.example', 'w4.example']) {
    if (domain === 'w4.example') service.fail('delete', { lost: 'answer' })
    must(await app.outbox.delete(app.keyOf(domain)))
    await clock.advance(60_000)
    must(await app.refresh.run())
  }
  expect(service.domains()).toHaveLength(6)
  expect(recorded()).toEqual([])
})
