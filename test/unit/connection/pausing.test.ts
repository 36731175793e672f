import { expect, onTestFinished, test } from 'vitest'
import { settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { wired } from './wired.ts'

async function start(paused: boolean) {
  const connection = await wired(paused)
  connection.start()
  onTestFinished(() => connection.close())
  return connection
}

test('while sending is paused nothing is sent, not even by Send now, and reading goes on', async () => {
  const { outbox, refresh, service, clock, edits } = await start(true)
  service.add('theirs.example')
  must(await outbox.create(draft('mine.example')))
  must(outbox.sendNow())
  must(await refresh.run())
  await clock.advance(60 * 60_000)
  expect(service.domains()).toEqual(['theirs.example'])
  expect(service.asked.map(({ operation }) => operation)).toContain('list')
  expect(edits()).toMatchObject([{ state: 'held', reason: 'paused', nextAt: null, can: { sendNow: false } }])
})

test('resumed, what waited is sent at once, and whoever listens is told', async () => {
  const { outbox, service, pause, edits } = await start(true)
  must(await outbox.create(draft('mine.example')))
  await settled()
  let told = 0
  outbox.onChange(() => (told += 1))
  pause.set(false)
  await expect.poll(() => service.domains()).toEqual(['mine.example'])
  await expect.poll(edits).toEqual([])
  expect(told).toBeGreaterThan(0)
})

test('an edit in doubt isn’t sent again while paused', async () => {
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

/** The first of two is on its way, and is answered once it's released. */
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

test('paused in the middle of a delivery it comes to rest when the request that is under way has its answer', async () => {
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

test('held for a restart it stays at rest, whatever is set meanwhile', async () => {
  const { outbox, service, pause, edits, release } = await startSending()
  pause.hold()
  const resting = outbox.atRest()
  // As any setting that is changed says it anew.
  pause.set(true)
  pause.set(false)
  release()
  await resting
  expect(service.domains()).toEqual(['a.example'])
  expect(edits()).toMatchObject([{ state: 'held', reason: 'paused' }])
  expect(pause.isOn()).toBe(true)
  // The person is told of what they have set, and can set it.
  expect(pause.isSet()).toBe(false)
})
