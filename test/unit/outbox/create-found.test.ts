import { expect, test } from 'vitest'
import type { WebsiteDraft } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp()

/** Changes write-only values of a create in doubt before it is found. Returns its key. */
async function createdAndChanged(
  updated_at: string,
  more: Partial<WebsiteDraft> = {},
): Promise<{ key: string; find: () => void }> {
  const { list } = service
  let find = () => {}
  service.fail('create', { lost: 'answer' })
  service.list = async (query) => {
    await new Promise<void>((resolve) => (find = resolve))
    service.list = list
    return list(query)
  }
  const key = must(await app.outbox.create(draft('a.example', more)))
  await settled()
  Object.assign(service.records.get('1') ?? {}, { updated_at })
  return { key, find: () => find() }
}

const LATER = '2026-01-01T00:01:00Z'

test.each([
  ['and is asked about before it’s deleted', {}],
  ['also where something of it would have been sent once more', { exclude_params: ['ref'] }],
])('does not count remote changes of a create in doubt as its own, %s', async (_, more) => {
  const { key, find } = await createdAndChanged(LATER, more)
  must(await app.outbox.delete(key))
  find()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('sends no write-only values over remote changes of a create in doubt without asking', async () => {
  const { key, find } = await createdAndChanged(LATER)
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  find()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'conflict' }])
})

test('counts a website as unchanged if the service writes the same second in another format', async () => {
  const { key, find } = await createdAndChanged('2026-01-01T00:00:00.500+00:00')
  must(await app.outbox.delete(key))
  find()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create', 'delete'])
})
