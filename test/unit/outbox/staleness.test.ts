import { expect, test } from 'vitest'
import { isStale } from '../../../src/main/outbox/remote/staleness.ts'
import { fail } from '../../../src/shared/result.ts'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, service, start, useApp } from './rig-app.ts'

useApp(
  () => {
    service.touch = (record) => void (record.updated_at = new Date(service.now()).toISOString())
    service.add('there.example', { updated_at: '2025-12-31T00:00:00Z' })
  },
  { onDisk: true },
)

/** Makes a change while reads still return `before`. Expects that the change is applied once reads are current. */
async function changeBehind(key: string, before: WebsiteRecord, changes: WebsiteChanges): Promise<void> {
  const { get } = service
  service.get = () => Promise.resolve({ outcome: 'applied', value: before, meta: {} })
  must(await app.outbox.update(key, changes))
  await settled()
  service.get = get
  await clock.advance(60_000)
  expect(service.records.get('1')).toMatchObject(changes)
  expect(app.edits()).toEqual([])
}

test.each([
  ['that is older than our own last write by its time', undefined],
  ['from before our own last write in the same second', '2026-01-01T00:00:00Z'],
])('takes a read %s as no proof about an edit in doubt', async (_, time) => {
  if (time !== undefined) service.touch = (touched) => void (touched.updated_at = time)
  const key = app.keyOf('there.example')
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')), ...(time && { updated_at: time }) }
  must(await app.outbox.update(key, { email: true }))
  await settled()
  service.fail('update', { lost: 'request' })
  await changeBehind(key, before, { email: false, privacy: 0 })
})

test('takes a read older than our own last write as no proof, even if the wall clock jumped during that write', async () => {
  const key = app.keyOf('there.example')
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  service.before = (operation) => {
    if (operation !== 'update') return
    service.before = () => {}
    clock.jump(-86_400_000)
  }
  must(await app.outbox.update(key, { email: true }))
  await settled()
  await changeBehind(key, before, { email: false })
})

test.each([
  ['older by its time', undefined],
  ['of the same second', '2026-01-01T00:00:00Z'],
  ['without times', null],
])('after a restart, does not trust a read older than our own last write: %s', async (_, time) => {
  if (time !== undefined) service.touch = (touched) => void (time === null || (touched.updated_at = time))
  const first = service.records.get('1')
  if (first && time === null) delete first.updated_at
  if (first && time) first.updated_at = time
  await app.close()
  start()
  must(await app.refresh.run())
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true }))
  await settled()
  await app.close()
  start()
  await changeBehind(key, before, { email: false })
})

test('takes a list right after a write as no proof, on a host without times, if single reads fail', async () => {
  service.touch = () => {}
  const timeless = service.records.get('1') ?? expect.fail('it is gone')
  delete timeless.updated_at
  must(await app.refresh.run())
  await clock.advance(1_000)
  const key = app.keyOf('there.example')
  const before = { ...timeless }
  must(await app.outbox.update(key, { email: true }))
  await settled()
  const { get, list } = service
  service.get = () => Promise.resolve({ outcome: 'inDoubt', error: fail('unavailable').error, meta: {} })
  service.list = () => Promise.resolve({ outcome: 'applied', value: { websites: [before], next: null }, meta: {} })
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: false }))
  await settled()
  Object.assign(service, { get, list })
  await clock.advance(60_000)
  expect(timeless).toMatchObject({ email: false })
})

test.each([true, false])('a stale list does not hide our own write (with times: %s)', async (times) => {
  const website = service.records.get('1') ?? expect.fail('it is gone')
  if (!times) {
    service.touch = () => {}
    delete website.updated_at
    must(await app.refresh.run())
  }
  const before = { ...website }
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true }))
  await settled()
  service.list = () => Promise.resolve({ outcome: 'applied', value: { websites: [before], next: null }, meta: {} })
  must(await app.refresh.run())
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })
})

test('does not report an edit as failed because of a read right after its last request', async () => {
  const key = app.keyOf('there.example')
  for (let n = 0; n < 4; n++) service.fail('update', { lost: 'request' })
  service.fail('update', { lost: 'answer' })
  const { get } = service
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  service.get = () => Promise.resolve({ outcome: 'applied', value: before, meta: {} })
  must(await app.outbox.update(key, { email: true }))
  while (service.updates().length < 5) await clock.advance(1_000)
  service.get = get
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(service.updates()).toHaveLength(5)
})

test('reports an edit as failed after a read that cannot be stale any more', async () => {
  const key = app.keyOf('there.example')
  for (let n = 0; n < 5; n++) service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true }))
  while (service.updates().length < 5) await clock.advance(1_000)
  const reads = () => service.operations().filter((operation) => operation === 'get').length
  const before = reads()
  await clock.advance(60_000)
  // The two reads come after two and after ten seconds.
  expect(reads()).toBe(before + 2)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing' }])
})

test('does not report an edit as failed after a list if single reads fail', async () => {
  const key = app.keyOf('there.example')
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1'] }))
  await settled()
  const { get, list } = service
  service.get = () => Promise.resolve({ outcome: 'inDoubt', error: fail('unavailable').error, meta: {} })
  service.list = () => Promise.resolve({ outcome: 'applied', value: { websites: [before], next: null }, meta: {} })
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  await settled()
  Object.assign(service, { get, list })
  await clock.advance(60_000)
  expect(service.records.get('1')).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  expect(app.edits()).toEqual([])
})

test('does not trust a stale list after a restart, on a host without times, although an earlier list has shown our write', async () => {
  service.touch = () => {}
  service.add('other.example')
  const timeless = service.records.get('1') ?? expect.fail('it is gone')
  delete timeless.updated_at
  must(await app.refresh.run())
  const before = { ...timeless }
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true }))
  await settled()
  await app.close()
  start()
  must(await app.refresh.run())
  const release = service.hold('update')
  must(await app.outbox.update(app.keyOf('other.example'), { email: true }))
  await settled()
  must(await app.outbox.update(key, { email: false, exclude_bots: false }))
  service.records.set('1', before)
  must(await app.refresh.run())
  service.records.set('1', timeless)
  release()
  await clock.advance(60_000)
  expect(timeless).toMatchObject({ email: false, exclude_bots: false })
})

test('does not trust a read from before our second-to-last write, on a host without times that answers writes with empty bodies', async () => {
  service.touch = () => {}
  const timeless = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  delete timeless.updated_at
  service.records.set('1', { ...timeless })
  must(await app.refresh.run())
  const key = app.keyOf('there.example')
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { exclude_bots: false }))
  await clock.advance(2_000)
  expect(app.edits()).toEqual([])
  const { get } = service
  let answer = () => {}
  service.get = async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    service.get = get
    return { outcome: 'applied', value: { ...timeless }, meta: {} }
  }
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { email: true }))
  await settled()
  must(await app.outbox.update(key, { exclude_bots: true }))
  answer()
  await clock.advance(120_000)
  expect(service.records.get('1')).toMatchObject({ exclude_bots: true, email: true })
  expect(app.edits()).toEqual([])
})

test('does not trust a list whose values differ from those of the read before it, on a host without times that answers writes with empty bodies', async () => {
  service.touch = () => {}
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  delete before.updated_at
  service.records.set('1', { ...before })
  must(await app.refresh.run())
  const key = app.keyOf('there.example')
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { email: true, exclude_bots: false }))
  await clock.advance(1_000)
  expect(app.edits()).toEqual([])
  const { list } = service
  service.list = () => Promise.resolve({ outcome: 'applied', value: { websites: [before], next: null }, meta: {} })
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { exclude_bots: true }))
  await clock.advance(1_000)
  expect(app.view.get(key)).toMatchObject({ email: true, exclude_bots: true })
  service.list = list
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(app.view.get(key)).toMatchObject({ email: true, exclude_bots: true })
})

test('does not trust a list that shows the same old state as the read before it, right after an answer, on a host without times', async () => {
  service.touch = () => {}
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')), email: false }
  delete before.updated_at
  service.records.set('1', { ...before })
  must(await app.refresh.run())
  await clock.advance(1_000)
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true, exclude_bots: false }))
  await clock.advance(1_000)
  expect(app.edits()).toEqual([])
  const { get, list } = service
  service.fail('update', { lost: 'answer' })
  service.before = (operation) => {
    if (operation !== 'update') return
    service.get = () => Promise.resolve({ outcome: 'applied', value: before, meta: {} })
    service.list = () => Promise.resolve({ outcome: 'applied', value: { websites: [before], next: null }, meta: {} })
  }
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(3_000)
  expect(app.view.get(key)).toMatchObject({ email: false, exclude_bots: false })
  Object.assign(service, { get, list })
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(app.view.get(key)).toMatchObject({ email: false, exclude_bots: false })
})

test('does not trust an older read once a read has proven the write, on a host without times', async () => {
  service.touch = () => {}
  const timeless = { ...(service.records.get('1') ?? expect.fail('it is gone')), exclude_bots: true }
  delete timeless.updated_at
  service.records.set('1', { ...timeless })
  must(await app.refresh.run())
  const key = app.keyOf('there.example')
  service.fail('update', { lost: 'answer' })
  const { get } = service
  service.get = () => new Promise(() => {})
  must(await app.outbox.update(key, { exclude_bots: false }))
  await settled()
  // As if the process ended.
  void app.outbox.stop()
  app.store.close()
  let reads = 0
  service.get = (id) => {
    reads += 1
    if (reads > 2) return get.call(service, id)
    const { error } = fail('unavailable')
    // The website can't be read. The list can, but shows the earlier state.
    return Promise.resolve(
      reads === 1 ? { outcome: 'inDoubt', error, meta: {} } : { outcome: 'applied', value: { ...timeless }, meta: {} },
    )
  }
  start()
  must(await app.outbox.update(key, { exclude_bots: true, privacy: 2, password: 'pw' }))
  await clock.advance(120_000)
  expect(service.records.get('1')).toMatchObject({ exclude_bots: true, privacy: 2 })
  expect(app.edits()).toEqual([])
})

const record = (more: Partial<WebsiteRecord>): WebsiteRecord => ({ id: '1', domain: 'a.example', extra: {}, ...more })
const at = (time: string, email: boolean) => record({ updated_at: `2026-01-01T${time}Z`, email })

test.each([
  ['older by its time', true, at('10:00:05', true), null, at('10:00:00', false)],
  ['newer by its time', false, at('10:00:00', true), 1_000, at('10:00:05', false)],
  ['other than we wrote, in the same second', true, at('10:00:00', true), 1_000, at('10:00:00', false)],
  ['as we wrote it', false, record({ email: true }), 1_000, record({ email: true })],
  ['other than we wrote, without times', true, record({ email: true }), 1_000, record({ email: false })],
  ['other than we wrote, long enough after it', false, record({ email: true }), 10_001, record({ email: false })],
  ['other than was read, without times', false, record({ email: true }), null, record({ email: false })],
  ['with times that can’t be parsed', false, record({ updated_at: 'a' }), 1_000, record({ updated_at: 'b' })],
])('a read shows the record %s; stale: %s', (_, stale, known, writtenFor, read) => {
  expect(isStale({ record: known, writtenFor }, read)).toBe(stale)
})

test('does not judge a write with an empty answer by a read from before that write', async () => {
  const key = app.keyOf('there.example')
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  service.fail('update', { empty: true })
  const release = service.holdAnswer('update')
  must(await app.outbox.update(key, { email: true }))
  await settled()
  // The user sets the field back before the update is answered.
  must(await app.outbox.update(key, { email: false }))
  const { get } = service
  let reads = 0
  service.get = (id) =>
    reads++ === 0 ? Promise.resolve({ outcome: 'applied', value: before, meta: {} }) : get.call(service, id)
  release()
  await clock.advance(60_000)
  expect(service.records.get('1')).toMatchObject({ email: false })
  expect(app.edits()).toEqual([])
})

test('trusts a read at once if the write before it carried only write-only fields', async () => {
  service.touch = () => undefined
  const key = app.keyOf('there.example')
  service.fail('update', { empty: true })
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  await clock.advance(1_000)
  expect(app.edits()).toEqual([])
  expect(service.operations().slice(-2)).toEqual(['update', 'get'])
})

test('a stale list does not hide that the website has a password, on a host without times', async () => {
  service.touch = (touched) => void delete touched.updated_at
  delete service.records.get('1')?.updated_at
  must(await app.refresh.run())
  const key = app.keyOf('there.example')
  const before = { ...(service.records.get('1') ?? expect.fail('it is gone')) }
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await settled()
  must(await app.outbox.update(key, { privacy: before.privacy ?? 1 }))
  await settled()
  const now = service.records.get('1') ?? expect.fail('it is gone')
  now.password = true
  must(await app.outbox.update(key, { email: true }))
  await settled()
  service.records.set('1', { ...now, password: false })
  must(await app.refresh.run())
  expect(app.view.get(key)).toMatchObject({ password: true })
})
