import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseSearch } from '../../../src/shared/search.ts'
import { listQuerySchema, type WebsiteRecord } from '../../../src/shared/website.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let app: ReturnType<typeof startConnection>

beforeEach(() => {
  app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
  read([record('1'), record('2')], 10)
})
afterEach(() => app.close())

const record = (id: string, more: Partial<WebsiteRecord> = {}): WebsiteRecord => ({
  id,
  domain: `w${id}.example`,
  email: false,
  extra: {},
  ...more,
})

/** A complete run that showed these, at this time. */
function read(websites: WebsiteRecord[], at: number): void {
  const { store } = app
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, at, websites }))
  must(store.completeRun(run, at))
}

const marks = () => Object.fromEntries(app.list().map(({ domain, remoteChange }) => [domain, remoteChange]))

test('the first reading marks nothing; later ones what others added or changed, with the time', () => {
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': undefined })
  read([record('1', { email: true }), record('2'), record('3')], 20)
  expect(marks()).toEqual({
    'w1.example': { what: 'changed', at: 20, fields: [{ name: 'email' }] },
    'w2.example': undefined,
    'w3.example': { what: 'added', at: 20 },
  })
})

test('it stays until it’s looked at, over further readings too', () => {
  read([record('1', { email: true }), record('2')], 20)
  read([record('1', { email: true }), record('2')], 30)
  expect(marks()['w1.example']).toEqual({ what: 'changed', at: 20, fields: [{ name: 'email' }] })
  must(app.view.lookedAt(app.keyOf('w1.example')))
  read([record('1', { email: true }), record('2')], 40)
  expect(marks()['w1.example']).toBeUndefined()
})

test('what nobody has heard of may change unmarked; a later time of change may not', () => {
  read([record('1', { extra: { favourite: true } }), record('2', { updated_at: '2026-02-01' })], 20)
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': { what: 'changed', at: 20, fields: [] } })
})

test('what a request of ours that is out may have done isn’t others’', async () => {
  const key = app.keyOf('w1.example')
  must(await app.outbox.update(key, { email: true }))
  const [edit] = app.store.editsOf(key)
  if (edit === undefined) throw new Error('no edit')
  must(app.store.write(() => ({ ok: true, value: app.store.saveEdit({ ...edit, standing: { state: 'sending' } }) })))
  read([record('1', { email: true }), record('2')], 20)
  expect(marks()['w1.example']).toBeUndefined()
})

test('which fields others changed is noted, of a list how many lines, over further readings too', () => {
  read([record('1', { email: true, exclude_ips: ['10.0.0.1'] }), record('2')], 20)
  const fields = () => marks()['w1.example']?.fields
  // A list that wasn't shown before says nothing of its lines.
  expect(fields()).toEqual([{ name: 'email' }, { name: 'exclude_ips' }])
  must(app.view.lookedAt(app.keyOf('w1.example')))
  read([record('1', { email: true, exclude_ips: ['10.0.0.2', '10.0.0.3'] }), record('2')], 30)
  expect(fields()).toEqual([{ name: 'exclude_ips', added: 2, removed: 1 }])
  read([record('1', { email: true, privacy: 0, exclude_ips: ['10.0.0.2', '10.0.0.3', '10.0.0.4'] }), record('2')], 40)
  expect(fields()).toEqual([{ name: 'privacy' }, { name: 'exclude_ips', added: 3, removed: 1 }])
  expect(marks()['w1.example']?.at).toBe(40)
})

test('one that is new elsewhere stays new when it’s changed there too', () => {
  read([record('1'), record('2'), record('3')], 20)
  read([record('1'), record('2'), record('3', { email: true })], 30)
  expect(marks()['w3.example']).toEqual({ what: 'added', at: 20 })
})

async function find(typed: string) {
  const { text, filters } = parseSearch(typed)
  const page = must(
    await app.view.find({ ...listQuerySchema.parse({ search: text, per_page: 100 }), page: 1, filters }),
  )
  return { domains: page.websites.map(({ domain }) => domain), remoteChanges: page.remoteChanges }
}

test('those that were changed elsewhere can be found, edited ones too, and are counted whatever is shown', async () => {
  read([record('1', { email: true }), record('2'), record('3')], 20)
  must(await app.outbox.update(app.keyOf('w1.example'), { privacy: 0 }))
  expect(await find('state:remote')).toEqual({ domains: ['w3.example', 'w1.example'], remoteChanges: 2 })
  expect(await find('-state:remote')).toEqual({ domains: ['w2.example'], remoteChanges: 2 })
  expect((await find('')).remoteChanges).toBe(2)
})

test('all of them are taken for seen at once, and stay so', async () => {
  read([record('1', { email: true }), record('2'), record('3')], 20)
  must(app.view.allLookedAt())
  read([record('1', { email: true }), record('2'), record('3')], 30)
  expect(await find('state:remote')).toEqual({ domains: [], remoteChanges: 0 })
})
