import { m } from '../../messages/index.ts'
import { normaliseAddress, type ConnectionView } from '../../shared/connection.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import type { StoredConnection } from '../storage/app.ts'
import { entryCommands, unsentIn, viewOf } from './entries.ts'
import type { ConnectionKey, Keep } from './key.ts'
import { identityOf, type OpenConnection } from './open.ts'
import { findExistingConnection } from './find-existing.ts'
import { openBriefly } from './open-briefly.ts'
import { followAccountName, defaultName } from './default-name.ts'
import type { Connections, ConnectionsOptions } from './ports.ts'
import { isUnused, probe, compareAccount, type Probe } from './probe.ts'

export type { Connections }

export function createConnections(options: ConnectionsOptions): Connections {
  const { app, sample } = options
  let active: OpenConnection | null = null
  let problem: AppError | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let latestRequest = 0
  let closing: Promise<void> | null = null

  function inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = queue.then(() => (closing === null ? work() : fail('no-connection')))
    queue = next.catch(() => undefined)
    return next
  }

  /** Runs `work` in turn. Fails with `no-connection` if the user has made another request since then. */
  function ifLatest<T>(mine: number, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return inTurn(async () => (mine === latestRequest ? work() : fail('no-connection')))
  }

  const find = (id: string): StoredConnection | undefined => app.connections().find((record) => record.id === id)

  const clientOf = (record: StoredConnection, key: ConnectionKey): ServiceClient =>
    options.service(record.address, () => key.current())

  async function makeActive(next: OpenConnection | null): Promise<void> {
    const former = active
    active = next
    problem = null
    options.onActive(next)
    if (next !== null) followAccountName(next, app)
    // The file must be closed before it can be opened again.
    await former?.close()
    next?.start()
  }

  const inspect = async <T>(record: StoredConnection, at: (connection: OpenConnection) => T): Promise<Result<T>> =>
    active?.record.id === record.id ? ok(at(active)) : openBriefly(options, record, at)

  function findConnection(address: string, key: Secret, found: Probe, userAnswer: boolean | undefined) {
    const connections = app.connections().filter((record) => !record.sample && record.address === address)
    const hasKey = ({ id }: StoredConnection) =>
      active?.record.id === id && active.key.current()?.reveal() === key.reveal()
    return findExistingConnection(
      {
        service: options.service(address, () => key),
        connections,
        identity: (record) => inspect(record, identityOf),
        hasKey,
      },
      found,
      userAnswer,
    )
  }

  /** Stores the key and activates the connection. An error leaves everything unchanged. */
  async function activate(record: StoredConnection, key: Secret, keep: Keep): Promise<Result<ConnectionView>> {
    const former = active?.record.id === record.id && active.record.address === record.address ? active : null
    const holder = former?.key ?? options.key(record.id)
    const opened = former === null ? await options.open(record, holder, clientOf(record, holder)) : ok(former)
    if (!opened.ok) return opened
    const kept = await saveAll(record, holder, key, keep)
    if (!kept.ok) {
      if (former === null) await opened.value.close()
      if (find(record.id) === undefined) options.discard(record)
      return kept
    }
    if (former === null) await makeActive(opened.value)
    keyAvailable(opened.value)
    return ok(viewOf(opened.value, find(opened.value.record.id)))
  }

  async function saveAll(record: StoredConnection, holder: ConnectionKey, key: Secret, keep: Keep) {
    const isNew = find(record.id) === undefined
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

  /** Loads the key from the keychain. Callers do not wait for the result, as the keychain may wait for the user. */
  async function loadKey(connection: OpenConnection): Promise<Result<void>> {
    const loaded = await connection.key.load()
    if (active === connection && connection.key.current() !== null) keyAvailable(connection)
    return loaded
  }

  function keyAvailable(connection: OpenConnection): void {
    connection.keyChanged()
    options.onKey(connection)
  }

  return {
    active: () => active,
    problem: () => problem,
    view: () => (active === null ? null : viewOf(active, find(active.record.id))),

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

    async connect(typed, key, keep, userAnswer) {
      const mine = ++latestRequest
      const normal = normaliseAddress(typed)
      if (!normal.ok) return normal
      const { address } = normal.value
      const found = await probe(options.service(address, () => key))
      if (!found.ok) return found
      return ifLatest(mine, async () => {
        const same = await findConnection(address, key, found.value, userAnswer)
        if (!same.ok) return same
        // The user may have chosen the existing name.
        const name = same.value?.name ?? defaultName(found.value.account, address)
        const accountId = found.value.account?.id ?? same.value?.accountId ?? null
        return activate({ id: same.value?.id ?? options.newId(), address, accountId, name, sample: false }, key, keep)
      })
    },

    async greet(typed) {
      const normal = normaliseAddress(typed)
      if (!normal.ok) return normal
      const greeted = await options.service(normal.value.address, () => null).greet()
      return greeted.ok ? ok(undefined) : greeted
    },

    trySample() {
      const mine = ++latestRequest
      return ifLatest(mine, async () => {
        const started = await sample.start()
        if (!started.ok) return started
        const { address, key } = started.value
        const found = await probe(options.service(address, () => key))
        if (!found.ok) return found
        const { account } = found.value
        const known = app.connections().find((record) => record.sample)
        const id = known?.id ?? options.newId()
        const name = known?.name ?? account?.name ?? m.sample_data()
        return activate({ id, address, accountId: account?.id ?? null, name, sample: true }, key, 'run')
      })
    },

    async replaceKey(key, keep, userAnswer) {
      const connection = active
      if (connection === null) return fail('no-connection')
      const entry = connection.key.nextEntry()
      const knownBy = identityOf(connection)
      const service = options.service(connection.record.address, () => key)
      const found = await probe(service)
      if (!found.ok) return found
      // A pending edit must never be sent to another account.
      const same = await compareAccount(service, found.value, knownBy)
      if (!same.ok) return same
      if (same.value === 'other') return fail('other-account')
      if (same.value === 'unclear' && userAnswer !== true) return fail('account-unclear')
      return inTurn(async () => {
        if (active !== connection) return fail('no-connection')
        // An edit may have been queued during the check. An unused connection accepts any key only while it has no
        // edits.
        const vouched = userAnswer === true || !isUnused(knownBy)
        if (!vouched && identityOf(connection).hasUnsentEdits) return fail('account-unclear')
        const kept = await connection.key.replace(key, keep, entry)
        if (!kept.ok) return kept
        keyAvailable(connection)
        return ok(viewOf(connection, find(connection.record.id)))
      })
    },

    async disconnect() {
      latestRequest += 1
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

    cancelConnect: () => void (latestRequest += 1),

    ...entryCommands({ app, active: () => active?.record.id ?? null, inTurn, inspect }),

    switchTo(id) {
      latestRequest += 1
      return inTurn(async () => {
        if (active?.record.id === id) return ok(viewOf(active, find(id)))
        const stored = find(id)
        const opened = stored === undefined ? fail('no-connection') : await openStored(stored)
        if (!opened.ok) return opened
        const chosen = app.setActive(id)
        if (!chosen.ok) {
          await opened.value.close()
          return chosen
        }
        await makeActive(opened.value)
        void loadKey(opened.value)
        return ok(viewOf(opened.value, find(opened.value.record.id)))
      })
    },

    remove(id, agreed) {
      latestRequest += 1
      return inTurn(async () => {
        const record = find(id)
        if (record === undefined) return fail('no-connection')
        const unsent = await inspect(record, unsentIn)
        if (unsent.ok && unsent.value > agreed) return fail('edits-wait')
        if (active?.record.id === id) {
          const left = app.setActive(null)
          if (!left.ok) return left
          await makeActive(null)
        }
        // The record is removed last, so that a removal that fails halfway can be repeated.
        const erased = options.discard(record)
        if (!erased.ok) return erased
        const gone = await options.forgetSecrets(id)
        const removed = app.removeConnection(id)
        return removed.ok ? ok({ keyLeft: !gone.ok }) : removed
      })
    },

    dismissSalvage: () => (active !== null && active.salvaged() !== null ? active : app).dismissSalvage(),

    sweep: () => options.sweep(),

    keychainOpened() {
      options.sweep()
      if (active?.key.state() === 'locked') void loadKey(active)
    },

    async retryKeychain() {
      return active === null ? fail('no-connection') : loadKey(active)
    },

    close() {
      closing ??= queue.then(async () => {
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
