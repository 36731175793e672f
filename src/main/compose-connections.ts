import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { composeConnection } from './compose-connection.ts'
import { createConnections } from './connection/connections.ts'
import type { RefreshConditions } from './connection/auto-refresh.ts'
import { createConnectionKey } from './connection/key.ts'
import type { Connections } from './connection/ports.ts'
import type { OpenConnection } from './connection/open-connection.ts'
import { createEmbeddedSample } from './connection/sample.ts'
import type { Pause } from './connectivity/pause.ts'
import type { Clock, Random } from './outbox/ports.ts'
import { startSampleService } from './sample/service.ts'
import { DRAFT_CONNECTION_ID, type ConnectionCertificates } from './network/identities.ts'
import { apiKeyEntry, forgetEntries } from './secrets/entries.ts'
import type { Keychain } from './secrets/keychain.ts'
import { createSealer } from './secrets/sealer.ts'
import { createService } from './service/client.ts'
import type { ServiceDispatcher } from './service/dispatcher.ts'
import type { AppStore } from './storage/app.ts'
import { EXTENSION } from './storage/connection-note.ts'
import { eraseStore } from './storage/store.ts'
import { checkOrRestoreInWorker } from './storage/prepare.ts'
import { createWorkerReader } from './worker.ts'

const SAMPLE_WEBSITES = 428

/** The objects that all connections share, and callbacks. */
export interface ComposeConnectionsOptions {
  /** Folder of the app's data. */
  folder: string
  /** The script of the worker that checks large database files. */
  prepareWorker: string
  /** The script of the worker that reads files of exported edits. */
  importWorker: string
  store: AppStore
  keychain: Keychain
  dispatcher: ServiceDispatcher
  identities: ConnectionCertificates
  pause: Pause
  clock: Clock
  refreshConditions: RefreshConditions
  onKeyState: () => void
  /** Called when a connection starts to run. The returned function is called when it stops. */
  onRun: (connection: OpenConnection) => () => void
  /** Called when the window shows another connection, or none, and when a file couldn't be opened or deleted. */
  onActive: (connection: OpenConnection | null) => void
}

const random: Random = { id: randomUUID, fraction: Math.random }

/** Returns the path of a connection's database. All files whose names begin with it are deleted together with it. */
export const connectionFileIn = (folder: string, id: string): string => join(folder, 'connections', id + EXTENSION)

export function composeConnections(options: ComposeConnectionsOptions): Connections {
  const { folder, store, keychain, dispatcher, identities, pause, clock } = options
  const fileOf = (id: string): string => connectionFileIn(folder, id)
  const sampleFile = join(folder, 'sample.jsonl')

  return createConnections({
    app: store,
    sample: createEmbeddedSample(
      () => startSampleService({ websites: SAMPLE_WEBSITES, file: sampleFile }),
      () => eraseStore(sampleFile),
    ),
    newId: randomUUID,
    service: (address, key, connection = DRAFT_CONNECTION_ID) =>
      createService({ address, key, dispatcher, identity: () => identities.load(connection) }),
    adoptNetwork: (by, keep) => identities.adoptDraft(by, keep),
    key: (connection) => createConnectionKey(keychain, connection, options.onKeyState),
    async open(record, key, service) {
      const file = fileOf(record.id)
      const hadData = store.connections().some(({ id }) => id === record.id)
      const prepared = await checkOrRestoreInWorker(options.prepareWorker, { file, kind: 'connection', hadData })
      if (!prepared.ok) return prepared
      const sealer = createSealer(keychain, record.id)
      const { refreshConditions } = options
      return composeConnection({
        record,
        key,
        service,
        file,
        sealer,
        pause,
        refreshConditions,
        clock,
        random,
        readImport: createWorkerReader(options.importWorker, 'bad-file'),
        keepDays: () => store.settings().activityDays,
      })
    },
    discard: ({ id }) => eraseStore(fileOf(id)),
    forgetSecrets(id) {
      identities.forget(id)
      return forgetEntries(keychain, id)
    },
    hasStoredKey: (id) => keychain.isRecorded(apiKeyEntry(id)),
    sweep: () => void keychain.sweep(),
    after: clock.after,
    onRun: options.onRun,
    onActive: options.onActive,
  })
}
