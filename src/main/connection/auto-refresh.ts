import type { Clock, Random } from '../outbox/ports.ts'
import type { ReachMonitor } from '../connectivity/reach.ts'
import type { Refresh } from '../replica/refresh.ts'

const MINUTE = 60_000
/** The list is refreshed when it is shown, if the last refresh began more than this many milliseconds ago. */
const MAX_AGE_WHEN_SHOWN = 5 * MINUTE
/** Maximum random delay of a background refresh that is due, in milliseconds, so that several accounts don't begin at once. */
const MAX_RANDOM_DELAY = MINUTE
/** Largest share of the time that background refreshes of a long list may take. */
const MAX_TIME_SHARE = 0.1
/**
 * Milliseconds until the first retry of a failed refresh after the start or a sleep, when the network may not be there yet. The
 * time doubles with each failure. After a success, a failed refresh waits for the interval.
 */
const FIRST_RETRY = MINUTE

/** The conditions for a background refresh, which all connections share. */
export interface RefreshConditions {
  /** Milliseconds between two refreshes; null for never. */
  interval(): number | null
  onBattery(): boolean
  /** True while the computer sleeps, or sending is paused. A refresh that runs in the background then waits. */
  isHeld(): boolean
  onChange(listener: () => void): () => void
}

/**
 * Decides when a connection's list is refreshed automatically: when its key is loaded, when the computer wakes, when the list is
 * shown and too old, and at the interval of the settings, shown or not. A list that is shown is also refreshed when the
 * service is back, or accepts the key again, after a refresh that failed. A refresh that fails after the start or after
 * sleep is tried again earlier.
 */
export interface AutoRefresh {
  /** The list became visible to the user, or invisible. */
  setShown(shown: boolean): void
  /** True if the list is visible to the user. */
  isShown(): boolean
  /** The key was loaded or replaced: a list that is shown is refreshed at once, another one when its refresh is due. */
  keyAvailable(): void
  /** The computer has woken from sleep: a list that is shown is refreshed at once. The refresh of any other list is now due. */
  resumed(): void
  stop(): void
}

export interface AutoRefreshPorts {
  clock: Clock
  random: Random
  refresh: Pick<Refresh, 'run' | 'rerun' | 'state' | 'holdChanged' | 'requests'>
  /** Returns the milliseconds that this many requests of a refresh take if the connection makes no others. */
  timeOf: (requests: number) => number
  reach: Pick<ReachMonitor, 'state' | 'gate' | 'onChange' | 'setWaiting'>
  conditions: RefreshConditions
  /** False if the list can't be read: the connection has no key, or its file is of a newer version. */
  canRead: () => boolean
}

export function createAutoRefresh({ clock, random, refresh, reach, ...parts }: AutoRefreshPorts): AutoRefresh {
  const { conditions, canRead, timeOf } = parts
  let isShown = false
  let startedAt: number | null = null
  /** Number of requests of the last successful refresh. */
  let requests = 0
  /**
   * Milliseconds until a failed refresh is tried again, if the interval is longer. Infinite after a success: a failed refresh then
   * waits for the interval.
   */
  let retryAfter = FIRST_RETRY
  /** Largest number of milliseconds until the next refresh, before battery power makes it longer. */
  let maxWait = Infinity
  let wasAway = isAway()
  let cancelTimer = (): void => undefined
  let stopped = false

  /** Begins a refresh, or joins the running one, and schedules the next one. Does nothing if the list cannot be read. */
  async function run(begin = () => refresh.run(isHeld)): Promise<void> {
    cancelTimer()
    if (stopped || !canRead()) return
    const start = clock.monotonic()
    startedAt = start
    const result = await begin()
    // A refresh that was already running is counted once.
    if (startedAt !== start) return
    if (result.ok) requests = refresh.requests()
    maxWait = result.ok ? Infinity : retryAfter
    retryAfter = 2 * maxWait
    schedule()
  }

  /** True if the service can't be reached or rejects the key. */
  function isAway(): boolean {
    const gate = reach.gate()
    return !gate.open && (gate.reason === 'connection' || gate.reason === 'key')
  }

  /** Refreshes a list that is shown if its last refresh failed. One that runs may have lost a request, so its end is awaited. */
  async function runIfFailed(): Promise<void> {
    if (refresh.state().running) await refresh.run(isHeld)
    if (isShown && refresh.state().error !== null) await run()
  }

  /** True if a refresh has to wait now. A refresh of a list that is shown never waits. */
  const isHeld = (): boolean => !isShown && conditions.isHeld()

  /** Milliseconds between the starts of two refreshes. */
  function period(interval: number): number {
    return (conditions.onBattery() ? 2 : 1) * Math.min(maxWait, Math.max(interval, timeOf(requests) / MAX_TIME_SHARE))
  }

  /** Schedules the next refresh at the interval of the settings, in place of the one that was scheduled. None during a hold. */
  function schedule(): void {
    cancelTimer()
    const interval = conditions.interval()
    if (stopped || interval === null || conditions.isHeld()) return
    const due = startedAt === null ? 0 : Math.max(0, startedAt + period(interval) - clock.monotonic())
    cancelTimer = clock.after(due + random.fraction() * MAX_RANDOM_DELAY, () => {
      // A run that began before a sleep or a pause doesn't replace the refresh that is due.
      if (refresh.state().running) schedule()
      else void run()
    })
  }

  const stopWatching = [
    conditions.onChange(() => {
      refresh.holdChanged()
      schedule()
    }),
    reach.onChange(() => {
      const isBack = wasAway && !isAway() && reach.state().state === 'online'
      wasAway = isAway()
      if (isBack) void runIfFailed()
    }),
  ]

  return {
    isShown: () => isShown,
    setShown(shown) {
      isShown = shown
      refresh.holdChanged()
      reach.setWaiting('window', shown)
      if (!shown) return schedule()
      const isOld = startedAt === null || clock.monotonic() - startedAt >= MAX_AGE_WHEN_SHOWN
      if (isOld || refresh.state().error !== null) void run()
    },
    keyAvailable() {
      if (isShown) void run()
      else schedule()
    },
    resumed() {
      // A refresh is due in any case, because the monotonic clock may have stood still during the sleep.
      startedAt = null
      retryAfter = FIRST_RETRY
      // A refresh that runs has read a part of the list before the sleep.
      if (isShown) void (refresh.state().running ? run(() => refresh.rerun(isHeld)) : run())
      else schedule()
    },
    stop() {
      stopped = true
      cancelTimer()
      for (const stop of stopWatching) stop()
    },
  }
}
