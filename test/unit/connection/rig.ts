import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { composeConnection } from '../../../src/main/compose-connection.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { createConnections, type Connections } from '../../../src/main/connection/connections.ts'
import { createConnectionKey, type ConnectionKey } from '../../../src/main/connection/key.ts'
import { createEmbeddedSample } from '../../../src/main/connection/sample.ts'
import { startSampleService } from '../../../src/main/sample/service.ts'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { apiKeyEntry, forgetEntries } from '../../../src/main/secrets/entries.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import {
  createConnectionCertificates,
  DRAFT_CONNECTION_ID,
  type ConnectionCertificates,
} from '../../../src/main/network/identities.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher, type ServiceDispatcher } from '../../../src/main/service/dispatcher.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { eraseStore } from '../../../src/main/storage/store.ts'
import { openAppStore, type AppStore } from '../../../src/main/storage/app.ts'
import type { ConnectionView } from '../../../src/shared/connection.ts'
import type { WebsiteDraft } from '../../../src/shared/website.ts'
import { databaseFolder } from '../../database-folder.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import { draft } from '../draft.ts'
import { startHost, type Account, type Host } from './hosts.ts'

/**
 * A keychain in memory. The tests in secrets/ use a real one.
 * `at.refuses`: every call fails.
 * `at.slow`: calls wait for this promise.
 * `at.reads`: number of reads so far.
 */
function memoryKeytar() {
  const stored = new Map<string, string>()
  const at = { refuses: false, slow: Promise.resolve(), reads: 0 }
  const orRefuse = async <T>(value: () => T): Promise<T> => {
    await at.slow
    if (at.refuses) throw new Error('no provider')
    return value()
  }
  const keytar: Keytar = {
    getPassword(_service, name) {
      at.reads += 1
      return orRefuse(() => stored.get(name) ?? null)
    },
    setPassword: (_service, name, text) => orRefuse(() => void stored.set(name, text)),
    deletePassword: (_service, name) => orRefuse(() => stored.delete(name)),
  }
  return { keytar, stored, at }
}

const clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms: number, call: () => void) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  soon(call: () => void) {
    const turn = setImmediate(call)
    return () => clearImmediate(turn)
  },
}

/** Connections with real files and real HTTP, wired as in compose.ts. {@link useRig} creates one for each test. */
export class Rig {
  readonly folder = databaseFolder('siteward-connections-')
  readonly keys = memoryKeytar()
  readonly app: AppStore
  /** The certificates since the latest start. */
  identities!: ConnectionCertificates
  connections: Connections
  readonly #dispatcher: ServiceDispatcher = createDispatcher()
  readonly hosts: Host[] = []
  /** By connection: opening the connection's file waits for this promise. */
  readonly slowFiles = new Map<string, Promise<void>>()
  /** The pending timers of the connections. */
  readonly timers = new Set<{ ms: number; call: () => void }>()
  /** Time limit of the keychain's calls in milliseconds, used from the next start on. */
  keychainLimit = 15_000

  constructor() {
    const opened = openAppStore(join(this.folder, 'app.db'))
    if (!opened.ok) throw new Error(opened.error.code)
    this.app = opened.value
    this.connections = this.start()
  }

  #keychain = () =>
    createKeychain({
      load: async () => this.keys.keytar,
      service: 'test',
      records: this.app.keychainRecords,
      timeLimit: this.keychainLimit,
    })

  key = (connection: string): ConnectionKey => createConnectionKey(this.#keychain(), connection, () => undefined)

  start(): Connections {
    const keychain = this.#keychain()
    const fileOf = (id: string): string => join(this.folder, `${id}.db.network.json`)
    const identities = createConnectionCertificates({ keychain, fileOf, now: () => Date.now() })
    this.identities = identities
    const connections = createConnections({
      app: this.app,
      sample: createEmbeddedSample(
        () => startSampleService({ websites: 3, rate: 0, file: join(this.folder, 'sample.jsonl') }),
        () => eraseStore(join(this.folder, 'sample.jsonl')),
      ),
      newId: randomUUID,
      service: (address, key, of = DRAFT_CONNECTION_ID) =>
        createService({ address, key, dispatcher: this.#dispatcher, identity: () => identities.load(of) }),
      adoptNetwork: (by, keep) => identities.adoptDraft(by, keep),
      key: (connection) => createConnectionKey(keychain, connection, () => undefined),
      open: async (record, key, service) => {
        await this.slowFiles.get(record.id)
        const file = join(this.folder, `${record.id}.db`)
        const hadData = this.app.connections().some(({ id }) => id === record.id)
        const prepared = checkOrRestoreFile({ file, kind: 'connection', hadData })
        if (!prepared.ok) return prepared
        return composeConnection({
          record,
          key,
          service,
          file,
          sealer: createSealer(keychain, record.id),
          readImport: readHere,
          refreshConditions: noBackgroundRefresh,
          keepDays: () => 365,
          pause: createPause(false),
          clock,
          random: { id: randomUUID, fraction: Math.random },
        })
      },
      discard: ({ id }) => eraseStore(join(this.folder, `${id}.db`)),
      forgetSecrets(id) {
        identities.forget(id)
        return forgetEntries(keychain, id)
      },
      sweep: () => void keychain.sweep(),
      hasStoredKey: (id) => keychain.isRecorded(apiKeyEntry(id)),
      after: (ms, call) => {
        const timer = { ms, call }
        this.timers.add(timer)
        return () => void this.timers.delete(timer)
      },
      onRun: () => () => undefined,
      onActive: () => undefined,
    })
    keychain.onState((now) => now === 'ready' && connections.keychainOpened())
    connections.setVisible(true)
    return connections
  }

  /** Starts a host with these accounts. It is closed together with the rig. */
  async host(...accounts: Account[]): Promise<Host> {
    const started = await startHost(...accounts)
    this.hosts.push(started)
    return started
  }

  /** Connects an account, and returns its connection. Throws if the service refuses. */
  async connected(address: string, key: string): Promise<ConnectionView> {
    const result = await this.connections.connect(address, new Secret(key), 'keychain')
    if (!result.ok) throw new Error(result.error.code)
    return result.value
  }

  async close(): Promise<void> {
    await this.connections.close()
    await this.#dispatcher.destroy()
    this.app.close()
    for (const host of this.hosts) await host.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Creates a {@link Rig} for each test. The returned function returns the one of the running test. */
export function useRig(): () => Rig {
  let rig: Rig
  beforeEach(() => void (rig = new Rig()))
  afterEach(() => rig.close())
  return () => rig
}

export const aDraft = (domain = 'new.example'): WebsiteDraft => draft(domain)
