import { expect, onTestFinished, test } from 'vitest'
import { settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { unstartedConnection } from './wired.ts'

async function start(paused: boolean) {
  const connection = await unstartedConnection(paused)
  connection.start()
  onTestFinished(() => connection.close())
  return connection
}

test('a pause sends no edit, not even with Send now, but still refreshes when the user asks for it', async () => {
  const { outbox, refresh, service, clock, edits } = await start(true)
  service.add('theirs.example')
  must(await outbox.create(draft('mine.example')))
  must(outbox.sendNow())
  must(await refresh.run())
  await clock.advance(60 * 60_000)
  expect(service.domains()).toEqual(['theirs.example'])
  expect(service.received.map(({ operation }) => operation)).toContain('list')
  expect(edits()).toMatchObject([{ state: 'held', reason: 'paused', nextAt: null, can: { sendNow: false } }])
})

test('the end of a pause sends the queued edits at once and notifies the listeners', async () => {
  const { outbox, service, pause, edits } = await start(true)
  must(await outbox.create(draft('mine.example')))
  await settled()
  let notified = 0
  outbox.onChange(() => (notified += 1))
  pause.set(false)
  await expect.poll(() => service.domains()).toEqual(['mine.example'])
  await expect.poll(edits).toEqual([])
  expect(notified).toBeGreaterThan(0)
})

test('an edit in doubt is not sent again until the pause ends', async () => {
  const { outbox, service, clock, pause, edits } = await start(false)
  service.fail('create', { lost: 'request' })
  let reached = () => {}
  const sending = new Promise<void>((resolve) => (reached = resolve))
  service.before = (operation) => (operation === 'create' ? reached() : undefined)
  must(await outbox.create(draft('mine.example')))
  await sending
  pause.set(true)
  await clock.advance(60 * 60_000)
  expect(service.writes()).toEqual(['create'])
  expect(edits()).toHaveLength(1)
  pause.set(false)
  await clock.advance(60 * 60_000)
  expect(service.domains()).toEqual(['mine.example'])
  expect(edits()).toEqual([])
})

/** Queues two edits, and starts to send the first one. The service answers it once `release` is called. */
async function startSending() {
  const started = await start(true)
  const { outbox, service, pause, edits } = started
  for (const domain of ['a.example', 'b.example']) must(await outbox.create(draft(domain)))
  let release = () => {}
  service.after = (operation) => (operation === 'create' ? new Promise((resolve) => (release = resolve)) : undefined)
  pause.set(false)
  await expect.poll(() => edits().map(({ state }) => state)).toContain('sending')
  return { ...started, release: () => release() }
}

test('a pause lets the request that is being sent finish, and sends no further request', async () => {
  const { outbox, service, pause, edits, release } = await startSending()
  pause.set(true)
  let rests = false
  const resting = outbox.atRest().then(() => (rests = true))
  await settled()
  expect(rests).toBe(false)
  release()
  await resting
  expect(service.domains()).toEqual(['a.example'])
  expect(edits()).toMatchObject([{ state: 'held', reason: 'paused' }])
})

test('a hold for a restart stays on, whatever the user sets the pause to', async () => {
  const { outbox, service, pause, edits, release } = await startSending()
  pause.hold()
  const resting = outbox.atRest()
  // Saving any setting also calls `set`, with the current value.
  pause.set(true)
  pause.set(false)
  release()
  await resting
  expect(service.domains()).toEqual(['a.example'])
  expect(edits()).toMatchObject([{ state: 'held', reason: 'paused' }])
  expect(pause.isOn()).toBe(true)
  // The user sees the pause that the user has set, not the hold.
  expect(pause.isSet()).toBe(false)
})
