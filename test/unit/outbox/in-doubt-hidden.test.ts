import { expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, service, addSharedWebsite, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

test('sends an update of a write-only field again after a lost answer', async () => {
  const key = await addSharedWebsite()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['update', 'get', 'get', 'update'])
})

test('does not report a write-only value as sent that the user discards, even if the other fields of its update were applied', async () => {
  const key = await addSharedWebsite()
  const others: Partial<WebsiteRecord>[] = [
    { email: true, updated_at: 'then' },
    { exclude_bots: false, updated_at: 'later' },
  ]
  service.before = (operation) => {
    const change = operation === 'get' ? others[service.updates().length - 1] : undefined
    if (change !== undefined) service.touch(service.records.get('1') ?? expect.fail('it is gone'), change)
  }
  service.fail('update', { lost: 'request' })
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_params: ['ref'] }))
  await settled()
  must(await app.outbox.update(key, { privacy: 2 }))
  await clock.advance(MINUTE)
  const [parked] = app.edits()
  must(await app.outbox.resolve(parked?.id ?? '', { way: 'units', units: { exclude_params: 'theirs' } }))
  await clock.advance(MINUTE)
  expect(service.updates()).toHaveLength(3)
  expect(app.history().map(({ became, settings }) => ({ became, settings }))).toEqual([
    { became: 'sent', settings: { email: true, privacy: 2 } },
  ])
})

test('sends a password again without asking if its privacy was applied', async () => {
  const key = await addSharedWebsite()
  Object.assign(service.records.get('1') ?? {}, { updated_at: '1' })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['update', 'update'])
})

test('asks before it sends a password again if one read has shown the privacy that was sent with it, and a later read another privacy', async () => {
  const key = await addSharedWebsite()
  const record = service.records.get('1') ?? expect.fail('it is gone')
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await settled()
  expect(service.operations()).toEqual(['update', 'get'])
  // Another client sets the privacy back. The service has no times.
  Object.assign(record, { privacy: 1, password: false })
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['update'])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('asks nothing about a password if only our own earlier request in doubt changed its privacy', async () => {
  service.add('a.example', { privacy: 2, password: true, updated_at: '1' })
  must(await app.refresh.run())
  service.received.length = 0
  const key = app.keyOf('a.example')
  service.fail('update', { lost: 'answer' })
  service.fail('update', { lost: 'answer' })
  service.after = (operation) => {
    const record = service.records.get('1')
    if (operation === 'update' && record !== undefined) service.touch(record, {})
  }
  must(await app.outbox.update(key, { privacy: 1, exclude_params: ['ref'] }))
  await clock.advance(2_100)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff' }])
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['update', 'update', 'update'])
})

test('asks before it sends a password again if another client has set another privacy since the first request', async () => {
  service.add('a.example', { privacy: 2, password: true, updated_at: '1' })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  service.after = (operation) => {
    const record = service.records.get('1')
    if (operation === 'update' && record !== undefined) service.touch(record, { privacy: 1 })
  }
  must(await app.outbox.update(app.keyOf('a.example'), { privacy: 2, password: 'secret', exclude_bots: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } },
  ])
  expect(service.records.get('1')).toMatchObject({ privacy: 1, exclude_bots: false })
})
