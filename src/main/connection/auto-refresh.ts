import type { Clock, Random } from '../outbox/ports.ts'
import type { ReachMonitor } from '../connectivity/reach.ts'
import type { Refresh } from '../replica/refresh.ts'

const MINUTE = 60_000
/** A list that becomes visible is refreshed if its last refresh began more than this many milliseconds ago. */
const MAX_AGE_WHEN_SHOWN = 5 * MINUTE
/** Maximum random delay of a background refresh, in milliseconds, so that several accounts don't start at once. */
const MAX_RANDOM_DELAY = MINUTE
/** Maximum share of the time that background refreshes of a long list may take. */
const MAX_TIME_SHARE = 0.1
/** First retry delay in milliseconds after a start or a sleep, when the network may not be there yet. Doubles each time. */
const FIRST_RETRY = MINUTE

/** The state of the computer and the settings on which automatic refreshes depend. */
export interface RefreshConditions {
  /** Milliseconds between two refreshes; null for never. */
  interval(): number | null
  onBattery(): boolean
  /** True while the computer sleeps or sending is paused. Background refreshes wait for this to end. */
  isHeld(): boolean
  onChange(listener: () => void): () => void
}

/**
 * Refreshes a connection's list automatically: when its key is loaded, after a sleep, when the user opens a list that is too old,
 * and at the interval of the settings. After a failed refresh, a visible list is also refreshed once the service can be reached
 * or accepts the key again.
 */
export interface AutoRefresh {
  setShown(shown: boolean): void
  isShown(): boolean
  /** The key was loaded or replaced: refreshes a visible list at once, and a hidden list when its refresh is due. */
  keyAvailable(): void
  /** The computer has woken from sleep: refreshes a visible list at once, and makes the automatic refresh of a hidden list due. */
  resumed(): void
  stop(): void
}

export interface AutoRefreshPorts {
  clock: Clock
  random: Random
  refresh: Pick<Refresh, 'run' | 'rerun' | 'state' | 'holdChanged' | 'requests'>
  /** Returns the milliseconds that this many refresh requests take if the connection makes no others. */
  timeOf: (requests: number) => number
  reach: Pick<ReachMonitor, 'state' | 'gate' | 'onChange' | 'setWaiting'>
  conditions: RefreshConditions
  /** False if the connection has no key, or its file is of a newer version. */
  canRead: () => boolean
}

export function createAutoRefresh({ clock, random, refresh, reach, ...ports }: AutoRefreshPorts): AutoRefresh {
  const { conditions, canRead, timeOf } = ports
  let isShown = false
  let startedAt: number | null = null
  /** Number of requests of the last successful refresh. */
  let requests = 0
  /** Milliseconds until the retry after a failure, unless the interval is shorter. Infinite after a success: no early retry. */
  let retryAfter = FIRST_RETRY
  /** Maximum milliseconds until the next refresh. Battery power doubles it. */
  let maxWait = Infinity
  let wasAway = isAway()
  let cancelTimer = (): void => undefined
  let stopped = false

  /** Runs or joins a refresh, and then schedules the next one. Does nothing if the list cannot be read. */
  async function run(begin = () => refresh.run(isHeld)): Promise<void> {
    cancelTimer()
    if (stopped || !canRead()) return
    const start = clock.monotonic()
    startedAt = start
    const result = await begin()
    // If a later call has joined this refresh, that call handles its end. After a sleep, `resumed` has scheduled the next one.
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

  /** Repeats a failed refresh of a visible list. A running refresh may still fail, so its end is awaited. */
  async function runIfFailed(): Promise<void> {
    if (refresh.state().running) await refresh.run(isHeld)
    if (isShown && refresh.state().error !== null) await run()
  }

  /** True if a refresh has to wait. The refresh of a visible list never waits. */
  const isHeld = (): boolean => !isShown && conditions.isHeld()

  /** Milliseconds between the starts of two refreshes. */
  function period(interval: number): number {
    return (conditions.onBattery() ? 2 : 1) * Math.min(maxWait, Math.max(interval, timeOf(requests) / MAX_TIME_SHARE))
  }

  /** Replaces the scheduled refresh. Schedules none during a sleep or a pause. */
  function schedule(): void {
    cancelTimer()
    const interval = conditions.interval()
    if (stopped || interval === null || conditions.isHeld()) return
    const due = startedAt === null ? 0 : Math.max(0, startedAt + period(interval) - clock.monotonic())
    cancelTimer = clock.after(due + random.fraction() * MAX_RANDOM_DELAY, () => {
      // A refresh that began before a sleep or a pause doesn't replace the one that is due.
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
      // Makes a refresh due, because the monotonic clock may have stood still during the sleep.
      startedAt = null
      retryAfter = FIRST_RETRY
      // A running refresh has read a part of the list before the sleep, so it starts over.
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
