import { expect, test } from 'vitest'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

/** Tests which values of a record prove that a request in doubt was applied. */

useApp(() => service.add('there.example', { updated_at: '2026-01-01T00:00:00Z' }))

/** Loses our request. Before the app reads the website, another client sets some of the same values. */
async function lost(ours: WebsiteChanges, theirs: Partial<WebsiteRecord>): Promise<void> {
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation !== 'get') return
    service.before = () => {}
    service.touch(record(), theirs)
  }
  must(await app.outbox.update(existingKey(), ours))
  await settled()
}
const sent = () => service.received.filter(({ operation }) => operation === 'update').map(({ sent: form }) => form)

test('sends only the write-only values of a lost request again if another client has set its visible fields to the same values', async () => {
  await lost({ email: true, exclude_bots: false, exclude_params: ['ref'] }, { email: true, exclude_bots: false })
  await clock.advance(MINUTE)
  expect(sent().at(-1)).toEqual({ exclude_params: ['ref'] })
})

test('repairs what a lost request changes late, even if the request looked applied because another client had set the same values', async () => {
  await lost({ email: true, exclude_bots: false }, { email: true, exclude_bots: false })
  expect(app.edits()).toEqual([])
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  service.touch(record(), { email: true, exclude_bots: false })
  await clock.advance(12 * MINUTE)
  expect(record()).toMatchObject({ email: false, exclude_bots: false })
})

test('a line that only our request added proves that the whole request was applied', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'], exclude_params: ['ref'] }))
  await clock.advance(MINUTE)
  expect(sent()).toEqual([{ exclude_ips: ['10.0.0.1'], exclude_params: ['ref'] }])
})

test('an empty list does not prove that our request was applied, because another client may have cleared the list', async () => {
  service.touch(record(), { exclude_ips: ['10.0.0.1'] })
  must(await app.refresh.run())
  await lost({ exclude_ips: [], exclude_params: ['ref'] }, { exclude_ips: [] })
  await clock.advance(MINUTE)
  expect(sent().at(-1)).toEqual({ exclude_params: ['ref'] })
})

test('queues no repair of an applied value because of a stale list, on a host without times', async () => {
  const other = service.add('timeless.example')
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  const read = service.hold('get')
  must(await app.outbox.update(app.keyOf('timeless.example'), { email: true, exclude_params: ['ref'] }))
  await settled()
  read()
  await settled()
  Object.assign(other, { email: false })
  must(await app.refresh.run())
  Object.assign(other, { email: true })
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(other).toMatchObject({ email: true })
})

test('asks about a remote change that was made after a list had shown our request as applied', async () => {
  service.fail('update', { lost: 'answer' })
  const read = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'secret' }))
  await settled()
  must(await app.refresh.run())
  Object.assign(record(), { privacy: 1, password: false })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings: { privacy: 0 } }])
})

test('asks before it sends write-only values again over a remote change that was made after a list had shown the rest as applied', async () => {
  service.fail('update', { lost: 'answer' })
  const read = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true, exclude_params: ['ref'] }))
  await settled()
  must(await app.refresh.run())
  service.touch(record(), { exclude_bots: false })
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings: { exclude_params: ['ref'] } }])
})

test('asks before it sends write-only values if the read after an earlier change was the first to show remote changes', async () => {
  service.fail('update', { empty: true })
  const read = service.hold('get')
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_params: ['ref'] }))
  service.touch(record(), { privacy: 1, exclude_bots: false, updated_at: '2026-01-01T00:10:00Z' })
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', settings: { exclude_params: ['ref'] } }])
  expect(sent()).toEqual([{ privacy: 0 }])
})

test('sends write-only values without asking after an earlier change of email alone that the service did not keep', async () => {
  service.fail('update', { empty: true })
  const read = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_params: ['ref'] }))
  service.touch(record(), { email: false, updated_at: '2026-01-01T00:10:00Z' })
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(sent().at(-1)).toEqual({ exclude_params: ['ref'] })
})

test('sends write-only values without asking after an earlier change of write-only fields alone, which no read can show', async () => {
  service.fail('update', { empty: true })
  const read = service.hold('get')
  must(await app.outbox.update(existingKey(), { exclude_params: ['first'] }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_params: ['second'] }))
  service.touch(record(), { updated_at: '2026-01-01T00:10:00Z' })
  read()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(sent().at(-1)).toEqual({ exclude_params: ['second'] })
})
