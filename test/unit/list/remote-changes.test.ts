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

/** Stores a complete run that read these websites at this time. */
function read(websites: WebsiteRecord[], at: number): void {
  const { store } = app
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, at, websites }))
  must(store.completeRun(run, at))
}

const marks = () => Object.fromEntries(app.list().map(({ domain, remoteChange }) => [domain, remoteChange]))

test('marks what another client added or changed, with the time, but nothing at the first refresh', () => {
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': undefined })
  read([record('1', { email: true }), record('2'), record('3')], 20)
  expect(marks()).toEqual({
    'w1.example': { what: 'changed', at: 20, fields: [{ name: 'email' }] },
    'w2.example': undefined,
    'w3.example': { what: 'added', at: 20 },
  })
})

test('keeps the mark over refreshes until the user has looked', () => {
  read([record('1', { email: true }), record('2')], 20)
  read([record('1', { email: true }), record('2')], 30)
  expect(marks()['w1.example']).toEqual({ what: 'changed', at: 20, fields: [{ name: 'email' }] })
  must(app.view.markSeen(app.keyOf('w1.example')))
  read([record('1', { email: true }), record('2')], 40)
  expect(marks()['w1.example']).toBeUndefined()
})

test('marks a later time of change, but no change of an unknown field', () => {
  read([record('1', { extra: { favourite: true } }), record('2', { updated_at: '2026-02-01' })], 20)
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': { what: 'changed', at: 20, fields: [] } })
})

test('does not mark what our own late request may have changed', async () => {
  const key = app.keyOf('w1.example')
  must(await app.outbox.update(key, { email: true }))
  const [edit] = app.store.editsOf(key)
  if (edit === undefined) throw new Error('no edit')
  must(app.store.write(() => ({ ok: true, value: app.store.saveEdit({ ...edit, standing: { state: 'sending' } }) })))
  read([record('1', { email: true }), record('2')], 20)
  expect(marks()['w1.example']).toBeUndefined()
})

test('names the fields that another client changed, and the number of list lines, over several refreshes', () => {
  read([record('1', { email: true, exclude_ips: ['10.0.0.1'] }), record('2')], 20)
  const fields = () => marks()['w1.example']?.fields
  // The list was not shown before, so the number of changed lines is unknown.
  expect(fields()).toEqual([{ name: 'email' }, { name: 'exclude_ips' }])
  must(app.view.markSeen(app.keyOf('w1.example')))
  read([record('1', { email: true, exclude_ips: ['10.0.0.2', '10.0.0.3'] }), record('2')], 30)
  expect(fields()).toEqual([{ name: 'exclude_ips', added: 2, removed: 1 }])
  read([record('1', { email: true, privacy: 0, exclude_ips: ['10.0.0.2', '10.0.0.3', '10.0.0.4'] }), record('2')], 40)
  expect(fields()).toEqual([{ name: 'privacy' }, { name: 'exclude_ips', added: 3, removed: 1 }])
  expect(marks()['w1.example']?.at).toBe(40)
})

test('keeps showing a remotely added website as new when it is changed remotely as well', () => {
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

test('finds and counts websites with remote changes, including edited ones, on every page', async () => {
  read([record('1', { email: true }), record('2'), record('3')], 20)
  must(await app.outbox.update(app.keyOf('w1.example'), { privacy: 0 }))
  expect(await find('state:remote')).toEqual({ domains: ['w3.example', 'w1.example'], remoteChanges: 2 })
  expect(await find('-state:remote')).toEqual({ domains: ['w2.example'], remoteChanges: 2 })
  expect((await find('')).remoteChanges).toBe(2)
})

test('clears the marks of all websites at once, permanently', async () => {
  read([record('1', { email: true }), record('2'), record('3')], 20)
  must(app.view.markAllSeen())
  read([record('1', { email: true }), record('2'), record('3')], 30)
  expect(await find('state:remote')).toEqual({ domains: [], remoteChanges: 0 })
})
