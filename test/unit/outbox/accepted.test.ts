import { expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp()

const CREATED = '2026-01-01T00:01:00Z'

/** Before the answer that was empty is read back, another client deletes the website and makes one of its own in its place. */
function anotherTakesItsPlace(more: Partial<WebsiteRecord> = {}): void {
  service.fail('create', { empty: true })
  service.before = (operation) => {
    if (operation !== 'list') return
    service.before = () => {}
    service.records.clear()
    service.add('a.example', { created_at: CREATED, updated_at: CREATED, ...more })
  }
}

test('of a create that was accepted with nothing, and isn’t found as it was sent, what can’t be seen is sent once more', async () => {
  anotherTakesItsPlace({ exclude_bots: false })
  const key = must(await app.outbox.create(draft('a.example', { exclude_params: ['ref'] })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }])
  expect(app.view.get(key)).toMatchObject({ id: '2', state: 'synced', exclude_bots: false })
  expect(app.history()).toMatchObject([
    { kind: 'update', became: 'sent', settings: { exclude_params: ['ref'] } },
    { kind: 'create', became: 'sent', ignored: { exclude_bots: false } },
  ])
})

test('its password as well, where one counts there; what can be seen stays as it is', async () => {
  anotherTakesItsPlace({ privacy: 2, password: true, email: true })
  must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ privacy: 2, password: 'secret' }])
})

test('no password is set where another privacy is found', async () => {
  anotherTakesItsPlace({ privacy: 0 })
  must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([])
  expect(app.history()).toMatchObject([{ kind: 'create', ignored: { privacy: 0 } }])
})

test('changed since it was made, it’s asked about before anything is sent over that', async () => {
  anotherTakesItsPlace({ exclude_bots: false, updated_at: '2026-01-01T00:02:00Z' })
  must(await app.outbox.create(draft('a.example', { exclude_params: ['ref'] })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([
    { kind: 'update', state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'exclude_params' }] } },
  ])
})

test('found as it was sent, it’s done', async () => {
  service.fail('create', { empty: true })
  const key = must(await app.outbox.create(draft('a.example', { exclude_params: ['ref'] })))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('found after an earlier request of it has landed in its place, what that didn’t carry is sent once more', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  // A read that is not too early has shown that it is not there.
  await clock.advance(2_000)
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  anotherTakesItsPlace({ privacy: 2, password: true })
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }])
})
