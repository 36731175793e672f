import { normaliseAddress, type ConnectionEntry, type ConnectionView } from '../../shared/connection.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import type { AppStore, StoredConnection } from '../storage/app.ts'
import { entryOf, unsentIn, viewOf } from './entries.ts'
import type { ConnectionKey, Keep } from './key.ts'
import { identityOf, type OpenConnection } from './open.ts'
import { findKnown } from './known.ts'
import { peek } from './peek.ts'
import { isAnybodys, probe, sameAccount, type Probe } from './probe.ts'
import type { EmbeddedSample } from './sample.ts'

/**
 * Which connection is active, and how one comes and goes. An edit is bound to its connection for good. The service is
 * asked at once; what changes here changes in turn, one thing after another.
 */
export interface Connections {
  active(): OpenConnection | null
  /** Why the connection that was active at the last end couldn't be opened. */
  problem(): AppError | null
  /** Opens what was active when the app ended; its websites are there before any network, and before its key. */
  restore(): Promise<Result<void>>
  /**
   * `same`: what the person says where nothing else tells whether the key is of the account of a connection that is
   * here already (`account-unclear`): true goes on with that one, false begins another beside it. Errors:
   * `bad-address`, `keychain-*`, `storage`, and those of the service client. Nothing is kept on an error.
   */
  connect(address: string, key: Secret, keep: Keep, same?: boolean): Promise<Result<ConnectionView>>
  trySample(): Promise<Result<ConnectionView>>
  /**
   * `same`: the person says that it's the same account's, where nothing else tells (`account-unclear`). Errors:
   * `other-account`, `keychain-*`, `no-connection`, and those of the service client.
   */
  replaceKey(key: Secret, keep: Keep, same?: boolean): Promise<Result<ConnectionView>>
  /** The connect that is under way changes nothing any more. */
  cancelConnect(): void
  /** All there are, in the order in which they were made; each file is opened for a look. */
  list(): Promise<Result<ConnectionEntry[]>>
  /**
   * Makes one that is here already the active one, with the key that the keychain has for it; the edits of each stay with
   * it. Errors: `no-connection`, those of opening its file; then all is as before.
   */
  switchTo(id: string): Promise<Result<ConnectionView>>
  /**
   * Forgets the key and closes; websites and edits stay on disk. `keyLeft`: its entry couldn't be deleted yet.
   * Errors: `no-connection`, `storage`, `disk-full`.
   */
  disconnect(): Promise<Result<{ keyLeft: boolean }>>
  /** Deletes the entries of keys that were forgotten while the keychain was locked. */
  sweep(): void
  /** It can be asked again: for the key that it kept back, and to delete what is due. */
  keychainOpened(): void
  retryKeychain(): Promise<Result<void>>
  view(): ConnectionView | null
  /** The person has read what was salvaged: of the connection, else of the app's own file. Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
  close(): Promise<void>
}

export interface ConnectionsOptions {
  app: AppStore
  sample: EmbeddedSample
  newId: () => string
  /** The client for an address and whatever key `key` holds at the time of a request. */
  service: (address: string, key: () => Secret | null) => ServiceClient
  key: (connection: string) => ConnectionKey
  /** Opens its file; nothing is sent until it's started. */
  open: (record: StoredConnection, key: ConnectionKey, service: ServiceClient) => Promise<Result<OpenConnection>>
  /** Deletes the file of a connection that came to nothing. */
  discard: (record: StoredConnection) => void
  /** Another connection is active, or none. */
  onActive: (connection: OpenConnection | null) => void
  /** Its key is there, or another one is. */
  onKey: (connection: OpenConnection) => void
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { app, sample } = options
  let active: OpenConnection | null = null
  let problem: AppError | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let wish = 0
  let closing: Promise<void> | null = null

  function inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = turn.then(() => (closing === null ? work() : fail('no-connection')))
    turn = next.catch(() => undefined)
    return next
  }

  /** In turn, unless the person has wished for something else meanwhile. */
  function ifStillWished<T>(mine: number, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return inTurn(async () => (mine === wish ? work() : fail('no-connection')))
  }

  const clientOf = (record: StoredConnection, key: ConnectionKey): ServiceClient =>
    options.service(record.address, () => key.current())

  async function makeActive(next: OpenConnection | null): Promise<void> {
    const former = active
    active = next
    problem = null
    options.onActive(next)
    // Its file has to be free before anybody may open it again.
    await former?.close()
    next?.start()
  }

  const look = async <T>(record: StoredConnection, at: (connection: OpenConnection) => T): Promise<Result<T>> =>
    active?.record.id === record.id ? ok(at(active)) : peek(options, record, at)

  function known(address: string, key: Secret, found: Probe, said: boolean | undefined) {
    const here = app.connections().filter((record) => !record.sample && record.address === address)
    const holds = ({ id }: StoredConnection) =>
      active?.record.id === id && active.key.current()?.reveal() === key.reveal()
    return findKnown(
      { service: options.service(address, () => key), here, identity: (record) => look(record, identityOf), holds },
      found,
      said,
    )
  }

  /** Keeps the key and makes the connection the active one; on an error all is as before. */
  async function activate(record: StoredConnection, key: Secret, keep: Keep): Promise<Result<ConnectionView>> {
    const former = active?.record.id === record.id && active.record.address === record.address ? active : null
    const holder = former?.key ?? options.key(record.id)
    const opened = former === null ? await options.open(record, holder, clientOf(record, holder)) : ok(former)
    if (!opened.ok) return opened
    const kept = await keepAll(record, holder, key, keep)
    if (!kept.ok) {
      if (former === null) await opened.value.close()
      if (app.connections().every(({ id }) => id !== record.id)) options.discard(record)
      return kept
    }
    if (former === null) await makeActive(opened.value)
    goOn(opened.value)
    return ok(viewOf(opened.value))
  }

  async function keepAll(record: StoredConnection, holder: ConnectionKey, key: Secret, keep: Keep) {
    const isNew = app.connections().every(({ id }) => id !== record.id)
    const kept = await holder.replace(key, keep)
    if (!kept.ok) return kept
    const saved = app.saveConnection(record)
    const chosen = saved.ok ? app.setActive(record.id) : saved
    if (!chosen.ok && isNew) await holder.forget()
    return chosen
  }

  async function openStored(stored: StoredConnection): Promise<Result<OpenConnection>> {
    const key = options.key(stored.id)
    const started = stored.sample ? await sample.start() : null
    if (started !== null && !started.ok) return started
    const record = started === null ? stored : { ...stored, address: started.value.address }
    const opened = await options.open(record, key, clientOf(record, key))
    if (opened.ok && started !== null) await key.replace(started.value.key, 'run')
    return opened
  }

  /** The key comes when the keychain gives it; nothing waits for that. */
  async function loadKey(connection: OpenConnection): Promise<Result<void>> {
    const loaded = await connection.key.load()
    if (active === connection && connection.key.current() !== null) goOn(connection)
    return loaded
  }

  function sweep(): void {
    for (const { id } of app.connections()) void options.key(id).sweep()
  }

  function goOn(connection: OpenConnection): void {
    connection.keyChanged()
    options.onKey(connection)
  }

  return {
    active: () => active,
    problem: () => problem,
    view: () => (active === null ? null : viewOf(active)),

    restore: () =>
      inTurn(async () => {
        const stored = app.activeConnection()
        if (stored === null) return ok(undefined)
        const opened = await openStored(stored)
        if (!opened.ok) return remember(opened)
        await makeActive(opened.value)
        void loadKey(opened.value)
        return ok(undefined)
      }),

    async connect(typed, key, keep, said) {
      const mine = ++wish
      const normal = normaliseAddress(typed)
      if (!normal.ok) return normal
      const { address } = normal.value
      const found = await probe(options.service(address, () => key))
      if (!found.ok) return found
      return ifStillWished(mine, async () => {
        const same = await known(address, key, found.value, said)
        if (!same.ok) return same
        const name = found.value.account?.name ?? new URL(address).host
        const accountId = found.value.account?.id ?? same.value?.accountId ?? null
        return activate({ id: same.value?.id ?? options.newId(), address, accountId, name, sample: false }, key, keep)
      })
    },

    trySample() {
      const mine = ++wish
      return ifStillWished(mine, async () => {
        const started = await sample.start()
        if (!started.ok) return started
        const { address, key } = started.value
        const found = await probe(options.service(address, () => key))
        if (!found.ok) return found
        const { account } = found.value
        const id = app.connections().find((record) => record.sample)?.id ?? options.newId()
        const name = account?.name ?? 'Sample data'
        return activate({ id, address, accountId: account?.id ?? null, name, sample: true }, key, 'run')
      })
    },

    async replaceKey(key, keep, said) {
      const connection = active
      if (connection === null) return fail('no-connection')
      const knownBy = identityOf(connection)
      const service = options.service(connection.record.address, () => key)
      const found = await probe(service)
      if (!found.ok) return found
      // Nothing that waits for one account may ever be sent to another.
      const same = await sameAccount(service, found.value, knownBy)
      if (!same.ok) return same
      if (same.value === 'other') return fail('other-account')
      if (same.value === 'unclear' && said !== true) return fail('account-unclear')
      return inTurn(async () => {
        if (active !== connection) return fail('no-connection')
        // An edit may have come meanwhile: what any key was good for isn't sent to an account that nobody has vouched for.
        const vouched = said === true || !isAnybodys(knownBy)
        if (!vouched && identityOf(connection).waiting) return fail('account-unclear')
        const kept = await connection.key.replace(key, keep)
        if (!kept.ok) return kept
        goOn(connection)
        return ok(viewOf(connection))
      })
    },

    async disconnect() {
      wish += 1
      const connection = active
      return inTurn(async () => {
        if (connection === null || active !== connection) return fail('no-connection')
        const left = app.setActive(null)
        if (!left.ok) return left
        await makeActive(null)
        const gone = await connection.key.forget()
        return ok({ keyLeft: !gone.ok })
      })
    },

    cancelConnect: () => void (wish += 1),

    list: () =>
      inTurn(async () => {
        const entries: ConnectionEntry[] = []
        for (const record of app.connections())
          entries.push(entryOf(record, active?.record.id === record.id, await look(record, unsentIn)))
        return ok(entries)
      }),

    switchTo(id) {
      wish += 1
      return inTurn(async () => {
        if (active?.record.id === id) return ok(viewOf(active))
        const stored = app.connections().find((record) => record.id === id)
        const opened = stored === undefined ? fail('no-connection') : await openStored(stored)
        if (!opened.ok) return opened
        const chosen = app.setActive(id)
        if (!chosen.ok) {
          await opened.value.close()
          return chosen
        }
        await makeActive(opened.value)
        void loadKey(opened.value)
        return ok(viewOf(opened.value))
      })
    },

    dismissSalvage: () => (active !== null && active.salvaged() !== null ? active : app).dismissSalvage(),

    sweep,

    keychainOpened() {
      sweep()
      if (active?.key.state() === 'locked') void loadKey(active)
    },

    async retryKeychain() {
      return active === null ? fail('no-connection') : loadKey(active)
    },

    close() {
      closing ??= turn.then(async () => {
        await makeActive(null)
        await sample.close()
      })
      return closing
    },
  }

  function remember<T>(failed: Result<T> & { ok: false }): Result<void> {
    problem = failed.error
    options.onActive(null)
    return failed
  }
}
