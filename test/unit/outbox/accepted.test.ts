import { expect, test } from 'vitest'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp()

/** The `created_at` of a website that replaces ours. */
const CREATED = '2026-01-01T00:01:00Z'

/** The service answers the next create with an empty body. Before the app reads the website, another client replaces it. */
function anotherTakesItsPlace(more: Partial<WebsiteRecord> = {}): void {
  service.fail('create', { empty: true })
  service.before = (operation) => {
    if (operation !== 'list') return
    service.before = () => {}
    service.records.clear()
    service.add('a.example', { created_at: CREATED, updated_at: CREATED, ...more })
  }
}

test('sends the write-only values of a create again if the service answered with an empty body and the website then shows another visible value', async () => {
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

test('after a create with an empty answer, sends the privacy and the password again if the website is found with the privacy “Password”, but no other visible value', async () => {
  anotherTakesItsPlace({ privacy: 2, password: true, email: true })
  must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ privacy: 2, password: 'secret' }])
})

test('does not send the password of an accepted create again if the website is found with another privacy', async () => {
  anotherTakesItsPlace({ privacy: 0 })
  must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([])
  expect(app.history()).toMatchObject([{ kind: 'create', ignored: { privacy: 0 } }])
})

test('asks before it sends the write-only values of an accepted create again if the website was changed since it was created', async () => {
  anotherTakesItsPlace({ exclude_bots: false, updated_at: '2026-01-01T00:02:00Z' })
  must(await app.outbox.create(draft('a.example', { exclude_params: ['ref'] })))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([
    { kind: 'update', state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'exclude_params' }] } },
  ])
})

test('sends nothing after a create with an empty answer if the website is found as it was sent', async () => {
  service.fail('create', { empty: true })
  const key = must(await app.outbox.create(draft('a.example', { exclude_params: ['ref'] })))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced' })
})

test('sends only the write-only values that were added after the first request of a create if that request may have created the website', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('a.example', { privacy: 2, password: 'secret' })))
  // Two seconds after the lost request, a read has shown that the website does not exist.
  await clock.advance(2_000)
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  anotherTakesItsPlace({ privacy: 2, password: true })
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }])
})
