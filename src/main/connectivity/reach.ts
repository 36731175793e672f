import type { Reach } from '../../shared/connection.ts'
import type { AppError, ErrorCode } from '../../shared/result.ts'
import { backoff } from '../outbox/backoff.ts'
import type { Clock, Connectivity, Random } from '../outbox/ports.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Service } from '../service/port.ts'
import { wrapService } from '../service/wrap.ts'
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
  /** Takes note of any answer. */
  heard(outcome: Outcome<unknown>): void
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

const KEY_CODES: ErrorCode[] = [
  'unauthenticated',
  'key-missing',
  'keychain-missing',
  'keychain-locked',
  'keychain-timeout',
]
const UNSENT_CODES: ErrorCode[] = ['unreachable', 'certificate']

export function createReach({ service, budget, clock, random }: ReachPorts): ReachMonitor {
  const listeners = new Set<() => void>()
  const wanting = new Set<string>()
  let reach: Reach = { state: 'unknown' }
  let keyError: AppError | null = null
  let failures = 0
  let nextAt = 0
  let date: number | null = null
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

  function heard(outcome: Outcome<unknown>): void {
    date = outcome.meta.date ?? date
    if (outcome.outcome === 'applied') return become({ state: 'online' }, null)
    const { error } = outcome
    if (error.code === 'unauthenticated') return become({ state: 'online' }, error)
    if (KEY_CODES.includes(error.code)) return become(reach, error)
    if (UNSENT_CODES.includes(error.code)) return reach.state === 'offline' ? undefined : goOffline(error)
    if (outcome.outcome === 'notApplied') become({ state: 'online' }, keyError)
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
    probing ??= probeOnce().finally(() => {
      probing = null
      arm()
    })
    return probing
  }

  async function probeOnce(): Promise<boolean> {
    cancelTimer()
    const outcome = await authenticatedRead(service)
    if (stopped) return false
    const { error } = outcome.outcome === 'applied' ? { error: null } : outcome
    const proof = error === null || KEY_CODES.includes(error.code) || error.code === 'rate-limited'
    if (proof) heard(outcome)
    else goOffline(error)
    return error === null
  }

  return {
    heard,
    probe,
    state: () => reach,
    serviceDate: () => date,
    gate() {
      if (keyError !== null) return { open: false, reason: 'key', error: keyError, until: null }
      if (reach.state === 'offline') {
        return { open: false, reason: 'connection', error: reach.error, until: wanting.size > 0 ? nextAt : null }
      }
      const ms = budget.wait('replay')
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
export function withReach(service: Service, reach: Pick<ReachMonitor, 'heard'>): Service {
  return wrapService(service, async (ask) => {
    const outcome = await ask()
    reach.heard(outcome)
    return outcome
  })
}
