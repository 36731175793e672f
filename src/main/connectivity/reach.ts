import type { Reach } from '../../shared/connection.ts'
import type { AppError } from '../../shared/result.ts'
import { backoff } from '../outbox/backoff.ts'
import type { Clock, Connectivity, Random } from '../outbox/ports.ts'
import { isKeyError, isUnconnected } from '../outbox/never-sent.ts'
import type { Outcome } from '../service/outcome.ts'
import { wrapService, type Service } from '../service/port.ts'
import type { Budget } from './budget.ts'
import { authenticatedRead } from './probe.ts'

/**
 * What is known of the service, from what its answers tell:
 *
 *     unknown ---> online <---> offline      offline: nothing could be sent, or a probe failed; probed again with backoff
 *
 * and beside that whether the key is good. An answer in doubt (5xx, time-out, something else answering) changes nothing
 * by itself: whoever got it asks for a {@link Connectivity.probe}.
 */
export interface ReachMonitor extends Connectivity {
  state(): Reach
  /** Counts keys, and sleeps; note it before a request, for {@link heard}. */
  generation(): number
  /** Takes note of any answer. To a request of an earlier generation it tells nothing of the key that is used now. */
  heard(outcome: Outcome<unknown>, generation: number): void
  /** Another key is used from here on: what was said of the one before no longer counts, and it's tried at once. */
  keyChanged(): void
  /** The computer was asleep: what was asked before tells nothing of now, and what waits is tried at once. */
  resumed(): void
  /** The operating system's word: never a proof, but a reason to look. */
  hint(online: boolean): void
  stop(): void
}

export interface ReachPorts {
  /** For probes: with the budget, but not {@link withReach}. */
  service: Service
  budget: Budget
  clock: Clock
  random: Random
}

export function createReach({ service, budget, clock, random }: ReachPorts): ReachMonitor {
  const listeners = new Set<() => void>()
  const wanting = new Set<string>()
  let reach: Reach = { state: 'unknown' }
  let keyError: AppError | null = null
  let generation = 0
  let failures = 0
  let nextAt = 0
  let isHeard = false
  let heardDate: { date: number; at: number } | null = null
  let probing: Promise<boolean> | null = null
  let cancelTimer = () => {}
  let stopped = false

  function become(next: Reach, key: AppError | null): void {
    const changed = next.state !== reach.state || key?.code !== keyError?.code
    reach = next
    keyError = key
    if (next.state !== 'offline') failures = 0
    arm()
    if (changed && !stopped) for (const listener of listeners) listener()
  }

  function heard(outcome: Outcome<unknown>, of: number): void {
    if (of === generation && outcome.outcome === 'applied') hearDate(outcome.meta.date)
    const ofKey = (error: AppError | null) => (of === generation ? error : keyError)
    if (outcome.outcome === 'applied') return become({ state: 'online' }, ofKey(null))
    const { error } = outcome
    if (error.code === 'unauthenticated') return become({ state: 'online' }, ofKey(error))
    if (isKeyError(error.code)) return become(reach, ofKey(error))
    // Closed by ourselves: it tells nothing of the service.
    if (error.code === 'no-connection') return
    if (isUnconnected(error.code)) return reach.state === 'offline' ? undefined : goOffline(error)
    if (outcome.outcome === 'notApplied') become({ state: 'online' }, keyError)
  }

  /** Of what is certainly the service, and not from before a sleep. */
  function hearDate(date: number | undefined): void {
    isHeard = true
    if (date !== undefined) heardDate = { date, at: clock.monotonic() }
  }

  function goOffline(error: AppError): void {
    failures += 1
    nextAt = clock.monotonic() + backoff(failures, random)
    become({ state: 'offline', since: reach.state === 'offline' ? reach.since : clock.wall(), error }, keyError)
  }

  /** One timer, and none while nobody waits for the service. */
  function arm(): void {
    cancelTimer()
    cancelTimer = () => {}
    if (stopped || reach.state !== 'offline' || wanting.size === 0 || probing !== null) return
    cancelTimer = clock.after(Math.max(0, nextAt - clock.monotonic()), () => void probe())
  }

  function probe(): Promise<boolean> {
    if (stopped) return Promise.resolve(false)
    if (probing !== null) return probing
    const mine = probeOnce(generation).finally(() => {
      if (probing !== mine) return
      probing = null
      arm()
    })
    probing = mine
    return mine
  }

  async function probeOnce(of: number): Promise<boolean> {
    cancelTimer()
    const outcome = await authenticatedRead(service)
    if (stopped) return false
    // Begun with the key before, or before a sleep: whoever asked for it is told of what is now.
    if (of !== generation) return probe()
    const { error } = outcome.outcome === 'applied' ? { error: null } : outcome
    const proof = error === null || isKeyError(error.code) || error.code === 'rate-limited'
    if (proof) heard(outcome, of)
    else if (error.code !== 'no-connection') goOffline(error)
    return error === null
  }

  /** From here on what is still to be answered tells nothing of the key, nor whether the service is there. */
  function forgetAsked(): void {
    generation += 1
    failures = 0
    probing = null
  }

  return {
    generation: () => generation,
    heard,
    resumed() {
      forgetAsked()
      // On some systems the monotonic clock stands still meanwhile: what has passed since it was heard can't be told.
      isHeard = false
      heardDate = null
      if (wanting.size > 0) void probe()
    },
    keyChanged() {
      forgetAsked()
      // Before anybody is told, so that they join this one.
      void probe()
      become(reach, null)
    },
    probe,
    state: () => reach,
    isHeard: () => isHeard,
    serviceDate: () => (heardDate === null ? null : heardDate.date + clock.monotonic() - heardDate.at),
    timeFor: (requests) => budget.timeToAnswer(requests, 'replay'),
    gate(requests) {
      if (keyError !== null) return { open: false, reason: 'key', error: keyError, until: null }
      if (reach.state === 'offline') {
        return { open: false, reason: 'connection', error: reach.error, until: wanting.size > 0 ? nextAt : null }
      }
      const ms = budget.wait('replay', requests)
      return ms > 0 ? { open: false, reason: 'rate', error: null, until: clock.monotonic() + ms } : { open: true }
    },
    retryNow() {
      if (reach.state !== 'offline' && keyError === null) return
      failures = 0
      void probe()
    },
    want(who, waiting) {
      const wanted = wanting.has(who)
      if (waiting) wanting.add(who)
      else wanting.delete(who)
      if (wanted !== waiting) arm()
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

/** A service each of whose answers is heard. */
export function withReach(service: Service, reach: Pick<ReachMonitor, 'generation' | 'heard'>): Service {
  return wrapService(service, async (ask) => {
    const generation = reach.generation()
    const outcome = await ask()
    reach.heard(outcome, generation)
    return outcome
  })
}
