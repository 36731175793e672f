import { normaliseAddress, type ConnectionView } from '../../shared/connection.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Service } from '../service/port.ts'
import type { AppStore, StoredConnection } from '../storage/app.ts'
import type { ConnectionKey } from './key.ts'
import type { OpenConnection } from './open.ts'
import { probe, sameAccount, type Probe } from './probe.ts'
import type { EmbeddedSample } from './sample.ts'

export type Keep = 'keychain' | 'run'

/** Which connection is active, and how one comes and goes. An edit is bound to its connection for good. */
export interface Connections {
  active(): OpenConnection | null
  /** Opens what was active when the app ended; its websites are there before any network. */
  restore(): Promise<Result<void>>
  /** Errors: `bad-address`, `keychain-*`, `storage`, and those of the service client. Nothing is kept on an error. */
  connect(address: string, key: Secret, keep: Keep): Promise<Result<ConnectionView>>
  trySample(): Promise<Result<ConnectionView>>
  /** Errors: `other-account`, `keychain-*`, `no-connection`, and those of the service client. */
  replaceKey(key: Secret, keep: Keep): Promise<Result<ConnectionView>>
  /** Forgets the key and closes; websites and edits stay on disk. Errors: `keychain-*`. */
  disconnect(): Promise<Result<void>>
  retryKeychain(): Promise<Result<void>>
  view(): ConnectionView | null
  close(): Promise<void>
}

export interface ConnectionsOptions {
  app: AppStore
  sample: EmbeddedSample
  newId: () => string
  /** The client for an address and whatever key `key` holds at the time of a request. */
  service: (address: string, key: () => Secret | null) => Service
  key: (connection: string) => ConnectionKey
  open: (record: StoredConnection, key: ConnectionKey, service: Service) => Result<OpenConnection>
  /** Another connection is active, or none. */
  onActive: (connection: OpenConnection | null) => void
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { app, sample } = options
  let active: OpenConnection | null = null

  async function shut(): Promise<void> {
    const closing = active
    active = null
    options.onActive(null)
    await closing?.close()
  }

  async function activate(record: StoredConnection, key: ConnectionKey): Promise<Result<OpenConnection>> {
    await shut()
    const opened = options.open(
      record,
      key,
      options.service(record.address, () => key.current()),
    )
    if (!opened.ok) return opened
    active = opened.value
    options.onActive(active)
    return opened
  }

  async function keepAndActivate(record: StoredConnection, key: Secret, keep: Keep): Promise<Result<ConnectionView>> {
    const holder = active?.record.id === record.id ? active.key : options.key(record.id)
    const kept = await holder.replace(key, keep)
    if (!kept.ok) return kept
    const saved = app.saveConnection(record)
    if (!saved.ok) return saved
    const chosen = app.setActive(record.id)
    if (!chosen.ok) return chosen
    const opened = await activate(record, holder)
    if (!opened.ok) return opened
    void opened.value.refresh.run()
    return ok(viewOf(opened.value))
  }

  /** Opens a connection of a host without accounts, with no key yet, to see whether this key is one for it. */
  async function showsItsWebsites(record: StoredConnection, key: Secret, found: Probe): Promise<boolean> {
    const opened = await activate(record, options.key(record.id))
    return (
      opened.ok &&
      sameAccount(
        options.service(record.address, () => key),
        found,
        opened.value,
      )
    )
  }

  /** The port of the embedded service is another one at each start. */
  async function startSample(record: StoredConnection): Promise<{ record: StoredConnection; key: Secret }> {
    const { address, key } = await sample.start()
    return { record: { ...record, address }, key }
  }

  return {
    active: () => active,
    view: () => (active === null ? null : viewOf(active)),

    async restore() {
      const stored = app.activeConnection()
      if (stored === null) return ok(undefined)
      const key = options.key(stored.id)
      if (stored.sample) {
        const started = await startSample(stored)
        await key.replace(started.key, 'run')
        const opened = await activate(started.record, key)
        return opened.ok ? ok(undefined) : opened
      }
      const opened = await activate(stored, key)
      if (!opened.ok) return opened
      const loaded = await key.load()
      if (loaded.ok) opened.value.resume()
      return loaded
    },

    async connect(typed, key, keep) {
      const normal = normaliseAddress(typed)
      if (!normal.ok) return normal
      const { address } = normal.value
      const found = await probe(options.service(address, () => key))
      if (!found.ok) return found
      const accountId = found.value.account?.id ?? null
      const name = found.value.account?.name ?? new URL(address).host
      for (const known of app.connections()) {
        if (known.sample || known.address !== address || known.accountId !== accountId) continue
        if (accountId === null && !(await showsItsWebsites(known, key, found.value))) continue
        return keepAndActivate({ ...known, name }, key, keep)
      }
      return keepAndActivate({ id: options.newId(), address, accountId, name, sample: false }, key, keep)
    },

    async trySample() {
      const known = app.connections().find((c) => c.sample)
      const blank = { id: known?.id ?? options.newId(), address: '', accountId: null, name: '', sample: true }
      const { record, key } = await startSample(known ?? blank)
      const found = await probe(options.service(record.address, () => key))
      if (!found.ok) return found
      const { account } = found.value
      return keepAndActivate(
        { ...record, accountId: account?.id ?? null, name: account?.name ?? 'Sample data' },
        key,
        'run',
      )
    },

    async replaceKey(key, keep) {
      if (active === null) return fail('no-connection')
      const { record, key: holder } = active
      const found = await probe(options.service(record.address, () => key))
      if (!found.ok) return found
      // Nothing that waits for one account may ever be sent to another.
      const service = options.service(record.address, () => key)
      if (!(await sameAccount(service, found.value, active))) return fail('other-account')
      const kept = await holder.replace(key, keep)
      if (!kept.ok) return kept
      active.resume()
      return ok(viewOf(active))
    },

    async disconnect() {
      if (active === null) return fail('no-connection')
      const gone = await active.key.forget()
      if (!gone.ok) return gone
      const left = app.setActive(null)
      if (!left.ok) return left
      await shut()
      return ok(undefined)
    },

    async retryKeychain() {
      if (active === null) return fail('no-connection')
      const loaded = await active.key.load()
      active.resume()
      return loaded
    },

    async close() {
      await shut()
      await sample.close()
    },
  }
}

function viewOf({ record, key }: OpenConnection): ConnectionView {
  const { id, address, name, sample } = record
  const normal = normaliseAddress(address)
  return { id, address, name, sample, key: key.state(), insecure: normal.ok && normal.value.insecure }
}
