import { expect, onTestFinished, test } from 'vitest'
import { wireConnection } from '../../../src/main/compose-connection.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { createKeychain } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { readHere } from '../../read-here.ts'
import { fakeClock, settled } from '../outbox/clock.ts'
import { draft, must, random } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

async function start(paused: boolean) {
  const app = must(openAppStore(':memory:'))
  const load = () => Promise.reject(new Error('There is none.'))
  const keychain = createKeychain({ load, service: 'test', records: app.keychainRecords })
  const key = createConnectionKey(keychain, 'c', () => undefined)
  must(await key.replace(new Secret('a'), 'run'))
  const service = new SimulatedService()
  const clock = fakeClock()
  const pause = createPause(paused)
  const connection = wireConnection(must(openStore(':memory:')), {
    record: { id: 'c', address: 'https://a.example', accountId: '1', name: 'a', sample: false },
    ...{ key, service, pause, clock, random },
    sealer: createSealer(keychain, 'c'),
    readImport: readHere,
  })
  connection.start()
  onTestFinished(async () => {
    await connection.close()
    app.close()
  })
  const edits = () => must(connection.outbox.list({ page: 1, per_page: 10 })).edits
  return { ...connection, service, clock, pause, edits }
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
