import { m } from '../../messages/index.ts'
import { normaliseAddress, type ConnectionView, type SecretStorage } from '../../shared/connection.ts'
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

/** Milliseconds after which the files that couldn't be opened are opened again. */
const REOPEN_INTERVAL = 60_000

/** Milliseconds for which closing waits for a file that is being opened. A restore that is cut short has changed nothing. */
const MAX_OPENING_WAIT = 1_000

export function createConnections(options: ConnectionsOptions): Connections {
  const { app, sample } = options
  /** The connections that run, by id, each with a function that stops watching it. */
  const running = new Map<string, { connection: OpenConnection; stopWatching: () => void }>()
  /** The connections that are opened apart from the queue, by id. Each promise resolves once the connection runs or has failed. */
  const opening = new Map<string, Promise<Result<void>>>()
  /** The errors of opening saved connections, by id. */
  const problems = new Map<string, AppError>()
  let cancelRetry = (): void => undefined
  let active: OpenConnection | null = null
  let problem: AppError | null = null
  let isVisible = false
  /** The reads of the keychain at the start, one after another. Each may wait for the user; the first refusal ends them. */
  let keyLoads: Promise<Result<void>> = Promise.resolve(ok(undefined))
  /** Resolves once all changes of the connections that have been requested are done. */
  let queue: Promise<unknown> = Promise.resolve()
  /** Number of the user's latest request to add, show, close or remove a connection. */
  let latestRequest = 0
  /** Resolves when the user makes another request than the latest one. */
  let outdated = Promise.withResolvers<void>()
  let closing: Promise<void> | null = null
  /** Resolves when the app begins to close. */
  const ending = Promise.withResolvers<void>()
  /** Resolves when closing no longer waits for the files that are being opened. */
  const tooLate = Promise.withResolvers<void>()
  /** Resolves when the window first shows a connection. */
  const firstShown = Promise.withResolvers<void>()

  const isClosing = (): boolean => closing !== null

  /** Runs `work` after all earlier changes of the connections. Fails with `no-connection` once the app is closing. */
  function inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = queue.then(() => (closing === null ? work() : fail('no-connection')))
    queue = next.catch(() => undefined)
    return next
  }

  /** Runs `work`, which needs these connections, in turn. Waits first for those that are being opened. */
  function whenOpen<T>(ids: readonly string[], work: () => Promise<Result<T>>): Promise<Result<T>> {
    const opens = ids.flatMap((id) => opening.get(id) ?? [])
    return opens.length === 0 ? inTurn(work) : Promise.all(opens).then(() => inTurn(work))
  }

  /**
   * Like {@link whenOpen}. Fails with `no-connection` if the user has made another request after the one with the number `mine`.
   */
  function ifLatest<T>(mine: number, ids: readonly string[], work: () => Promise<Result<T>>): Promise<Result<T>> {
    return whenOpen(ids, async () => (mine === latestRequest ? work() : fail('no-connection')))
  }

  /** Counts a request of the user, and returns its number. */
  function nextRequest(): number {
    outdated.resolve()
    outdated = Promise.withResolvers()
    return ++latestRequest
  }

  /** Returns the result of a call of the keychain, which may wait for the user. Fails with `no-connection` once the app is closing. */
  const unlessClosing = <T>(call: Promise<Result<T>>): Promise<Result<T>> =>
    Promise.race([call, ending.promise.then(() => fail('no-connection'))])

  /** Opens the file of a connection. Fails with `no-connection` if that takes too long once the app is closing. */
  const open: ConnectionsOptions['open'] = (...given) =>
    Promise.race([options.open(...given), tooLate.promise.then(() => fail('no-connection'))])

  const find = (id: string): StoredConnection | undefined => app.connections().find((record) => record.id === id)
  const runningOf = (id: string): OpenConnection | null => running.get(id)?.connection ?? null
  const all = (): OpenConnection[] => [...running.values()].map(({ connection }) => connection)
  const view = (connection: OpenConnection): ConnectionView => connectionViewOf(connection, find(connection.record.id))

  const clientOf = (record: StoredConnection, key: ConnectionKey): ServiceClient =>
    options.service(record.address, () => key.current(), record.id)

  /** Starts a connection, which then sends its edits whether it is shown or not. */
  function run(connection: OpenConnection): void {
    const { id } = connection.record
    followAccountName(connection, app)
    problems.delete(id)
    running.set(id, { connection, stopWatching: options.onRun(connection) })
    showStatus(connection)
    connection.start()
  }

  /** The window shows the status of every account, so each one that is offline is probed while the window is visible. */
  const showStatus = ({ reach }: OpenConnection): void => reach.setWaiting('accounts', isVisible)

  /** Shows a connection in the window, or none. The one that was shown keeps running. */
  function makeActive(next: OpenConnection | null): void {
    const former = active
    active = next
    problem = null
    if (former !== next) former?.autoRefresh.setShown(false)
    next?.autoRefresh.setShown(isVisible)
    if (next !== null) firstShown.resolve()
    options.onActive(next)
  }

  /** Stops and closes a connection that runs. If the window shows it, the window then shows none. */
  async function stop(id: string): Promise<void> {
    const found = running.get(id)
    if (found === undefined) return
    running.delete(id)
    found.stopWatching()
    if (active === found.connection) makeActive(null)
    await found.connection.close()
  }

  /** Calls `at` with the saved connection. A connection that doesn't run is opened for this and closed again. */
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
    /** Sends its requests with the key. */
    service: ServiceClient
    userAnswer: boolean | undefined
    /** Number of the user's request, for {@link ifLatest}. */
    mine: number
  }

  /**
   * Finds the existing connection that a key belongs to, or null. `wasUnused`: the connection accepts any key, as long as no edit
   * is queued for it. Sends requests that may take long, so the search is not made in turn: the user can switch to another
   * account meanwhile.
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
    // The user is not asked about the account after another request.
    if (!same.ok) return ifLatest<never>(mine, [], async () => same)
    return ok(same.value === null ? null : { id: same.value.id, wasUnused: unused.has(same.value.id) })
  }

  /** True if the connection has a key, local data or presets, which another account must not take over unasked. */
  function isInUse({ record, key, localData, presets }: OpenConnection): boolean {
    const listed = presets.list()
    const hasPresets = !listed.ok || listed.value.length > 0
    return key.current() !== null || options.hasStoredKey(record.id) || localData.hasAny() || hasPresets
  }

  /** Stores the key and shows the connection. After an error, no connection was added, and the window shows what it showed. */
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
    // The record has the account, which the open connection may not know yet.
    restoreLocal({ ...opened.value, record })
    opened.value.keyChanged()
    return ok(view(opened.value))
  }

  /**
   * Keeps the tags, notes and views of a connection that is removed, together with those kept when its account was removed before, or
   * forgets both. Fails if they can't be kept together. Does nothing if the account couldn't be recognised later, or if the user was not asked because there are none.
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

  /**
   * Gives a connection the tags, notes and views of the removed connection of the same account. On an error, they stay kept, as
   * there may be too many together.
   */
  function restoreLocal(connection: OpenConnection): Result<unknown> {
    const account = accountIdentityOf(connection)
    const removed = account === null ? undefined : app.keptLocalData(account)
    if (account === null || removed === undefined) return ok(undefined)
    const merged = connection.localData.merge(removed)
    return merged.ok ? app.keepLocalData(account, null) : merged
  }

  /** Stores the key, the chosen certificates, the record and which connection is active. An error leaves no new connection. */
  async function saveAll(record: StoredConnection, holder: ConnectionKey, key: Secret, storage: SecretStorage) {
    const isNew = find(record.id) === undefined
    const replaced = await unlessClosing(holder.replace(key, storage))
    const adopted =
      !replaced.ok || record.sample ? replaced : await unlessClosing(options.adoptNetwork(record.id, storage))
    const saved = adopted.ok ? app.saveActive(record) : adopted
    // A keychain that did not answer in time may still store the key.
    if (!saved.ok && isNew) {
      await unlessClosing(holder.forget())
      await unlessClosing(options.forgetSecrets(record.id))
    }
    return saved
  }

  /**
   * Opens the file of a saved connection. For the sample data, starts the sample service first. Keeps an error in `problems` if the
   * file is opened again later.
   */
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

  /** Notes why the file of a connection couldn't be opened, and opens it again later. */
  function noteProblem(id: string, error: AppError): void {
    problems.set(id, error)
    options.onActive(active)
    cancelRetry()
    cancelRetry = options.after(REOPEN_INTERVAL, () => reopenFailed())
  }

  /** True if a connection has a key in the keychain or is to be shown. Both are false once the user has removed it. */
  const isWanted = (id: string): boolean => options.hasStoredKey(id) || app.activeConnection()?.id === id

  /** Opens again the connections whose files couldn't be opened, except files of a newer version. */
  function reopenFailed(records = app.connections()): void {
    for (const record of records) {
      const { id } = record
      const code = problems.get(id)?.code
      const mayOpen = code !== undefined && code !== 'newer-version'
      if (mayOpen && isWanted(id) && !opening.has(id)) void openApart(record)
    }
  }

  /** Loads the key from the keychain. Callers do not wait for the result, as the keychain may wait for the user. */
  async function loadKey(connection: OpenConnection, call?: 'get' | 'find'): Promise<Result<void>> {
    const loaded = await connection.key.load(call)
    if (runningOf(connection.record.id) === connection && connection.key.current() !== null) connection.keyChanged()
    return loaded
  }

  /**
   * Loads the keys that aren't loaded yet. Continues after a key that was removed from the keychain, but stops at the first
   * refusal, so that the user isn't prompted for each account.
   */
  async function loadKeys(): Promise<void> {
    const connections = [...(active === null ? [] : [active]), ...all().filter((each) => each !== active)]
    for (const connection of connections) {
      const waits = ['loading', 'locked'].includes(connection.key.state())
      if (waits && !(await loadKey(connection, 'find')).ok) return
    }
  }

  /** Opens and runs a saved connection. A file that takes long delays only the work that needs this connection. */
  function openApart(record: StoredConnection): Promise<Result<void>> {
    // The file is opened after the work that is queued now, which may have the same file open.
    const opened = queue.then(() => openAndRun(record)).finally(() => opening.delete(record.id))
    opening.set(record.id, opened)
    return opened
  }

  /**
   * Opens a saved connection and runs it, unless it runs already. The connection that was active when the app ended is shown,
   * unless another one is shown by then.
   */
  async function openAndRun(record: StoredConnection): Promise<Result<void>> {
    if (isClosing() || !isWanted(record.id)) return fail('no-connection')
    if (running.has(record.id)) return ok(undefined)
    const opened = await openStored(record)
    // The user may have closed the app, or chosen another account, in the meantime.
    if (isClosing()) {
      if (opened.ok) await opened.value.close()
      return fail('no-connection')
    }
    const isShown = active === null && app.activeConnection()?.id === record.id
    if (!opened.ok) return isShown ? rememberProblem(opened) : opened
    run(opened.value)
    if (isShown) makeActive(opened.value)
    // After the app's file was lost, keys may be recorded that were never stored. A missing key doesn't count as a refusal.
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
      const normal = normaliseAddress(typed)
      if (!normal.ok) return normal
      const { address } = normal.value
      const service = options.service(address, () => key)
      // After another request, the user doesn't wait for the service, and the key is no longer sent.
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
        // The connection may have been renamed, or an edit queued for it, during the requests.
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
      const normal = normaliseAddress(typed)
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
      return inTurn(async () => {
        if (runningOf(connection.record.id) !== connection) return fail('no-connection')
        // An edit may have been queued during the check. An unused connection accepts any key only while it has no
        // edits.
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
      const disconnected = await inTurn(async () => {
        if (connection === null || active !== connection) return fail('no-connection')
        const left = app.setActive(null)
        if (!left.ok) return left
        await stop(connection.record.id)
        return ok({ forgotten: connection.key.forget() })
      })
      // Awaited outside `inTurn`, because the keychain may wait for the user, and other changes would wait with it.
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
        // Without its key, an account whose removal fails is neither opened again later nor at the next start.
        const forgotten = options.forgetSecrets(id)
        // The record is removed last, so that a removal that fails halfway can be repeated.
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
      // Not awaited in turn, as the keychain may wait for the user.
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

  /** Notes why the connection that was to be shown could not be opened, so that `problem` returns it. Returns the same error. */
  function rememberProblem<T>(failed: Result<T> & { ok: false }): Result<void> {
    problem = failed.error
    options.onActive(null)
    return failed
  }
}
