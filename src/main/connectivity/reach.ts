import type { Reach } from '../../shared/connection.ts'
import type { AppError } from '../../shared/result.ts'
import { backoffDelay } from '../outbox/backoff.ts'
import type { Clock, Connectivity, Random } from '../outbox/ports.ts'
import { isKeyError, isUnconnected } from '../outbox/never-sent.ts'
import type { AnswerMeta, Outcome } from '../service/outcome.ts'
import { wrapService, type Service } from '../service/port.ts'
import type { Budget } from './budget.ts'
import { authenticatedRead } from './probe.ts'

/**
 * The reachability of the service, learned from its answers:
 *
 *     unknown ---> online <---> offline      offline: a request could not be sent, or a probe failed; probed with backoff
 *
 * It also tracks whether the key is accepted. An answer in doubt (5xx, time-out, not the service) does not change the
 * state: its receiver calls {@link Connectivity.probe}.
 */
export interface ReachMonitor extends Connectivity {
  state(): Reach
  /** Returns a service whose answers update the state. */
  wrap(service: Service): Service
  /** The key was replaced: what is known of the earlier key is dropped, and a probe is made at once. */
  keyChanged(): void
  /**
   * The computer has woken from sleep: answers to earlier requests no longer tell the service's time or whether the key is
   * accepted, and a probe is made if anything waits for the service.
   */
  resumed(): void
  /**
   * Reports what the operating system says about the network. It may be wrong, so a probe is made if it contradicts the
   * state.
   */
  hint(online: boolean): void
  stop(): void
}

export interface ReachPorts {
  /** The service for probes: with the budget, but without {@link ReachMonitor.wrap}. */
  service: Service
  budget: Budget
  clock: Clock
  random: Random
}

/**
 * Answer time in milliseconds up to which the `Date` of an answer counts as the service's time at its arrival. A slower answer may
 * have been made long before, so that the service's clock would seem slow (docs/sync.md#create-in-doubt).
 */
const QUICK_ANSWER = 1_000
/** Maximum milliseconds by which a slow answer is dated back: the time that a request may take. */
const MAX_ANSWER_DELAY = 30_000

/** Returns what the text about an offline state depends on. */
const offlineCodeAndStatus = (reach: Reach): string | null =>
  reach.state === 'offline' ? `${reach.error.code} ${String(reach.error.status)}` : null

/** Returns the code of the error that made the service unreachable, or null while it is not offline. */
const offlineCode = (reach: Reach): string | null => (reach.state === 'offline' ? reach.error.code : null)

export function createReach({ service, budget, clock, random }: ReachPorts): ReachMonitor {
  const listeners = new Set<() => void>()
  /** The owners that have work for the service. */
  const waiters = new Set<string>()
  let reach: Reach = { state: 'unknown' }
  let keyError: AppError | null = null
  /** Number of key changes and sleeps. */
  let generation = 0
  let failures = 0
  /** The time of the next probe while offline, by the monotonic clock. */
  let nextAt = 0
  let hasAnswered = false
  let lastDate: { date: number; at: number } | null = null
  let probing: Promise<boolean> | null = null
  let cancelTimer = () => {}
  let stopped = false

  function setState(next: Reach, key: AppError | null): void {
    const changed =
      next.state !== reach.state ||
      offlineCodeAndStatus(next) !== offlineCodeAndStatus(reach) ||
      key?.code !== keyError?.code
    reach = next
    keyError = key
    if (next.state !== 'offline') failures = 0
    scheduleProbe()
    if (changed && !stopped) for (const listener of listeners) listener()
  }

  /**
   * Updates the state from any answer. An answer to a request of an earlier generation says nothing about the current
   * key.
   */
  function recordAnswer(outcome: Outcome<unknown>, of: number): void {
    if (of === generation && outcome.outcome === 'applied') recordDate(outcome.meta)
    const ofKey = (error: AppError | null) => (of === generation ? error : keyError)
    if (outcome.outcome === 'applied') return setState({ state: 'online' }, ofKey(null))
    const { error } = outcome
    if (error.code === 'unauthenticated') return setState({ state: 'online' }, ofKey(error))
    if (isKeyError(error.code)) return setState(reach, ofKey(error))
    // The request was cancelled by this app, so it says nothing about the service.
    if (error.code === 'no-connection') return
    if (isUnconnected(error.code)) return reach.state === 'offline' ? undefined : goOffline(error)
    // A service that rejects all requests is offline until it rejects one for another reason or accepts it.
    if (outcome.outcome === 'notApplied' && error.code !== offlineCode(reach)) setState({ state: 'online' }, keyError)
  }

  /**
   * Notes that the service has answered since the last sleep, and its time if the answer has one. While no quick answer has told the
   * time, a slow one counts as made when it was asked for.
   */
  function recordDate({ date, took = 0 }: AnswerMeta): void {
    hasAnswered = true
    const isQuick = took <= QUICK_ANSWER
    if (date === undefined || (!isQuick && lastDate !== null)) return
    lastDate = { date, at: clock.monotonic() - (isQuick ? 0 : Math.min(took, MAX_ANSWER_DELAY)) }
  }

  /** Sets the state to offline, and the time of the next probe, which is later after each further failure. */
  function goOffline(error: AppError): void {
    failures += 1
    nextAt = clock.monotonic() + backoffDelay(failures, random)
    setState({ state: 'offline', since: reach.state === 'offline' ? reach.since : clock.wall(), error }, keyError)
  }

  /** Starts the single timer for the next probe, if anything waits for the service. */
  function scheduleProbe(): void {
    cancelTimer()
    cancelTimer = () => {}
    if (stopped || reach.state !== 'offline' || waiters.size === 0 || probing !== null) return
    cancelTimer = clock.after(Math.max(0, nextAt - clock.monotonic()), () => void probe())
  }

  function probe(): Promise<boolean> {
    if (stopped) return Promise.resolve(false)
    if (probing !== null) return probing
    const mine = probeOnce(generation).finally(() => {
      if (probing !== mine) return
      probing = null
      scheduleProbe()
    })
    probing = mine
    return mine
  }

  /** Makes a probe of this generation. Resolves to true if the service has answered and accepts the key. */
  async function probeOnce(of: number): Promise<boolean> {
    cancelTimer()
    const outcome = await authenticatedRead(service)
    if (stopped) return false
    // The key has changed or the computer has slept since this probe started, so its caller gets the result of a new
    // one.
    if (of !== generation) return probe()
    const { error } = outcome.outcome === 'applied' ? { error: null } : outcome
    const proof = error === null || isKeyError(error.code) || error.code === 'rate-limited'
    if (proof) recordAnswer(outcome, of)
    else if (error.code !== 'no-connection') goOffline(error)
    return error === null
  }

  /**
   * Starts a new generation: answers to requests in progress no longer count for the key and the service's clock, and a running
   * probe is repeated.
   */
  function ignorePending(): void {
    generation += 1
    failures = 0
    probing = null
  }

  return {
    wrap: (service) =>
      wrapService(service, async (ask) => {
        const of = generation
        const outcome = await ask()
        recordAnswer(outcome, of)
        return outcome
      }),
    resumed() {
      ignorePending()
      // Some systems stop the monotonic clock during sleep, so the service's time is unknown afterwards.
      hasAnswered = false
      lastDate = null
      if (waiters.size > 0) void probe()
    },
    keyChanged() {
      ignorePending()
      // Starts the probe before the listeners are called, so that they share it.
      void probe()
      setState(reach, null)
    },
    probe,
    state: () => reach,
    hasAnswered: () => hasAnswered,
    serviceDate: () => (lastDate === null ? null : lastDate.date + clock.monotonic() - lastDate.at),
    timeFor: (requests) => budget.timeToAnswer(requests, 'replay'),
    gate(requests) {
      if (keyError !== null) return { open: false, reason: 'key', error: keyError, until: null }
      if (reach.state === 'offline') {
        return { open: false, reason: 'connection', error: reach.error, until: waiters.size > 0 ? nextAt : null }
      }
      const ms = budget.delay('replay', requests)
      return ms > 0 ? { open: false, reason: 'rate', error: null, until: clock.monotonic() + ms } : { open: true }
    },
    retryNow() {
      if (reach.state !== 'offline' && keyError === null) return
      failures = 0
      void probe()
    },
    setWaiting(owner, waiting) {
      const wasWaiting = waiters.has(owner)
      if (waiting) waiters.add(owner)
      else waiters.delete(owner)
      if (wasWaiting !== waiting) scheduleProbe()
    },
    hint(online) {
      if (online === (reach.state === 'offline')) void probe()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop() {
      stopped = true
      cancelTimer()
    },
  }
}
