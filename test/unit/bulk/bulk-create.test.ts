import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBulk, type Bulk } from '../../../src/main/bulk/bulk.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { portsOf } from './rig.ts'

const MINUTE = 60_000

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>
let bulk: Bulk

beforeEach(async () => {
  service = new SimulatedService()
  service.add('there.example')
  clock = fakeClock()
  app = startConnection({ service, clock })
  must(await app.refresh.run())
  bulk = createBulk(portsOf(app))
  await app.offline()
})
afterEach(() => app.close())

const drafts = (...domains: string[]) => domains.map((domain) => draft(domain))

test('creates each website, and reports the reason for each refused row', async () => {
  const made = await bulk.create(drafts('a.example', 'there.example', 'b.example', 'A.example', 'not a domain'))
  expect(made.created).toBe(2)
  expect(made.refused).toMatchObject([
    { row: 1, error: { fields: { domain: ['there.example is already in this account.'] } } },
    { row: 3, error: { fields: { domain: ['a.example is already in this account.'] } } },
    { row: 4, error: { code: 'invalid-input' } },
  ])
  expect(app.list().map(({ domain }) => domain)).toEqual(expect.arrayContaining(['a.example', 'b.example']))
})

test('finds the domains that an existing website or a pending create has, but not those of a pending delete', async () => {
  const domains = ['a.example', 'there.example', 'b.example']
  expect(must(await app.outbox.takenDomains(domains))).toEqual(['there.example'])
  await bulk.create(drafts('a.example'))
  expect(must(await app.outbox.takenDomains(domains))).toEqual(['a.example', 'there.example'])
  must(await app.outbox.delete(app.keyOf('there.example')))
  expect(must(await app.outbox.takenDomains(domains))).toEqual(['a.example'])
})

test('undoes a bulk create as a whole while none of its creates is sent', async () => {
  const { bulkChange } = await bulk.create(drafts('a.example', 'b.example', 'c.example'))
  expect(must(await bulk.undo(bulkChange))).toMatchObject({
    changed: 3,
    refused: [],
  })
  expect(app.list()).toHaveLength(1)
  expect(codeOf(await bulk.undo(bulkChange))).toBe('edit-gone')
})

test('a bulk create adds a thousand websites, and its undo removes all of them', async () => {
  const made = bulk.create(Array.from({ length: 1000 }, (_, n) => draft(`w${n}.example`)))
  await clock.advance(0)
  const { bulkChange, created } = await made
  expect(created).toBe(1000)
  const back = bulk.undo(bulkChange)
  await clock.advance(0)
  expect(must(await back)).toMatchObject({ changed: 1000, refused: [] })
  expect(app.list()).toHaveLength(1)
})

test('creates each website with all its values, including its password', async () => {
  await bulk.create([draft('a.example', { privacy: 2, password: 'of-a' }), draft('b.example', { email: true })])
  await app.online(MINUTE)
  const sent = service.received.filter(({ operation }) => operation === 'create').map((request) => request.sent)
  expect(sent).toMatchObject([
    { domain: 'a.example', privacy: 2, password: 'of-a' },
    { domain: 'b.example', email: true },
  ])
})

test('the undo of a bulk create names the websites that were sent, and deletes them only if the user agrees', async () => {
  const { bulkChange } = await bulk.create(drafts('a.example', 'b.example'))
  await app.online(MINUTE)
  expect(service.domains()).toContain('a.example')
  const undone = must(await bulk.undo(bulkChange))
  const sent = { kind: 'create', count: 2, domains: ['a.example', 'b.example'] }
  expect(undone).toMatchObject({ changed: 0, queued: 0, refused: [], sent })
  await clock.advance(10 * MINUTE)
  expect(service.domains()).toContain('a.example')
  const agreed = must(await bulk.undo(bulkChange, true))
  expect(agreed).toMatchObject({ changed: 2, queued: 2, refused: [] })
  expect(agreed.sent).toBeUndefined()
  await clock.advance(9_000)
  expect(service.domains()).toContain('a.example')
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['there.example'])
  expect(codeOf(await bulk.undo(bulkChange))).toBe('edit-gone')
})

test('the undo of a bulk create keeps the websites that were sent if the user does not agree', async () => {
  const { bulkChange } = await bulk.create(drafts('a.example', 'b.example'))
  await app.online(MINUTE)
  must(await bulk.undo(bulkChange))
  expect(must(await bulk.undo(bulkChange, false))).toMatchObject({ changed: 0 })
  expect(codeOf(await bulk.undo(bulkChange))).toBe('edit-gone')
  await clock.advance(10 * MINUTE)
  expect(service.domains()).toContain('a.example')
})

test('the undo of a bulk create asks about a website that is just being sent, and removes the others', async () => {
  await app.online()
  const answer = service.hold('create')
  const { bulkChange } = await bulk.create(drafts('a.example', 'b.example'))
  await settled()
  expect(must(await bulk.undo(bulkChange))).toMatchObject({
    changed: 1,
    queued: 0,
    sent: { count: 1, domains: ['a.example'] },
  })
  expect(must(await bulk.undo(bulkChange, true))).toMatchObject({
    changed: 1,
    queued: 1,
  })
  answer()
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['there.example'])
})

test('the undo of a bulk create asks about a website that may have been created, although the service has not confirmed it', async () => {
  for (let n = 0; n < 5; n++) service.fail('create', { lost: 'request' })
  await app.online()
  const { bulkChange } = await bulk.create(drafts('a.example'))
  await settled()
  for (let n = 0; n < 600 && app.edits()[0]?.state === 'inDoubt'; n++) await clock.advance(50)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'held' }])
  await expectQuestion(bulkChange)
})

test('the undo of a bulk create asks about a website whose create is parked and may have been applied', async () => {
  for (let n = 0; n < 5; n++) service.fail('create', { lost: 'request' })
  await app.online()
  const { bulkChange } = await bulk.create(drafts('a.example'))
  await clock.advance(60 * MINUTE)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked' }])
  await expectQuestion(bulkChange)
})

/** Expects that the undo deletes the website only after the user has agreed. */
async function expectQuestion(bulkChange: string) {
  expect(must(await bulk.undo(bulkChange))).toMatchObject({
    changed: 0,
    sent: { kind: 'create', count: 1, domains: ['a.example'] },
  })
  expect(app.edits()).toMatchObject([{ kind: 'create' }])
  expect(must(await bulk.undo(bulkChange, true))).toMatchObject({
    changed: 1,
    queued: 1,
  })
  expect(app.edits().at(-1)).toMatchObject({ kind: 'delete' })
}
