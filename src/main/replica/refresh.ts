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
  /** Number of websites in the account; null if the service doesn't tell it. */
  total: number | null
  /** When the last complete run had read its first page, in milliseconds since 1970, for display only. */
  seenAt: number | null
  /** The error of the last run; null if it succeeded. */
  error: AppError | null
  /**
   * Until when the run waits (milliseconds since 1970), if for more than a minute, or before the first page of a run that the user
   * asked for or that follows an error with a `Retry-After`.
   */
  waitsUntil?: number
  /** Why it waits until then. */
  waitsFor?: 'rate' | 'budget'
}

/** The changes of a run in the replica. Both are false if only the state of the run has changed. */
interface RefreshChange {
  websites: boolean
  account: boolean
}

export interface RefreshPorts {
  /** `sweepLocal` removes tags and notes of domains long gone. `now`: milliseconds since 1970; null if not certain. */
  store: ReplicaStore & EditedWebsitesStore & { sweepLocal(now: number | null): Result<void> }
  service: Service
  connectivity: Connectivity
  clock: Clock
  newest: ReadPorts['newest']
  /** The number of days for which the activity is kept. */
  keepDays: () => number
}

const CHANGES_AT_ONCE = 500

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
    // Either one page or the whole service failed: a probe finds out which.
    if (!result.ok && !stop.aborted && !isHeld() && connectivity.gate().open) await connectivity.probe()
    return result
  }

  async function readAccount(): Promise<Result<void>> {
    const read = await ask(() => service.account())
    // Some hosts don't show the account. The list is enough then, and an error of the list counts more.
    if (!read.ok) return ACCOUNT_NOT_SHOWN_CODES.includes(read.error.code) ? ok(undefined) : read
    const saved = store.saveAccount(read.value, clock.wall())
    if (saved.ok) notifyListeners({ account: true })
    return saved
  }

  /**
   * Begins a run, or joins the current one. A run sends nothing while the `isRunHeld` that it began with returns true. A call
   * without `isRunHeld`, or {@link rerun}, ends this hold. Errors: those of the service client, `storage`, `disk-full`.
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

  /** True if the user has asked for the current or last run. */
  const isAskedFor = (): boolean => isHeld === neverHeld

  /** Returns the end of the wait and its reason. Empty if the wait is too short to tell the user. */
  function waitsUntil(): Pick<RefreshState, 'waitsUntil' | 'waitsFor'> {
    const gate = connectivity.gate()
    if (running === null || gate.open || gate.until === null) return {}
    if (gate.reason !== 'rate' && gate.reason !== 'budget') return {}
    const wait = gate.until - clock.monotonic()
    const isTold = total === null && (isAskedFor() || error?.retryAfter !== undefined)
    return wait > (isTold ? 0 : MINUTE) ? { waitsUntil: clock.wall() + wait, waitsFor: gate.reason } : {}
  }

  function endHold(): void {
    isHeld = neverHeld
    holdChanged()
  }

  /** Call it when the result of `isHeld` may have changed. */
  function holdChanged(): void {
    for (const resolve of held) resolve()
    held.clear()
  }

  /**
   * Tells the listeners which remote changes a run has found. If the run had no error, first removes old activity, and tags and notes
   * of domains that left the list long ago.
   */
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

  /** Yields added and changed websites in slices, each read when it is asked for. Ends early if the storage fails. */
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
   * Begins a run now. If one is running, ends its hold and begins another right after it. That next run is held only if every
   * caller passes `isRunHeld`.
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

  /** Calls {@link rerun} without waiting. Returns the value that `ended` has after that run. */
  function request(): number {
    const answering = ended + (running === null ? 1 : 2)
    void rerun()
    return answering
  }

  return {
    run,
    rerun,
    request,
    /** Resolves when the hold of the current run may have ended. Null if the run isn't held. */
    hold: () => (isHeld() && !stop.aborted ? new Promise<void>((resolve) => held.add(resolve)) : null),
    holdChanged,
    isAskedFor,
    /** Number of requests of the current or last run. */
    requests: () => requests,
    /** Ends the current run at once, and ignores responses that are still to come. */
    stop() {
      stopping.abort()
      holdChanged()
    },
    state(): RefreshState {
      seenAt = readOr(store, seenAt, () => store.completeAt())
      return { running: running !== null, ended, read: seen.size, total, seenAt, error, ...waitsUntil() }
    },
    /**
     * Called after a run with the remote changes since the last call, even over a restart, and with the added and changed
     * websites, slice by slice. Without a listener, nothing counts as reported. Returns a function that removes the listener.
     */
    onRemoteChanges(listener: RemoteListener) {
      remoteListeners.add(listener)
      return () => void remoteListeners.delete(listener)
    },
    /**
     * Called when a run starts, ends or waits after a 429, and when it has stored websites or the account, or removed a website.
     * Returns a function that removes the listener.
     */
    onChange(listener: (change: RefreshChange) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
