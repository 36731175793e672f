import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeConnection } from '../../../src/main/compose-connection.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { databaseFolder } from '../../database-folder.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import { fakeClock, settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { client, dispatching } from '../service/host.ts'
import { silentServer } from '../service/proxies.ts'
import { noKeychain, unstartedConnection } from './wired.ts'

test('closing a connection does not wait for a request that is still connecting', async () => {
  const folder = databaseFolder('siteward-closing-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const keychain = noKeychain()
  const silent = await silentServer()
  const address = `https://127.0.0.1:${String(silent.port)}`
  const opened = composeConnection({
    record: { id: 'c', address, accountId: null, name: address, sample: false },
    key: createConnectionKey(keychain, 'c', () => undefined),
    service: client({ address, dispatcher: dispatching({ connectTimeout: 300 }) }),
    file: join(folder, 'c.db'),
    sealer: createSealer(keychain, 'c'),
    readImport: readHere,
    refreshConditions: noBackgroundRefresh,
    keepDays: () => 365,
    pause: createPause(false),
    clock: fakeClock(),
    random: { id: () => 'edit', fraction: () => 0 },
  })
  if (!opened.ok) throw new Error(opened.error.code)

  const run = opened.value.refresh.run()
  await expect.poll(silent.open).toBeGreaterThan(0)
  await opened.value.close()
  expect(await run).toMatchObject({ ok: false, error: { code: 'no-connection' } })
  await expect.poll(silent.open).toBe(0)
  expect(silent.bytes()).not.toContain('websites')
})

test('a closed connection no longer probes a service that can’t be reached', async () => {
  const { service, clock, ...connection } = await unstartedConnection(false)
  connection.reach.setWaiting('window', true)
  service.before = (operation) => (operation === 'create' ? new Promise(() => {}) : undefined)
  connection.start()
  must(await connection.outbox.create(draft('a.example')))
  await settled()
  service.unreachable = true
  connection.reach.hint(false)
  await settled()
  expect(connection.reach.state().state).toBe('offline')
  // The next probe of the service, and the backup ten minutes after the change.
  expect(clock.timers()).toBe(2)

  const closing = connection.close()
  await settled()
  // The time limit of the create, which is still unanswered.
  expect(clock.timers()).toBe(1)
  await clock.advance(5 * 60_000)
  await closing
  expect(clock.timers()).toBe(0)
})
