import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeConnection } from '../../../src/main/compose-connection.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createKeychain } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'
import { fakeClock } from '../outbox/clock.ts'
import { client } from '../service/host.ts'
import { silentServer } from '../service/proxies.ts'

test('a connection that is closed waits for nobody who is still connecting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-closing-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const app = openAppStore(join(folder, 'app.sqlite'))
  if (!app.ok) throw new Error(app.error.code)
  onTestFinished(() => app.value.close())
  const keychain = createKeychain({
    load: () => Promise.reject(new Error('There is none.')),
    service: 'test',
    records: app.value.keychainRecords,
  })
  const silent = await silentServer()
  const address = `https://127.0.0.1:${String(silent.port)}`
  const opened = composeConnection({
    record: { id: 'c', address, accountId: null, name: address, sample: false },
    key: createConnectionKey(keychain, 'c', () => undefined),
    service: client({ address }),
    file: join(folder, 'c.sqlite'),
    sealer: createSealer(keychain, 'c'),
    clock: fakeClock(),
    random: { id: () => 'edit', fraction: () => 0 },
  })
  if (!opened.ok) throw new Error(opened.error.code)

  const run = opened.value.refresh.run()
  await expect.poll(silent.open).toBeGreaterThan(0)
  await opened.value.close()
  await expect.poll(silent.open).toBe(0)
  expect(await run).toMatchObject({ ok: false, error: { code: 'no-connection' } })
  expect(silent.heard()).not.toContain('websites')
})
