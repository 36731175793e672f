import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
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

const marks = () => Object.fromEntries(app.list().map(({ domain, elsewhere }) => [domain, elsewhere]))

test('the first reading marks nothing; later ones what others added or changed, with the time', () => {
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': undefined })
  read([record('1', { email: true }), record('2'), record('3')], 20)
  expect(marks()).toEqual({
    'w1.example': { what: 'changed', at: 20 },
    'w2.example': undefined,
    'w3.example': { what: 'added', at: 20 },
  })
})

test('it stays until it’s looked at, over further readings too', () => {
  read([record('1', { email: true }), record('2')], 20)
  read([record('1', { email: true }), record('2')], 30)
  expect(marks()['w1.example']).toEqual({ what: 'changed', at: 20 })
  must(app.view.lookedAt(app.keyOf('w1.example')))
  read([record('1', { email: true }), record('2')], 40)
  expect(marks()['w1.example']).toBeUndefined()
})

test('what nobody has heard of may change unmarked; a later time of change may not', () => {
  read([record('1', { extra: { favourite: true } }), record('2', { updated_at: '2026-02-01' })], 20)
  expect(marks()).toEqual({ 'w1.example': undefined, 'w2.example': { what: 'changed', at: 20 } })
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
