import { beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../../src/main/service/outcome.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, endInCreate, service, start, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

const HOUR = 60 * MINUTE
/** The time zone of the service, in milliseconds ahead of UTC. */
let zone: number

const textOf = (at: number): string =>
  new Date(at + zone)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')

const isoOf = (at: number): string => new Date(at).toISOString()

/** Replaces the times of a record by times without a zone. */
function shown<T extends WebsiteRecord | null>(record: T): T {
  if (record === null) return record
  const times = ['created_at', 'updated_at'] as const
  const written = times.flatMap((name) =>
    record[name] === undefined ? [] : [[name, textOf(Date.parse(record[name]))] as const],
  )
  return { ...record, ...Object.fromEntries(written) }
}

const mapped = <T>(outcome: Outcome<T>, change: (value: T) => T): Outcome<T> =>
  outcome.outcome === 'applied' ? { ...outcome, value: change(outcome.value) } : outcome

beforeEach(() => {
  zone = 2 * HOUR
  const { create, update, get, list } = service
  service.create = async (draft) => mapped(await create(draft), shown)
  service.get = async (id) => mapped(await get(id), shown)
  service.list = async (query) =>
    mapped(await list(query), (page) => ({ ...page, websites: page.websites.map((one) => shown(one)) }))
  service.update = async (id, changes) => {
    const outcome = await update(id, changes)
    const record = service.records.get(id)
    // The wrapped service appends a dot to mark a later time.
    if (record?.updated_at?.endsWith('.') === true) record.updated_at = isoOf(service.now())
    return mapped(outcome, () => shown(record ?? null))
  }
})

/** Lets the app learn the service's time zone, from the answer to a create. */
async function learn(): Promise<void> {
  must(await app.outbox.create(draft('first.example')))
  await clock.advance(MINUTE)
  must(await app.refresh.run())
}

async function loseAnswer(domain = 'a.example'): Promise<string> {
  service.fail('create', { lost: 'answer' })
  const key = must(await app.outbox.create(draft(domain)))
  await clock.advance(MINUTE)
  return key
}

/** Loses the request of a create. Another client has created the same website `ms` milliseconds earlier. */
async function loseToAnother(ms: number): Promise<void> {
  service.add('a.example', { created_at: isoOf(service.now() - ms) })
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(MINUTE)
}

const parked = () => app.edits().map(({ state, reason }) => ({ state, reason }))

test.each([2, -5, 5.5, 0])(
  'adopts the website of a create in doubt with a time zone learned from an earlier create: %d h',
  async (hours) => {
    zone = hours * HOUR
    await learn()
    const key = await loseAnswer()
    expect(app.edits()).toEqual([])
    expect(app.view.get(key)).toMatchObject({ state: 'synced', domain: 'a.example' })
    expect(service.domains()).toEqual(['first.example', 'a.example'])
  },
)

test('asks the user about a create in doubt while no answer has shown the time zone', async () => {
  await loseAnswer()
  expect(parked()).toEqual([{ state: 'parked', reason: 'adopt' }])
})

test('learns the time zone of the service from an update, and keeps it across a restart', async () => {
  service.add('first.example', { updated_at: isoOf(service.now() - 5 * HOUR) })
  must(await app.refresh.run())
  must(await app.outbox.update(app.keyOf('first.example'), { email: true }))
  await clock.advance(MINUTE)
  await endInCreate('a.example')
  start()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(app.list('a.example')).toMatchObject([{ state: 'synced' }])
})

test('learns no time zone from an update that leaves the time of the record as it was', async () => {
  const record = service.add('first.example', { updated_at: isoOf(service.now() - 2 * HOUR) })
  must(await app.refresh.run())
  service.touch = (one, changes) => void Object.assign(one, changes)
  must(await app.outbox.update(app.keyOf('first.example'), { email: true }))
  await clock.advance(MINUTE)
  expect(record.email).toBe(true)
  await loseToAnother(2 * HOUR)
  expect(parked()).toEqual([{ state: 'parked', reason: 'adopt' }])
})

test('learns no time zone from a time of creation that is minutes before the answer', async () => {
  const { create } = service
  service.create = async (draft) =>
    mapped(await create(draft), (value) => value && { ...value, created_at: textOf(service.now() - 5 * MINUTE) })
  await learn()
  service.create = create
  await loseAnswer()
  expect(parked()).toEqual([{ state: 'parked', reason: 'adopt' }])
})

test.each([2, -5])('does not adopt an older website for a create in doubt, with a time zone of %d h', async (hours) => {
  zone = hours * HOUR
  await learn()
  await loseToAnother(3 * HOUR)
  expect(parked()).toEqual([{ state: 'parked', reason: 'domain-taken' }])
})

test('asks about a create in doubt if the service may have changed to or from daylight saving time since the zone was learned', async () => {
  await learn()
  zone += HOUR
  await loseAnswer('a.example')
  zone -= 2 * HOUR
  await loseAnswer('b.example')
  expect(parked()).toEqual([
    { state: 'parked', reason: 'adopt' },
    { state: 'parked', reason: 'adopt' },
  ])
})

test('learns a changed time zone of the service from the answer to the next create', async () => {
  await learn()
  zone += HOUR
  must(await app.outbox.create(draft('second.example')))
  await settled()
  await loseAnswer()
  expect(app.edits()).toEqual([])
})
