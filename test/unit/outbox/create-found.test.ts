import { expect, test } from 'vitest'
import type { WebsiteDraft } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp()

/** Loses the answer to a create. Another client then changes the website. `find` lets the app find the website. */
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

/** A time after the create. As `updated_at`, it shows that the website was changed since. */
const LATER = '2026-01-01T00:01:00Z'

test.each([
  ['without write-only values', {}],
  ['with write-only values that would be sent again', { exclude_params: ['ref'] }],
])(
  'asks before it deletes a website that another client changed while its create was in doubt, %s',
  async (_, more) => {
    const { key, find } = await createdAndChanged(LATER, more)
    must(await app.outbox.delete(key))
    find()
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual(['create'])
    expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
  },
)

test('asks before it sends write-only values over remote changes to the website of a create in doubt', async () => {
  const { key, find } = await createdAndChanged(LATER)
  must(await app.outbox.update(key, { exclude_params: ['ref'] }))
  find()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'conflict' }])
})

test('counts a created website as unchanged if the service writes the time of creation in another format, with a fraction of a second', async () => {
  const { key, find } = await createdAndChanged('2026-01-01T00:00:00.500+00:00')
  must(await app.outbox.delete(key))
  find()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create', 'delete'])
})
