import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import { ACCOUNT_NOT_SHOWN_CODES } from '../connectivity/probe.ts'
import type { Clock, Connectivity } from '../outbox/ports.ts'
import { readOr } from '../outbox/read-or.ts'
import type { Service } from '../service/port.ts'
import { readList, type ReadPorts } from './read-list.ts'
import type { EditedWebsitesStore, RemoteChange, RemoteChangesReport, ReplicaStore } from './ports.ts'
import { createSendWithRetry, type SendWithRetry } from './ask.ts'

type RemoteListener = (news: RemoteChangesReport, changes: Iterable<RemoteChange[]>) => void

interface RefreshState {
  running: boolean
  /** Number of runs that have ended. */
  ended: number
  /** Number of websites that the current or last run has read. */
  read: number
  /** Number of websites in the account; null if the service doesn't say it. */
  total: number | null
  /** Start of the last complete run, in milliseconds since 1970. Only for display. */
  seenAt: number | null
  /** The error of the last run that has ended; null if it succeeded. */
  error: AppError | null
  /**
   * The time until which the run waits, in milliseconds since 1970: for the rate limit if that is more than a minute, or at its start
   * for the `Retry-After` of the last run's error.
   */
  waitsUntil?: number
}

/** True for what a run has changed in the replica. Both are false if only the state of the run has changed. */
interface RefreshChange {
  websites: boolean
  account: boolean
}

export interface RefreshPorts {
  /**
   * `sweepLocal` removes the tags and notes of domains that have left the list long ago; `now` is in milliseconds since 1970, or
   * null if the time is not certain.
   */
  store: ReplicaStore & EditedWebsitesStore & { sweepLocal(now: number | null): Result<void> }
  service: Service
  connectivity: Connectivity
  clock: Clock
  newest: ReadPorts['newest']
  /** Returns the number of days for which the activity is kept. */
  keepDays: () => number
}

/** Number of remote changes that are read in one turn of the event loop. */
const CHANGES_AT_ONCE = 500

/** The hold check of a refresh that nothing holds. */
const neverHeld = (): boolean => false

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

export type Refresh = ReturnType<typeof createRefresh>

/** Reads the list and the account from the service into the replica. */
export function createRefresh({ store, service, connectivity, clock, newest, keepDays }: RefreshPorts) {
  const listeners = new Set<(change: RefreshChange) => void>()
  const remoteListeners = new Set<RemoteListener>()
  let running: Promise<Result<void>> | null = null
  let next: Promise<Result<void>> | null = null
  let ended = 0
  let error: AppError | null = null
  let seenAt: number | null = null
  let seen = new Set<string>()
  let total: number | null = null
  let requests = 0
  let isHeld = neverHeld
  let isNextHeld: (() => boolean) | undefined
  const held = new Set<() => void>()
  const stopping = new AbortController()
  const stop = stopping.signal

  const notifyListeners = (change: Partial<RefreshChange> = {}) => {
    if (stop.aborted) return
    for (const listener of listeners) listener({ websites: false, account: false, ...change })
  }
  const sendWithRetry = createSendWithRetry(clock, stop)
  const ask: SendWithRetry = (request) =>
    sendWithRetry(async () => {
      requests += 1
      const outcome = await request()
      if (outcome.outcome !== 'applied' && outcome.error.code === 'rate-limited') notifyListeners()
      return outcome
    })
  const ports: ReadPorts = {
    store,
    service,
    ask,
    stop,
    clock,
    newest,
    onRead(read) {
      for (const { id } of read.websites) seen.add(id)
      total = read.total ?? total
      notifyListeners({ websites: read.changed })
    },
    onRemoved: () => notifyListeners({ websites: true }),
  }

  async function runOnce(): Promise<Result<void>> {
    seen = new Set()
    total = null
    requests = 0
    notifyListeners()
    const [websites, account] = await Promise.all([readList(ports), readAccount()])
    const result = websites.ok ? account : websites
    error = result.ok ? null : result.error
    // Either one page or the whole service failed. A probe finds out which.
    if (!result.ok && !stop.aborted && !isHeld() && connectivity.gate().open) await connectivity.probe()
    return result
  }

  async function readAccount(): Promise<Result<void>> {
    const read = await ask(() => service.account())
    // Some hosts don't show the account. Then the list is enough, and its error counts more.
    if (!read.ok) return ACCOUNT_NOT_SHOWN_CODES.includes(read.error.code) ? ok(undefined) : read
    const saved = store.saveAccount(read.value, clock.wall())
    if (saved.ok) notifyListeners({ account: true })
    return saved
  }

  /**
   * Begins a run, or joins the current one. A run sends nothing while the `isHeld` it was begun with returns true. Calling `run`
   * without `isHeld`, or {@link rerun}, ends this hold. Errors: those of the service client, `storage`, `disk-full`.
   */
  function run(isRunHeld?: () => boolean): Promise<Result<void>> {
    if (stop.aborted) return Promise.resolve(fail('no-connection'))
    if (running === null) isHeld = isRunHeld ?? neverHeld
    else if (isRunHeld === undefined) endHold()
    running ??= runOnce().finally(() => {
      running = null
      ended += 1
      notifyListeners()
      if (!stop.aborted) pruneAndReport()
    })
    return running
  }

  /** Returns the time until which the run waits, unless the wait is too short to tell the user. */
  function waitsUntil(): Pick<RefreshState, 'waitsUntil'> {
    const gate = connectivity.gate()
    if (running === null || gate.open || gate.reason !== 'rate' || gate.until === null) return {}
    const wait = gate.until - clock.monotonic()
    const leastWait = error?.retryAfter !== undefined && seen.size === 0 ? 0 : MINUTE
    return wait > leastWait ? { waitsUntil: clock.wall() + wait } : {}
  }

  /** Continues the current run, whatever its hold. */
  function endHold(): void {
    isHeld = neverHeld
    holdChanged()
  }

  /** Evaluates the hold again. Call it when the result of `isHeld` may have changed. */
  function holdChanged(): void {
    for (const resolve of held) resolve()
    held.clear()
  }

  /** If the run has succeeded, removes old activity and the tags and notes of domains long gone. Reports new remote changes. */
  function pruneAndReport(): void {
    const [wall, serviceDate] = [clock.wall(), connectivity.serviceDate()]
    // This computer's clock may be wrong, so nothing is removed unless the service's clock agrees (docs/sync.md#clocks).
    const isConfirmed = serviceDate !== null && Math.abs(wall - serviceDate) < DAY
    if (error === null) {
      if (isConfirmed) store.pruneActivity(wall - keepDays() * DAY)
      store.sweepLocal(isConfirmed ? wall : null)
    }
    if (remoteListeners.size === 0) return
    const news = store.takeRemoteNews()
    if (!news.ok || news.value === null) return
    for (const listener of remoteListeners) listener(news.value, changesIn(news.value))
  }

  /** Yields the added and changed websites in slices, each read when it is asked for. Ends early at an error of the storage. */
  function* changesIn({ after, until }: RemoteChangesReport): Generator<RemoteChange[]> {
    for (let from = after; ;) {
      const read = store.remoteChangesBetween(from, until, CHANGES_AT_ONCE)
      const last = read.ok ? read.value.at(-1) : undefined
      if (!read.ok || last === undefined) return
      yield read.value
      from = last.n
    }
  }

  /**
   * Begins a run now. If one is running, ends its hold and begins another right after it. `isRunHeld` is as for {@link run}; one
   * call without it is enough for the next run to have no hold.
   */
  function rerun(isRunHeld?: () => boolean): Promise<Result<void>> {
    if (running === null) return run(isRunHeld)
    endHold()
    if (next === null || isRunHeld === undefined) isNextHeld = isRunHeld
    next ??= running.then(() => {
      next = null
      return run(isNextHeld)
    })
    return next
  }

  /** Calls {@link rerun} without waiting. Returns the value that `ended` has when that run has ended. */
  function request(): number {
    const answering = ended + (running === null ? 1 : 2)
    void rerun()
    return answering
  }

  return {
    run,
    rerun,
    request,
    /** Returns a promise that resolves when the hold of the current run may have ended, or null if the run isn't held. */
    hold: () => (isHeld() && !stop.aborted ? new Promise<void>((resolve) => held.add(resolve)) : null),
    holdChanged,
    /** Returns the number of requests of the current or last run. */
    requests: () => requests,
    /** Ends the current run at once and ignores answers that are still to come. */
    stop() {
      stopping.abort()
      holdChanged()
    },
    state(): RefreshState {
      seenAt = readOr(store, seenAt, () => store.completeAt())
      return { running: running !== null, ended, read: seen.size, total, seenAt, error, ...waitsUntil() }
    },
    /**
     * Called after a run with the number of remote changes that were recorded since the last call, also over a restart, and with the
     * added and changed websites, slice by slice, in the order of the activity. Nothing is counted as reported before there is a
     * listener. Returns a function that removes the listener.
     */
    onRemoteChanges(listener: RemoteListener) {
      remoteListeners.add(listener)
      return () => void remoteListeners.delete(listener)
    },
    /**
     * Called at the start and end of a run, when it waits after a 429, and when it has stored websites or the account, or removed a
     * website. Returns a function that removes the listener.
     */
    onChange(listener: (change: RefreshChange) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
