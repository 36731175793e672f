import { expect, onTestFinished, test } from 'vitest'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { draft, must } from '../outbox/rig.ts'
import { unstartedConnection } from './wired.ts'

const MINUTE = 60_000

/** Returns a connection that has read 100 websites and begins to send a change of each. */
async function startDelivery() {
  const connection = await unstartedConnection(false)
  const { outbox, refresh, view, service, clock, autoRefresh } = connection
  onTestFinished(() => connection.close())
  for (let n = 0; n < 100; n++) service.add(`site-${String(n)}.example`)
  must(await refresh.run())
  const { websites } = must(view.list({ ...listQuerySchema.parse({ per_page: 100 }), page: 1 }))
  for (const { key } of websites) must(await outbox.update(key, { email: true }))
  connection.start()
  autoRefresh.setShown(true)
  await clock.advance(MINUTE / 2)
  service.add('elsewhere.example')
  return { ...connection, isRead: () => view.total() === 101 }
}

test('a refresh that the user asks for reads the list within a minute, although a delivery uses its share of the rate limit', async () => {
  const { refresh, clock, edits, isRead } = await startDelivery()
  const answering = refresh.request()
  expect(isRead()).toBe(false)
  await clock.advance(MINUTE)
  expect(isRead()).toBe(true)
  expect(refresh.state()).toMatchObject({ ended: answering, error: null })
  expect(edits()).not.toEqual([])
  await clock.advance(5 * MINUTE)
  expect(edits()).toEqual([])
})

test('reads the list for the first time within a minute, although a delivery uses its share of the rate limit', async () => {
  const { outbox, service, clock, autoRefresh, view, edits, ...connection } = await unstartedConnection(false)
  onTestFinished(() => connection.close())
  for (let n = 0; n < 200; n++) must(await outbox.create(draft(`new-${String(n)}.example`)))
  connection.start()
  await clock.advance(MINUTE / 2)
  service.add('elsewhere.example')
  autoRefresh.setShown(true)
  await clock.advance(MINUTE)
  expect(connection.refresh.state()).toMatchObject({ seenAt: expect.any(Number) as number, error: null })
  expect(view.total()).toBe(201)
  expect(edits()).not.toEqual([])
})
