import { expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, service, shared, useApp } from './rig-app.ts'

useApp(undefined, { onDisk: true })

test('an update of a field that the service never shows is sent again after a doubt', async () => {
  const key = await shared()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.operations()).toEqual(['update', 'get', 'get', 'update'])
})

test('nor is it told as sent where the user gives it up, though what went with it is there', async () => {
  const key = await shared()
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
  const [asked] = app.edits()
  must(await app.outbox.resolve(asked?.id ?? '', { way: 'units', units: { exclude_params: 'theirs' } }))
  await clock.advance(MINUTE)
  expect(service.updates()).toHaveLength(3)
  expect(app.history().map(({ became, settings }) => ({ became, settings }))).toEqual([
    { became: 'sent', settings: { email: true, privacy: 2 } },
  ])
})

test('a password that has arrived with its privacy is sent again without asking', async () => {
  const key = await shared()
  Object.assign(service.records.get('1') ?? {}, { updated_at: '1' })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['update', 'update'])
})

test('a password is not sent again over another privacy that somebody has set since', async () => {
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
