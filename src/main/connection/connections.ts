import { m } from '../../messages/index.ts'
import { normalizeAddress, type ConnectionView, type SecretStorage } from '../../shared/connection.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import type { StoredConnection } from '../storage/app.ts'
import {
  accountIdentityOf,
  accountState,
  savedConnectionCommands,
  idsOf,
  countPending,
  connectionViewOf,
} from './entries.ts'
import type { ConnectionKey } from './key.ts'
import { accountFingerprintOf, type OpenConnection } from './open-connection.ts'
import { findExistingConnection } from './find-existing.ts'
import { openBriefly } from './open-briefly.ts'
import { followAccountName, defaultName } from './default-name.ts'
import type { Connections, ConnectionsOptions } from './ports.ts'
import { isUnused, probe, compareAccount, type ProbedAccount } from './probe.ts'

export type { Connections }

/** Milliseconds until files that couldn't be opened are tried again. */
const REOPEN_INTERVAL = 60_000

/** Milliseconds for which closing waits for a file that is being opened. Ending a restore early changes nothing on disk. */
const MAX_OPENING_WAIT = 1_000

export function createConnections(options: ConnectionsOptions): Connections {
  const { app, sample } = options
  const running = new Map<string, { connection: OpenConnection; stopWatching: () => void }>()
  /** By id, the connections that are opened outside the queue. Each promise resolves when the connection runs or has failed. */
  const opening = new Map<string, Promise<Result<void>>>()
  /** Why saved connections couldn't be opened, by id. */
  const problems = new Map<string, AppError>()
  let cancelRetry = (): void => undefined
  let active: OpenConnection | null = null
  let problem: AppError | null = null
  let isVisible = false
  /** The keychain reads of the start, one after another. Each may prompt the user, and the first refusal ends them. */
  let keyLoads: Promise<Result<void>> = Promise.resolve(ok(undefined))
  /** Resolves when the last change that was queued by {@link enqueue} is done. */
  let queue: Promise<unknown> = Promise.resolve()
  /** Number of the user's latest request to add, show, close or remove a connection. Earlier requests are canceled. */
  let latestRequest = 0
  /** Resolves when the user makes a newer request. */
  let outdated = Promise.withResolvers<void>()
  let closing: Promise<void> | null = null
  const ending = Promise.withResolvers<void>()
  /** Resolves when closing stops waiting for files that are being opened. */
  const tooLate = Promise.withResolvers<void>()
  const firstShown = Promise.withResolvers<void>()

  const isClosing = (): boolean => closing !== null

  /** Runs `work` after all earlier changes of the connections. Fails with `no-connection` once the app is closing. */
  function enqueue<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = queue.then(() => (closing === null ? work() : fail('no-connection')))
    queue = next.catch(() => undefined)
    return next
  }

  /** Like {@link enqueue}, but first waits until none of these connections is being opened. Opening may have failed. */
  function whenOpen<T>(ids: readonly string[], work: () => Promise<Result<T>>): Promise<Result<T>> {
    const opens = ids.flatMap((id) => opening.get(id) ?? [])
    return opens.length === 0 ? enqueue(work) : Promise.all(opens).then(() => enqueue(work))
  }

  /** Like {@link whenOpen}, but fails with `no-connection` if the user has made a request after number `mine`. */
  function ifLatest<T>(mine: number, ids: readonly string[], work: () => Promise<Result<T>>): Promise<Result<T>> {
    return whenOpen(ids, async () => (mine === latestRequest ? work() : fail('no-connection')))
  }

  /** Cancels earlier requests of the user, and returns the number of the new one. */
  function nextRequest(): number {
    outdated.resolve()
    outdated = Promise.withResolvers()
    return ++latestRequest
  }

  /** A keychain call may wait for the user. Fails with `no-connection` once the app is closing. */
  const unlessClosing = <T>(call: Promise<Result<T>>): Promise<Result<T>> =>
    Promise.race([call, ending.promise.then(() => fail('no-connection'))])

  /** Fails with `no-connection` if opening takes too long while the app is closing. */
  const open: ConnectionsOptions['open'] = (...given) =>
    Promise.race([options.open(...given), tooLate.promise.then(() => fail('no-connection'))])

  const find = (id: string): StoredConnection | undefined => app.connections().find((record) => record.id === id)
  const runningOf = (id: string): OpenConnection | null => running.get(id)?.connection ?? null
  const all = (): OpenConnection[] => [...running.values()].map(({ connection }) => connection)
  const view = (connection: OpenConnection): ConnectionView => connectionViewOf(connection, find(connection.record.id))

  const clientOf = (record: StoredConnection, key: ConnectionKey): ServiceClient =>
    options.service(record.address, () => key.current(), record.id)

  function run(connection: OpenConnection): void {
    const { id } = connection.record
    followAccountName(connection, app)
    problems.delete(id)
    running.set(id, { connection, stopWatching: options.onRun(connection) })
    showStatus(connection)
    connection.start()
  }

  /** While the window is visible, each offline account is probed, because the window shows the status of all of them. */
  const showStatus = ({ reach }: OpenConnection): void => reach.setWaiting('accounts', isVisible)

  /** The connection that was active keeps running. */
  function makeActive(next: OpenConnection | null): void {
    const former = active
    active = next
    problem = null
    if (former !== next) former?.autoRefresh.setShown(false)
    next?.autoRefresh.setShown(isVisible)
    if (next !== null) firstShown.resolve()
    options.onActive(next)
  }

  async function stop(id: string): Promise<void> {
    const found = running.get(id)
    if (found === undefined) return
    running.delete(id)
    found.stopWatching()
    if (active === found.connection) makeActive(null)
    await found.connection.close()
  }

  /** Calls `at` with a connection. If the connection doesn't run, it is opened and closed for this. */
  const inspect = async <T>(record: StoredConnection, at: (connection: OpenConnection) => T): Promise<Result<T>> => {
    const connection = runningOf(record.id)
    if (connection !== null) return ok(at(connection))
    const inspected = await openBriefly({ ...options, open }, record, at)
    if (inspected.ok) reopenFailed([record])
    return inspected
  }

  interface ConnectRequest {
    address: string
    key: Secret
    /** Sends its requests with `key`. */
    service: ServiceClient
    userAnswer: boolean | undefined
    /** Number of the user's request, for {@link ifLatest}. */
    mine: number
  }

  /**
   * Finds the existing connection that a key belongs to, or null. `wasUnused`: nothing identifies its account, so it accepts any
   * key until an edit is queued. Runs outside the queue: its requests may take long, and the user may switch accounts in the
   * meantime.
   */
  async function findConnection(request: ConnectRequest, found: ProbedAccount) {
    const { address, key, service, userAnswer, mine } = request
    const connections = app.connections().filter((record) => !record.sample && record.address === address)
    const opened = await ifLatest(mine, idsOf(connections), async () => ok(undefined))
    if (!opened.ok) return opened
    const unused = new Set<string>()
    const identity = (record: StoredConnection) =>
      ifLatest(mine, [record.id], async () => {
        const read = await inspect(record, (open) => ({ ...accountFingerprintOf(open), isInUse: isInUse(open) }))
        if (read.ok && isUnused(read.value)) unused.add(record.id)
        return read
      })
    const hasKey = ({ id }: StoredConnection) => runningOf(id)?.key.current()?.reveal() === key.reveal()
    const same = await findExistingConnection({ service, connections, identity, hasKey }, found, userAnswer)
    // After another request of the user, don't ask about this account.
    if (!same.ok) return ifLatest<never>(mine, [], async () => same)
    return ok(same.value === null ? null : { id: same.value.id, wasUnused: unused.has(same.value.id) })
  }

  /** True if the connection has something that another account must not take over without asking. */
  function isInUse({ record, key, localData, presets }: OpenConnection): boolean {
    const listed = presets.list()
    const hasPresets = !listed.ok || listed.value.length > 0
    return key.current() !== null || options.hasStoredKey(record.id) || localData.hasAny() || hasPresets
  }

  /** Stores the key and shows the connection. After an error, no connection was added, and the window is unchanged. */
  async function activate(
    record: StoredConnection,
    key: Secret,
    storage: SecretStorage,
  ): Promise<Result<ConnectionView>> {
    const former = runningOf(record.id)
    const holder = former?.key ?? options.key(record.id)
    const opened = former === null ? await open(record, holder, clientOf(record, holder)) : ok(former)
    if (!opened.ok) return opened
    const saved = await saveAll(record, holder, key, storage)
    if (!saved.ok) {
      if (former === null) await opened.value.close()
      if (find(record.id) === undefined) options.discard(record)
      return saved
    }
    if (former === null) run(opened.value)
    makeActive(opened.value)
    // Passes `record`, because the open connection may not know its account yet.
    restoreLocal({ ...opened.value, record })
    opened.value.keyChanged()
    return ok(view(opened.value))
  }

  /**
   * Keeps the tags, notes and views of a connection that is removed, together with those kept for its account before. If `keep` is
   * false, forgets all of them. Fails if they can't be merged. Does nothing if the connection has none, or if its account couldn't
   * be recognized later.
   */
  async function keepOrForgetLocal(record: StoredConnection, keep: boolean): Promise<Result<void>> {
    const inspected = await inspect(record, (open) => {
      const hasAny = open.localData.hasAny()
      const merged = keep && hasAny ? restoreLocal(open) : ok(undefined)
      return { account: hasAny ? accountIdentityOf(open) : null, read: merged.ok ? open.localData.read() : merged }
    })
    if (!inspected.ok) return keep ? inspected : ok(undefined)
    const { account, read } = inspected.value
    if (account === null) return ok(undefined)
    if (!keep) return app.keepLocalData(account, null)
    return read.ok ? app.keepLocalData(account, read.value) : read
  }

  /** Moves the kept tags, notes and views of the account to the connection. After an error, such as too many, they stay kept. */
  function restoreLocal(connection: OpenConnection): Result<unknown> {
    const account = accountIdentityOf(connection)
    const removed = account === null ? undefined : app.keptLocalData(account)
    if (account === null || removed === undefined) return ok(undefined)
    const merged = connection.localData.merge(removed)
    return merged.ok ? app.keepLocalData(account, null) : merged
  }

  /** An error leaves no new connection. */
  async function saveAll(record: StoredConnection, holder: ConnectionKey, key: Secret, storage: SecretStorage) {
    const isNew = find(record.id) === undefined
    const replaced = await unlessClosing(holder.replace(key, storage))
    const adopted =
      !replaced.ok || record.sample ? replaced : await unlessClosing(options.adoptNetwork(record.id, storage))
    const saved = adopted.ok ? app.saveActive(record) : adopted
    // Even if the keychain did not respond in time, it may still store the key.
    if (!saved.ok && isNew) {
      await unlessClosing(holder.forget())
      await unlessClosing(options.forgetSecrets(record.id))
    }
    return saved
  }

  /** Opens a saved connection, for the sample data after starting its service. Errors to retry are stored in `problems`. */
  async function openStored(stored: StoredConnection): Promise<Result<OpenConnection>> {
    const key = options.key(stored.id)
    const started = stored.sample ? await sample.start() : null
    if (started !== null && !started.ok) return started
    const record = started === null ? stored : { ...stored, address: started.value.address }
    const opened = await open(record, key, clientOf(record, key))
    if (opened.ok && started !== null) await key.replace(started.value.key, 'run')
    if (!opened.ok && isWanted(stored.id)) noteProblem(stored.id, opened.error)
    return opened
  }

  function noteProblem(id: string, error: AppError): void {
    problems.set(id, error)
    options.onActive(active)
    cancelRetry()
    cancelRetry = options.after(REOPEN_INTERVAL, () => reopenFailed())
  }

  /** True if the connection has a key or is to be shown. The user's removal makes both false. */
  const isWanted = (id: string): boolean => options.hasStoredKey(id) || app.activeConnection()?.id === id

  /** Retries connections whose files couldn't be opened, except files of a newer version. */
  function reopenFailed(records = app.connections()): void {
    for (const record of records) {
      const { id } = record
      const code = problems.get(id)?.code
      const mayOpen = code !== undefined && code !== 'newer-version'
      if (mayOpen && isWanted(id) && !opening.has(id)) void openApart(record)
    }
  }

  /** Showing a connection doesn't wait for this, because the keychain may wait for the user. */
  async function loadKey(connection: OpenConnection, call?: 'get' | 'find'): Promise<Result<void>> {
    const loaded = await connection.key.load(call)
    if (runningOf(connection.record.id) === connection && connection.key.current() !== null) connection.keyChanged()
    return loaded
  }

  /** Loads the keys that aren't loaded yet. Stops at the first refusal, so that the user isn't prompted for each account. */
  async function loadKeys(): Promise<void> {
    const connections = [...(active === null ? [] : [active]), ...all().filter((each) => each !== active)]
    for (const connection of connections) {
      const waits = ['loading', 'locked'].includes(connection.key.state())
      if (waits && !(await loadKey(connection, 'find')).ok) return
    }
  }

  /** Opens and runs a saved connection outside the queue, so that a slow file delays only work that needs it. */
  function openApart(record: StoredConnection): Promise<Result<void>> {
    // The work that is queued now runs first, because it may have the same file open.
    const opened = queue.then(() => openAndRun(record)).finally(() => opening.delete(record.id))
    opening.set(record.id, opened)
    return opened
  }

  /** Shows the connection if it was active when the app ended, unless another one is shown already. */
  async function openAndRun(record: StoredConnection): Promise<Result<void>> {
    if (isClosing() || !isWanted(record.id)) return fail('no-connection')
    if (running.has(record.id)) return ok(undefined)
    const opened = await openStored(record)
    // The user may have closed the app in the meantime.
    if (isClosing()) {
      if (opened.ok) await opened.value.close()
      return fail('no-connection')
    }
    const isShown = active === null && app.activeConnection()?.id === record.id
    if (!opened.ok) return isShown ? rememberProblem(opened) : opened
    run(opened.value)
    if (isShown) makeActive(opened.value)
    // A restored app file may list keys that were never stored. For `find`, a missing key is no refusal.
    const call = app.salvaged() === null ? 'get' : 'find'
    // A user who has dismissed the keychain's prompt isn't asked again for the other accounts.
    keyLoads = keyLoads.then((last) => (last.ok || active === opened.value ? loadKey(opened.value, call) : last))
    return ok(undefined)
  }

  async function runOthers(): Promise<void> {
    const others = app.connections().filter(({ id, sample }) => !sample && options.hasStoredKey(id))
    await Promise.all(others.map((record) => opening.get(record.id) ?? openApart(record)))
    await keyLoads
  }

  return {
    active: () => active,
    all,
    problem: () => problem,
    accounts: () =>
      app
        .connections()
        .map((record) =>
          accountState(record, runningOf(record.id), problems.get(record.id) ?? null, options.hasStoredKey(record.id)),
        ),
    view: () => (active === null ? null : view(active)),

    async restore() {
      const stored = app.activeConnection()
      if (stored === null) return ok(undefined)
      return Promise.race([openApart(stored), firstShown.promise.then(() => ok(undefined))])
    },

    runOthers,

    async connect(typed, key, storage, userAnswer) {
      const mine = nextRequest()
      const normal = normalizeAddress(typed)
      if (!normal.ok) return normal
      const { address } = normal.value
      const service = options.service(address, () => key)
      // After another request, the user doesn't wait for this service, and the key is no longer sent.
      const canceled = outdated.promise.then(() => {
        service.close()
        return fail('no-connection')
      })
      const found = await Promise.race([probe(service), canceled])
      if (!found.ok) return found
      const request = { address, key, service, userAnswer, mine }
      const same = await Promise.race([findConnection(request, found.value), canceled])
      if (!same.ok) return same
      return ifLatest(mine, same.value === null ? [] : [same.value.id], async () => {
        // During the requests, the connection may have been renamed, or an edit queued for it.
        const existing = same.value === null ? undefined : find(same.value.id)
        if (existing !== undefined && same.value?.wasUnused === true && userAnswer !== true) {
          const now = await inspect(existing, accountFingerprintOf)
          if (!now.ok) return now
          if (now.value.hasEdits) return fail('account-unclear')
        }
        const name = existing?.name ?? defaultName(found.value.account, address)
        const accountId = found.value.account?.id ?? existing?.accountId ?? null
        return activate({ id: existing?.id ?? options.newId(), address, accountId, name, sample: false }, key, storage)
      })
    },

    async ping(typed) {
      const normal = normalizeAddress(typed)
      if (!normal.ok) return normal
      const answer = await options.service(normal.value.address, () => null).ping()
      return answer.ok ? ok(undefined) : answer
    },

    trySample() {
      const mine = nextRequest()
      return ifLatest(mine, idsOf(app.connections().filter((record) => record.sample)), async () => {
        const started = await sample.start()
        if (!started.ok) return started
        const { address, key } = started.value
        const found = await probe(options.service(address, () => key))
        if (!found.ok) return found
        const { account } = found.value
        const saved = app.connections().find((record) => record.sample)
        const id = saved?.id ?? options.newId()
        const name = saved?.name ?? account?.name ?? m.sample_data()
        return activate({ id, address, accountId: account?.id ?? null, name, sample: true }, key, 'run')
      })
    },

    async replaceKey(key, storage, userAnswer) {
      const connection = active
      if (connection === null) return fail('no-connection')
      const entry = connection.key.nextEntry()
      const knownBy = accountFingerprintOf(connection)
      const service = options.service(connection.record.address, () => key, connection.record.id)
      const found = await probe(service)
      if (!found.ok) return found
      // A pending edit must never be sent to another account.
      const same = await compareAccount(service, found.value, knownBy)
      if (!same.ok) return same
      if (same.value === 'other') return fail('other-account')
      if (same.value === 'unclear' && userAnswer !== true) return fail('account-unclear')
      return enqueue(async () => {
        if (runningOf(connection.record.id) !== connection) return fail('no-connection')
        // An unused connection accepts any key only without edits, and one may have been queued during the check.
        const vouched = userAnswer === true || !isUnused(knownBy)
        if (!vouched && accountFingerprintOf(connection).hasEdits) return fail('account-unclear')
        const replaced = await unlessClosing(connection.key.replace(key, storage, entry))
        if (!replaced.ok) return replaced
        restoreLocal(connection)
        connection.keyChanged()
        return ok(view(connection))
      })
    },

    async disconnect() {
      nextRequest()
      const connection = active
      const disconnected = await enqueue(async () => {
        if (connection === null || active !== connection) return fail('no-connection')
        const left = app.setActive(null)
        if (!left.ok) return left
        await stop(connection.record.id)
        return ok({ forgotten: connection.key.forget() })
      })
      // Awaited outside the queue, because the keychain may wait for the user and would delay other changes.
      return disconnected.ok ? ok({ keyLeft: !(await disconnected.value.forgotten).ok }) : disconnected
    },

    cancelConnect: () => void nextRequest(),

    ...savedConnectionCommands({
      app,
      active: () => active?.record.id ?? null,
      whenOpen,
      isOpening: (id) => opening.has(id),
      inspect,
      discard: options.discard,
    }),

    switchTo(id) {
      const mine = nextRequest()
      return ifLatest(mine, [id], async () => {
        const record = find(id)
        const former = runningOf(id)
        const opened =
          former !== null ? ok(former) : record === undefined ? fail('no-connection') : await openStored(record)
        if (!opened.ok) return opened
        // The user may have canceled the switch, or made another request, while the file was opened.
        if (mine !== latestRequest) {
          if (former === null) await opened.value.close()
          return fail('no-connection')
        }
        const chosen = app.setActive(id)
        if (!chosen.ok) {
          if (former === null) await opened.value.close()
          return chosen
        }
        if (former === null) run(opened.value)
        if (active !== opened.value) makeActive(opened.value)
        if (opened.value.key.state() === 'loading') void loadKey(opened.value)
        return ok(view(opened.value))
      })
    },

    async remove(id, agreed, keepLocal = false) {
      nextRequest()
      const done = await whenOpen([id], async () => {
        const record = find(id)
        if (record === undefined) return fail('no-connection')
        const unsent = await inspect(record, countPending)
        if (unsent.ok && unsent.value > agreed) return fail('edits-wait')
        const local = await keepOrForgetLocal(record, keepLocal)
        if (!local.ok) return local
        if (app.activeConnection()?.id === id) {
          const left = app.setActive(null)
          if (!left.ok) return left
        }
        await stop(id)
        // Without its key, an account whose removal fails is not opened again.
        const forgotten = options.forgetSecrets(id)
        // Removed last, so that a removal that fails halfway can be repeated.
        const emptied = record.sample ? await sample.erase() : ok(undefined)
        const erased = emptied.ok ? options.discard(record) : emptied
        if (!erased.ok) {
          problems.set(id, erased.error)
          options.onActive(active)
          return erased
        }
        const removed = app.removeConnection(id)
        return removed.ok ? ok({ forgotten }) : removed
      })
      // Awaited outside the queue, because the keychain may wait for the user.
      return done.ok ? ok({ keyLeft: !(await done.value.forgotten).ok }) : done
    },

    resumed() {
      for (const connection of all()) connection.resumed()
      reopenFailed()
    },

    dismissSalvage: () => (active !== null && active.salvaged() !== null ? active : app).dismissSalvage(),

    sweep: () => options.sweep(),

    setVisible(visible) {
      isVisible = visible
      for (const connection of all()) showStatus(connection)
      active?.autoRefresh.setShown(visible)
    },

    keychainOpened() {
      options.sweep()
      // Edits whose password could not be unsealed are held until this call.
      for (const { outbox } of all()) outbox.wake()
      void loadKeys()
    },

    async retryKeychain() {
      if (active === null) return fail('no-connection')
      const loaded = await loadKey(active, 'find')
      if (loaded.ok) void loadKeys()
      return loaded
    },

    close() {
      if (closing !== null) return closing
      ending.resolve()
      const cancelWait = options.after(MAX_OPENING_WAIT, () => tooLate.resolve())
      closing = queue.then(async () => {
        await Promise.all(opening.values())
        cancelWait()
        cancelRetry()
        await Promise.all([...running.keys()].map(stop))
        await sample.close()
      })
      return closing
    },
  }

  /** Makes {@link Connections.problem} return the error, and returns it. */
  function rememberProblem<T>(failed: Result<T> & { ok: false }): Result<void> {
    problem = failed.error
    options.onActive(null)
    return failed
  }
}
