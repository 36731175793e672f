import { onTestFinished } from 'vitest'
import type { RefreshConditions } from '../../../src/main/connection/auto-refresh.ts'
import { wireConnection } from '../../../src/main/compose-connection.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createPause, type Pause } from '../../../src/main/connectivity/pause.ts'
import { createKeychain } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, random } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

export function noKeychain() {
  const app = must(openAppStore(':memory:'))
  onTestFinished(() => app.close())
  const load = () => Promise.reject(new Error('There is none.'))
  return createKeychain({ load, service: 'test', records: app.keychainRecords })
}

/** Returns a connection to a simulated service, before its start. `accountId`: as known when the connection was added. */
export async function unstartedConnection(
  paused: boolean | Pause,
  refreshConditions: RefreshConditions = noBackgroundRefresh,
  accountId: string | null = '1',
) {
  const keychain = noKeychain()
  const key = createConnectionKey(keychain, 'c', () => undefined)
  must(await key.replace(new Secret('a'), 'run'))
  const service = new SimulatedService()
  const clock = fakeClock()
  const pause = typeof paused === 'boolean' ? createPause(paused) : paused
  const connection = wireConnection(must(openStore(':memory:')), {
    record: { id: 'c', address: 'https://a.example', accountId, name: 'a', sample: false },
    ...{ key, service, pause, clock, random },
    sealer: createSealer(keychain, 'c'),
    readImport: readHere,
    refreshConditions,
    keepDays: () => 365,
  })
  const edits = () => must(connection.outbox.list({ page: 1, per_page: 10 })).edits
  return { ...connection, service, clock, pause, edits }
}
