import { ok, type Result } from '../../shared/result.ts'
import { attempt, type Turn } from './attempt.ts'
import { backoff } from './backoff.ts'
import type { Gate, OutboxPorts } from './ports.ts'
import type { Waits } from './waits.ts'

/** How long {@link Replay.stop} waits for the request in flight; its outcome is safe to lose (it's in doubt then). */
const STOP_GRACE = 1_000

export interface Replay {
  start(): void
  stop(): Promise<void>
  /** Looks at what waits, now. */
  wake(): void
}

/**
 * Sends what is free to go, one request at a time, in order (sync.md, "Life of an edit"). One timer, and none while
 * nothing waits for a time. `onStep` is told the key of the website that moved; null: what holds all of them changed.
 */
export function createReplay(ports: OutboxPorts, waits: Waits, onStep: (website: string | null) => void): Replay {
  const { store, clock, connectivity, random } = ports
  let active = false
  let due = false
  let running: Promise<void> | null = null
  let cancelTimer = () => {}
  let stopListening = () => {}
  let storageFailures = 0
  let gateWas: string | null = null

  function wake(): void {
    due = true
    if (active && running === null) running = drain().finally(ended)
  }

  /** What woke it in its last moment isn't missed. */
  function ended(): void {
    running = null
    if (due) wake()
  }

  async function drain(): Promise<void> {
    while (due && active) {
      due = false
      cancelTimer()
      while (active && (await step()));
    }
    if (active) connectivity.want('outbox', store.counts().waiting > 0)
  }

  /** Whether there may be another step to take at once. */
  async function step(): Promise<boolean> {
    const gate = connectivity.gate()
    announceGate(gate)
    if (!gate.open) return sleepUntil(gate.reason === 'rate' ? gate.until : null)
    const picked = store.write(pick)
    if (!picked.ok) return rest()
    if ('until' in picked.value) return sleepUntil(picked.value.until)
    const { website } = picked.value
    onStep(website.key)
    const taken = await attempt(ports, waits, picked.value, () => active)
    if (active) onStep(website.key)
    if (!taken.ok) return rest()
    storageFailures = 0
    return true
  }

  /** The first edit that may go; else the earliest time at which one may. */
  function pick(): Result<Turn | { until: number | null }> {
    let until: number | null = null
    let found: string | null = null
    for (const head of store.heads()) {
      if (head.depends) continue
      const wait = waits.of(head)
      if (wait === null) {
        found = head.id
        break
      }
      if (wait.until !== null) until = Math.min(until ?? Infinity, wait.until)
    }
    const edit = found === null ? null : store.edit(found)
    const website = edit === null ? null : store.website(edit.website)
    return ok(edit === null || website === null ? { until } : { edit, website })
  }

  /** The disk is full or fails: replay pauses, and nothing is sent that couldn't be written down. */
  function rest(): false {
    storageFailures += 1
    return sleepUntil(clock.monotonic() + backoff(storageFailures, random))
  }

  function sleepUntil(time: number | null): false {
    cancelTimer()
    if (time !== null && active) cancelTimer = clock.after(Math.max(0, time - clock.monotonic()), wake)
    return false
  }

  function announceGate(gate: Gate): void {
    const is = gate.open ? null : gate.reason
    if (is === gateWas) return
    gateWas = is
    onStep(null)
  }

  return {
    wake,
    start() {
      active = true
      stopListening = connectivity.onChange(wake)
      wake()
    },
    async stop() {
      active = false
      cancelTimer()
      stopListening()
      connectivity.want('outbox', false)
      if (running === null) return
      let cancelGrace = () => {}
      const grace = new Promise<void>((resolve) => (cancelGrace = clock.after(STOP_GRACE, resolve)))
      await Promise.race([running, grace])
      cancelGrace()
    },
  }
}
