import { copyFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { MINUTE, settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, file, record, service, start, existingKey, useApp } from './rig-app.ts'

/** The `updated_at` of there.example before the first edit. */
const TIME = '2026-01-01T00:00:00Z'

/** Tests edits from a backup, which may have been sent since the backup (docs/sync.md#damaged-database). */
useApp(
  () => {
    service.add('there.example', { updated_at: TIME })
    service.add('timeless.example')
  },
  { onDisk: true },
)

async function backedUpThenSent(): Promise<void> {
  must(await app.store.backUp())
  await app.online(MINUTE)
  expect(app.edits()).toEqual([])
}

/** Damages the file, and starts the app, which restores the backup. Lets two minutes pass online. */
async function restored(): Promise<void> {
  await app.close()
  writeFileSync(file(), 'no database at all'.repeat(1000))
  must(checkOrRestoreFile({ file: file(), kind: 'connection', hadData: true }))
  service.unreachable = false
  service.received.length = 0
  start()
  void app.refresh.run()
  await clock.advance(2 * MINUTE)
}

const timeless = () => app.keyOf('timeless.example')

test('settles a restored update by a read if it was applied, and sends nothing', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  await backedUpThenSent()
  await restored()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'sent', settings: { email: true } }])
  expect(app.store.salvaged()).toMatchObject({ why: 'damaged', edits: 1 })
})

test('parks a restored update that would revert a value that was acknowledged after the backup', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true, privacy: 0 }))
  await backedUpThenSent()
  must(await app.outbox.update(existingKey(), { email: false }))
  await app.online(MINUTE)
  await restored()
  expect(service.writes()).toEqual([])
  expect(record()).toMatchObject({ email: false, privacy: 0 })
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'restored', can: { sendNow: true, discard: true } }])
  await clock.advance(30 * MINUTE)
  expect(service.writes()).toEqual([])
})

test('sends a restored update if nothing was written to its website since the user saw it', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.store.backUp())
  await restored()
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.edits()).toEqual([])
})

test('parks a restored update if the service shows no times or does not show the field', async () => {
  await app.offline()
  must(await app.outbox.update(timeless(), { email: true }))
  must(await app.outbox.update(existingKey(), { exclude_params: ['utm'] }))
  must(await app.store.backUp())
  await app.online(MINUTE)
  must(await app.outbox.update(existingKey(), { exclude_params: ['ref'] }))
  must(await app.outbox.update(timeless(), { email: false }))
  await clock.advance(MINUTE)
  await restored()
  expect(service.writes()).toEqual([])
  expect(app.edits().map(({ domain, state, reason }) => [domain, state, reason])).toEqual([
    ['timeless.example', 'parked', 'restored'],
    ['there.example', 'parked', 'restored'],
  ])
})

test('lets the user send or discard a parked restored edit', async () => {
  await app.offline()
  must(await app.outbox.update(timeless(), { email: true }))
  must(await app.store.backUp())
  await restored()
  const [edit] = app.edits()
  expect(edit).toMatchObject({ reason: 'restored' })
  // The edit is now like any other: a lost request is sent again.
  service.fail('update', { lost: 'request' })
  must(app.outbox.sendNow(edit?.id))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ email: true }, { email: true }])
  expect(app.edits()).toEqual([])

  await app.offline()
  must(await app.outbox.update(timeless(), { exclude_bots: false }))
  must(await app.store.backUp())
  await restored()
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.get('2')).toMatchObject({ exclude_bots: true })
})

test('never sends a restored create without asking: after the backup, it may have been applied and its website deleted', async () => {
  await app.offline()
  must(await app.outbox.create(draft('gone.example')))
  must(await app.outbox.create(draft('made.example')))
  await backedUpThenSent()
  must(await app.outbox.delete(app.keyOf('gone.example')))
  await clock.advance(MINUTE)
  await restored()
  expect(service.writes()).toEqual([])
  expect(service.domains().filter((domain) => domain === 'made.example')).toHaveLength(1)
  expect(app.edits().map(({ domain, reason }) => [domain, reason])).toEqual([
    ['gone.example', 'restored'],
    ['made.example', 'adopt'],
  ])
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
})

test('does not send a restored create that had been parked for the website limit: it may have been sent since the backup', async () => {
  service.before = (operation) => {
    if (operation === 'create')
      service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  }
  must(await app.outbox.create(draft('full.example')))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'website-limit' }])
  must(await app.store.backUp())
  service.before = () => undefined
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(MINUTE)
  must(await app.outbox.delete(app.keyOf('full.example')))
  await clock.advance(MINUTE)
  await restored()
  must(await app.outbox.delete(existingKey()))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['delete'])
  expect(app.edits()).toMatchObject([{ domain: 'full.example', state: 'parked', reason: 'restored' }])
})

test('finishes a restored delete that was applied, and asks about one that was not', async () => {
  await app.offline()
  must(await app.outbox.delete(existingKey()))
  await backedUpThenSent()
  await restored()
  expect(app.edits()).toEqual([])

  await app.offline()
  must(await app.outbox.delete(timeless()))
  must(await app.store.backUp())
  await restored()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'restored' }])
})

test('asks for a password that is not in the backup before it sends the edit', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'secret' }))
  must(await app.store.backUp())
  await restored()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'password' }])
})

test('a stale read right after the restore does not lead the app to send a restored update', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.store.backUp())
  await app.close()
  copyFileSync(file(), file('before.db'))
  // The service has applied the update, but reads are stale for a moment.
  const before = { ...record() }
  service.touch(record(), { email: true, privacy: 0 })
  const { get } = service
  const until = clock.monotonic() + 1_500
  service.get = async (id) =>
    clock.monotonic() < until ? { outcome: 'applied', value: { ...before }, meta: {} } : get(id)
  start('before.db')
  await restored()
  expect(service.writes()).toEqual([])
  expect(record()).toMatchObject({ email: true, privacy: 0 })
  await settled()
})
