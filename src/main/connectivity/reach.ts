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
 * The reachability of the service, learned from its responses:
 *
 *     unknown ---> online <---> offline      offline: a request could not be sent, or a probe failed; probed with backoff
 *
 * It also tracks whether the key is accepted. An outcome in doubt (5xx, time-out, not the service) does not change the state.
 * The code that gets such an outcome calls {@link Connectivity.probe}.
 */
export interface ReachMonitor extends Connectivity {
  state(): Reach
  /** Returns a service whose responses update the state. */
  wrap(service: Service): Service
  /** The key was replaced: forgets what is known about the earlier key, and probes at once. */
  keyChanged(): void
  /** Woken from sleep: probes if anything waits. Responses to earlier requests no longer tell the key's state or the time. */
  resumed(): void
  /** Takes what the operating system says about the network. It may be wrong, so a contradiction only causes a probe. */
  hint(online: boolean): void
  stop(): void
}

export interface ReachPorts {
  /** For probes: within the budget, but without {@link ReachMonitor.wrap}. */
  service: Service
  budget: Budget
  clock: Clock
  random: Random
}

/**
 * Milliseconds. A slower response may have been made long before it arrived, so its `Date` would make the service's clock seem
 * slow (docs/sync.md#create-in-doubt).
 */
const QUICK_ANSWER = 1_000
/** Maximum milliseconds by which a slow response is dated back. No request takes longer. */
const MAX_ANSWER_DELAY = 30_000

const offlineCodeAndStatus = (reach: Reach): string | null =>
  reach.state === 'offline' ? `${reach.error.code} ${String(reach.error.status)}` : null

const offlineCode = (reach: Reach): string | null => (reach.state === 'offline' ? reach.error.code : null)

export function createReach({ service, budget, clock, random }: ReachPorts): ReachMonitor {
  const listeners = new Set<() => void>()
  /** The owners that wait for the service. Without any, an offline service isn't probed. */
  const waiters = new Set<string>()
  let reach: Reach = { state: 'unknown' }
  let keyError: AppError | null = null
  /** Incremented by each key change and sleep, to recognize responses to earlier requests. */
  let generation = 0
  let failures = 0
  /** Monotonic time of the next probe while offline. */
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

  /** `of`: the generation of the request. A response to an earlier generation says nothing about the current key. */
  function recordAnswer(outcome: Outcome<unknown>, of: number): void {
    if (of === generation && outcome.outcome === 'applied') recordDate(outcome.meta)
    const ofKey = (error: AppError | null) => (of === generation ? error : keyError)
    if (outcome.outcome === 'applied') return setState({ state: 'online' }, ofKey(null))
    const { error } = outcome
    if (error.code === 'unauthenticated') return setState({ state: 'online' }, ofKey(error))
    if (isKeyError(error.code)) return setState(reach, ofKey(error))
    // This app has canceled the request, so the error says nothing about the service.
    if (error.code === 'no-connection') return
    if (isUnconnected(error.code)) return reach.state === 'offline' ? undefined : goOffline(error)
    // A service that rejects all requests stays offline until it rejects one for another reason or accepts one.
    if (outcome.outcome === 'notApplied' && error.code !== offlineCode(reach)) setState({ state: 'online' }, keyError)
  }

  /** Until a quick response has told the service's time, a slow one counts as made when its request was sent. */
  function recordDate({ date, took = 0 }: AnswerMeta): void {
    hasAnswered = true
    const isQuick = took <= QUICK_ANSWER
    if (date === undefined || (!isQuick && lastDate !== null)) return
    lastDate = { date, at: clock.monotonic() - (isQuick ? 0 : Math.min(took, MAX_ANSWER_DELAY)) }
  }

  /** Each further failure delays the next probe. */
  function goOffline(error: AppError): void {
    failures += 1
    nextAt = clock.monotonic() + backoffDelay(failures, random)
    setState({ state: 'offline', since: reach.state === 'offline' ? reach.since : clock.wall(), error }, keyError)
  }

  /** Does nothing if nothing waits for the service. */
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

  /** Resolves to true if the service has responded and accepts the key. */
  async function probeOnce(of: number): Promise<boolean> {
    cancelTimer()
    const outcome = await authenticatedRead(service)
    if (stopped) return false
    // The key has changed or the computer has slept, so the caller gets the result of a new probe.
    if (of !== generation) return probe()
    const { error } = outcome.outcome === 'applied' ? { error: null } : outcome
    const proof = error === null || isKeyError(error.code) || error.code === 'rate-limited'
    if (proof) recordAnswer(outcome, of)
    else if (error.code !== 'no-connection') goOffline(error)
    return error === null
  }

  /** From now on, responses to earlier requests say nothing about the key or the time, and a running probe is repeated. */
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
      // The probe starts before the listeners are called, so that they share it.
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
      if (ms <= 0) return { open: true }
      const reason = budget.isSetByService() ? 'rate' : 'budget'
      return { open: false, reason, error: null, until: clock.monotonic() + ms }
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
