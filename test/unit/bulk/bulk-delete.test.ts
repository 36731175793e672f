import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBulk, type Bulk } from '../../../src/main/bulk/bulk.ts'
import { fakeClock, MINUTE, type FakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { portsOf } from './rig.ts'

const WEBSITES = 60
/** Milliseconds of other work between two slices of a bulk change. */
let pauseMs = 0

let app: ReturnType<typeof startConnection>
let clock: FakeClock
let service: SimulatedService
let bulk: Bulk

beforeEach(async () => {
  pauseMs = 0
  clock = fakeClock()
  service = new SimulatedService()
  for (let n = 0; n < WEBSITES; n++) service.add(`w${String(n)}.example`)
  const busy: FakeClock = { ...clock, after: (ms, call) => clock.after(ms === 0 ? pauseMs : ms, call) }
  app = startConnection({ service, clock: busy })
  must(await app.refresh.run())
  bulk = createBulk(portsOf(app))
})
afterEach(() => app.close())

const keys = () => app.list().map(({ key }) => key)
const states = () => new Set(app.list().map(({ state }) => state))

/** Runs the timers between the slices of the work, and returns the result of the work. */
async function done<T>(work: Promise<T>): Promise<T> {
  await clock.advance(0)
  return work
}

test('a bulk delete queues one delete for each website, even if a website is listed twice, and one undo takes back all of them', async () => {
  const result = await done(bulk.delete([...keys(), keys()[0] ?? '', 'nobody']))
  expect(result).toMatchObject({ changed: WEBSITES, refused: [{ key: 'nobody', error: { code: 'website-gone' } }] })
  expect(states()).toEqual(new Set(['deleting']))
  expect(await done(bulk.undo(result.bulkChange))).toMatchObject({ value: { changed: WEBSITES, refused: [] } })
  expect(states()).toEqual(new Set(['synced']))
  expect(app.edits()).toEqual([])
})

test('a bulk delete sends nothing and can be undone until ten seconds after its last delete is queued', async () => {
  pauseMs = 8_000
  const deleting = bulk.delete(keys())
  await clock.advance(pauseMs)
  const { bulkChange } = await deleting
  await clock.advance(9_000)
  expect(service.domains()).toHaveLength(WEBSITES)
  pauseMs = 0
  expect(await done(bulk.undo(bulkChange))).toMatchObject({ value: { changed: WEBSITES, refused: [] } })
  await clock.advance(MINUTE)
  expect(service.domains()).toHaveLength(WEBSITES)
})

test('sends the deletes after the ten seconds, and an undo then creates the websites again only if the user agrees', async () => {
  const { bulkChange } = await done(bulk.delete(keys()))
  await clock.advance(10_100)
  const sent = WEBSITES - service.domains().length
  expect(sent).toBeGreaterThan(0)
  const undone = must(await done(bulk.undo(bulkChange)))
  expect(undone.refused).toEqual([])
  expect(undone.sent).toMatchObject({ kind: 'delete', count: WEBSITES - undone.changed })
  expect(undone.sent?.count).toBeGreaterThanOrEqual(sent)
  await clock.advance(MINUTE)
  expect(service.domains()).toHaveLength(undone.changed)
  const agreed = must(await done(bulk.undo(bulkChange, true)))
  expect(agreed).toMatchObject({ changed: undone.sent?.count, queued: undone.sent?.count, refused: [] })
  await clock.advance(10 * MINUTE)
  expect(service.domains()).toHaveLength(WEBSITES)
})

test('the undo of a bulk delete restores a website whose create was never sent, with its password', async () => {
  await app.offline()
  const made = must(await app.outbox.create({ ...draft('new.example'), privacy: 2, password: 'a secret' }))
  must(await app.outbox.create(draft('other.example')))
  const [create] = app.edits()
  const result = await done(bulk.delete([made, ...keys()]))
  expect(result).toMatchObject({ changed: WEBSITES + 2, refused: [] })
  expect(app.list().map(({ domain }) => domain)).not.toContain('new.example')
  // Uses the domain of one deleted website for a new one.
  must(await app.outbox.create(draft('other.example')))
  const undone = must(await done(bulk.undo(result.bulkChange)))
  const refused = [{ domain: 'other.example', error: { code: 'domain-listed' } }]
  expect(undone).toMatchObject({ changed: WEBSITES + 1, refused })
  expect(app.edits().map(({ kind, domain }) => [kind, domain])).toEqual([
    ['create', 'other.example'],
    ['create', 'new.example'],
  ])
  expect(app.edits()[1]).toEqual({ ...create, nextAt: expect.anything() })
  await app.online()
  expect(service.domains()).toHaveLength(WEBSITES + 2)
})

test('the undo of a bulk delete never restores the create of a website that the service has created in the meantime', async () => {
  await app.offline()
  const made = must(await app.outbox.create(draft('new.example')))
  const { bulkChange } = await bulk.delete([made])
  expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 1, refused: [] })
  await app.online()
  must(await app.outbox.update(made, { email: true }))
  await clock.advance(MINUTE)
  const again = await bulk.delete([made])
  await clock.advance(MINUTE)
  expect(service.domains()).not.toContain('new.example')
  expect(must(await bulk.undo(again.bulkChange))).toMatchObject({ changed: 0, sent: { count: 1 } })
  expect(app.edits()).toEqual([])
  expect(must(await bulk.undo(again.bulkChange, true))).toMatchObject({ changed: 1, queued: 1 })
  expect(app.edits()).toMatchObject([{ kind: 'create', settings: { email: true } }])
})

test('the undo of a bulk delete refuses a website whose delete was undone already', async () => {
  const [first = ''] = keys()
  const result = await bulk.delete([first])
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  const undone = must(await bulk.undo(result.bulkChange))
  expect(undone.refused.map(({ error }) => error.code)).toEqual(['edit-gone'])
})

test('the undo of a bulk delete keeps a delete that was pending before', async () => {
  const [first = '', second = ''] = keys()
  must(await app.outbox.delete(first))
  const result = await done(bulk.delete([first, second]))
  expect(result).toMatchObject({ changed: 1, refused: [{ key: first, error: { code: 'website-gone' } }] })
  expect(must(await done(bulk.undo(result.bulkChange)))).toMatchObject({ changed: 1, refused: [] })
  expect(app.edits()).toMatchObject([{ website: first, kind: 'delete' }])
})

test('the undo of a bulk delete takes back a delete that the service has refused', async () => {
  await app.offline()
  must(await app.outbox.update(keys()[0] ?? '', { email: true }))
  service.fail('delete', { refuse: 'forbidden' })
  service.fail('delete', { refuse: 'forbidden' })
  const { bulkChange } = await done(bulk.delete(keys().slice(0, 3)))
  await app.online(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked' }, { state: 'parked' }])
  await app.offline()
  expect(must(await done(bulk.undo(bulkChange)))).toMatchObject({ changed: 2, refused: [], sent: { count: 1 } })
  // A change that a delete had superseded is pending again.
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { email: true } }])
})

test('undoes each of two bulk deletes once, even the earlier one', async () => {
  const one = await bulk.delete(keys().slice(0, 2))
  const two = await bulk.delete(keys().slice(2, 4))
  for (const { bulkChange } of [one, two]) {
    expect(must(await bulk.undo(bulkChange))).toMatchObject({ changed: 2, refused: [] })
    expect(codeOf(await bulk.undo(bulkChange))).toBe('edit-gone')
  }
  expect(app.edits()).toEqual([])
})
