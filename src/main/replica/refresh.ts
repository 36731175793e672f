import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Clock, Connectivity } from '../outbox/ports.ts'
import type { Service } from '../service/port.ts'
import { readList, type ReadPorts } from './read-list.ts'
import type { EditedWebsites, ReplicaStore } from './ports.ts'
import { asking } from './asking.ts'

/** Reads the list and the account from the service into the replica. */
export interface Refresh {
  /** Joins a run that is under way. Errors: those of the service client, `storage`, `disk-full`. */
  run(): Promise<Result<void>>
  /** A run that begins now, or right after the one under way. */
  rerun(): Promise<Result<void>>
  /** Begins one so without waiting for it; answers what `ended` is once that has. */
  request(): number
  /** The run under way ends at once; what is still answered is not taken. */
  stop(): void
  /**
   * `ended`: how many runs have; `read` and `total`: how many websites this run (or the last one) has read, and how many
   * there are, where the service tells; `seenAt`: when the last complete run ended, for display alone; `error`: why the last
   * run didn't.
   */
  state(): RefreshState
  /** Told of each page, and of the beginning and the end of a run. */
  onChange(listener: (change: RefreshChange) => void): () => void
}

interface RefreshState {
  running: boolean
  ended: number
  read: number
  total: number | null
  seenAt: number | null
  error: AppError | null
}

interface RefreshChange {
  websites: boolean
  account: boolean
}

export interface RefreshPorts {
  store: ReplicaStore & EditedWebsites
  service: Service
  connectivity: Connectivity
  clock: Clock
  newest: ReadPorts['newest']
}

export function createRefresh({ store, service, connectivity, clock, newest }: RefreshPorts): Refresh {
  const listeners = new Set<(change: RefreshChange) => void>()
  let running: Promise<Result<void>> | null = null
  let next: Promise<Result<void>> | null = null
  let ended = 0
  let error: AppError | null = null
  let seenAt: number | null = null
  let seen = new Set<string>()
  let total: number | null = null
  const stopping = new AbortController()
  const stop = stopping.signal

  const tell = (change: Partial<RefreshChange> = {}) => {
    if (stop.aborted) return
    for (const listener of listeners) listener({ websites: false, account: false, ...change })
  }
  const ask = asking(clock, stop)
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
      tell({ websites: read.changed })
    },
    onGone: () => tell({ websites: true }),
  }

  async function runOnce(): Promise<Result<void>> {
    seen = new Set()
    total = null
    tell()
    const [websites, account] = await Promise.all([readList(ports), readAccount()])
    const result = websites.ok ? account : websites
    error = result.ok ? null : result.error
    // What failed may be one page, or the service: only a look at it tells.
    if (!result.ok && !stop.aborted && connectivity.gate().open) await connectivity.probe()
    return result
  }

  async function readAccount(): Promise<Result<void>> {
    const read = await ask(() => service.account())
    // Not every host shows one; the list is what counts.
    if (!read.ok) return ['not-found', 'forbidden', 'refused'].includes(read.error.code) ? ok(undefined) : read
    const saved = store.saveAccount(read.value, clock.wall())
    if (saved.ok) tell({ account: true })
    return saved
  }

  function run(): Promise<Result<void>> {
    if (stop.aborted) return Promise.resolve(fail('no-connection'))
    running ??= runOnce().finally(() => {
      running = null
      ended += 1
      tell()
    })
    return running
  }

  /** What the run under way has read already may have changed since. */
  function rerun(): Promise<Result<void>> {
    if (running === null) return run()
    next ??= running.then(() => {
      next = null
      return run()
    })
    return next
  }

  function request(): number {
    const answering = ended + (running === null ? 1 : 2)
    void rerun()
    return answering
  }

  return {
    run,
    rerun,
    request,
    stop: () => stopping.abort(),
    state() {
      const read = store.read(() => ok(store.completeAt()))
      if (read.ok) seenAt = read.value
      return { running: running !== null, ended, read: seen.size, total, seenAt, error }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
