import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { wireConnection } from '../../src/main/compose-connection.ts'
import type { Connections } from '../../src/main/connection/connections.ts'
import { createConnectionKey } from '../../src/main/connection/key.ts'
import type { OpenConnection } from '../../src/main/connection/open.ts'
import { createPause, type Pause } from '../../src/main/connectivity/pause.ts'
import type { Clock } from '../../src/main/outbox/ports.ts'
import { Secret } from '../../src/main/secrets/secret.ts'
import { createSealer } from '../../src/main/secrets/sealer.ts'
import { createServiceOver } from '../../src/main/service/client.ts'
import type { Service } from '../../src/main/service/port.ts'
import { newId } from '../../src/main/storage/new-id.ts'
import { openStore, type ConnectionStore } from '../../src/main/storage/store.ts'
import type { Result } from '../../src/shared/result.ts'
import { listQuerySchema } from '../../src/shared/website.ts'
import { ModelKeychain } from '../model/keychain.ts'

/** A folder of this run's own, on the disk that holds the system's temporary files; `end` takes it away. */
export function temporaryFolder(): { folder: string; end: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-bench-'))
  return { folder, end: () => rmSync(folder, { recursive: true, force: true }) }
}

export const clock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  soon(call) {
    const turn = setImmediate(call)
    return () => clearImmediate(turn)
  },
}

export interface BenchConnection {
  connection: OpenConnection
  store: ConnectionStore
  pause: Pause
  /** As the handlers of the bridge ask for it. */
  connections: Connections
}

/** The app's own connection over a file in `folder`, a new one without `file`; `service` where requests are to be answered. */
export async function openConnection(
  folder: string,
  { service, file = `${randomUUID()}.sqlite` }: { service?: (key: () => Secret | null) => Service; file?: string } = {},
): Promise<BenchConnection> {
  const store = must(openStore(join(folder, file)))
  const keychain = new ModelKeychain()
  const record = { id: 'connection', address: 'https://service.invalid', accountId: '1', name: 'Ada', sample: false }
  await keychain.set('connection:api-key', new Secret('key'))
  const key = createConnectionKey(keychain, record.id, () => undefined)
  await key.load()
  const pause = createPause(service === undefined)
  const connection = wireConnection(store, {
    record,
    key,
    service:
      service?.(() => key.current()) ??
      createServiceOver(
        () => Promise.reject(new Error('Nothing is sent.')),
        () => null,
      ),
    sealer: createSealer(keychain, record.id),
    pause,
    clock,
    random: { id: newId, fraction: Math.random },
  })
  return { connection, store, pause, connections: { active: () => connection } as unknown as Connections }
}

/** Puts websites into the replica, as a refresh does, and answers their keys, the oldest first. */
export function fill({ store, connection }: BenchConnection, count: number): string[] {
  const run = must(store.beginRun())
  for (let from = 0; from < count; from += 100) {
    const websites = Array.from({ length: Math.min(100, count - from) }, (_, n) => website(from + n))
    must(store.savePage({ run, mark: store.mark(), position: from, websites }))
  }
  must(store.completeRun(run, 0))
  return keysOf({ connection }, count)
}

/** The keys of websites in the replica, the oldest first. */
export function keysOf({ connection }: Pick<BenchConnection, 'connection'>, count: number): string[] {
  const keys: string[] = []
  for (let page = 1; keys.length < count; page++) {
    const query = { ...listQuerySchema.parse({ per_page: 100, sort: 'asc' }), page }
    keys.push(...must(connection.view.list(query)).websites.map(({ key }) => key))
  }
  return keys
}

/** A record as the service answers it, with lists of the length that people have. */
export const website = (n: number) => ({
  id: String(n + 1),
  domain: `website-${n}.example`,
  privacy: 1 as const,
  email: false,
  exclude_bots: true,
  exclude_ips: ['192.0.2.1', '198.51.100.0/24'],
  exclude_params: ['utm_source', 'fbclid'],
  extra: {},
})

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
