import { ok, type AppError, type Result } from '../../../shared/result.ts'
import { createUpdatedAtTracker } from '../deliver/acknowledged-times.ts'
import { attemptDelivery } from '../deliver/attempt.ts'
import type { AttemptPorts } from '../deliver/apply-retry-policy.ts'
import { backoffDelay } from '../backoff.ts'
import { isUnconfirmedCreate, isSent, isUnreadable } from '../model/edit.ts'
import { REQUESTS_PER_STEP, type Gate, type OutboxPorts } from '../ports.ts'
import { readOr } from '../read-or.ts'
import { createPreflightReads } from '../remote/preflight-reads.ts'
import { createLateWriteWatch } from '../late-writes/watch.ts'
import { nextEditOf, type NextEdit } from '../model/next-edit.ts'
import { withoutRequestsAfterStop } from './stop-guard.ts'
import type { Holds } from './holds.ts'
import { limitHoldReason } from '../deliver/website-limit.ts'

/** Milliseconds that a stop waits for the request in flight, whose outcome is safe to lose (docs/sync.md#quitting). */
const STOP_GRACE = 1_000

const NO_SKIPPED_EDITS = { seq: 0, until: Infinity }

/**
 * Sends edits one at a time (docs/sync.md#sending-order). `onStep(null)`: a hold on all websites, or the failure, has changed.
 */
export function createReplay(
  ports: OutboxPorts,
  holds: Holds,
  progress: { done: () => void },
  onStep: (websites: string[] | null) => void,
) {
  const { store, clock, connectivity, random } = ports
  const asking = { ...ports, ...withoutRequestsAfterStop(ports, () => active) }
  const lateWrites = createLateWriteWatch(asking)
  const preflight = createPreflightReads(asking)
  const updatedAtTracker = createUpdatedAtTracker()
  const attemptPorts: AttemptPorts = {
    ...{ ...asking, holds, preflight, updatedAtTracker, unwritten: new Map(), isActive: () => active },
    // Without this, the window would show the values from before the read until the request has ended.
    onSending: (website) => onStep([website]),
  }
  /** No edit before the position `seq` can go before `until`, by the monotonic clock, unless something else changes. */
  let skippedEdits = NO_SKIPPED_EDITS
  let active = false
  /** True if replay was woken and has not looked for an edit since. */
  let due = false
  let running: Promise<void> | null = null
  let cancelTimer = () => {}
  let stopListening = () => {}
  let storageFailures = 0
  let failure: AppError | null = null
  let lastGate: string | null = null

  /** Looks for an edit to send, from the first one on. */
  function wake(): void {
    skippedEdits = NO_SKIPPED_EDITS
    resume()
  }

  /** Looks for an edit to send, after those that were skipped. */
  function resume(): void {
    due = true
    if (active && running === null) running = sendQueue().finally(ended)
  }

  /** Starts replay again if it was woken during its last step. */
  function ended(): void {
    running = null
    if (due) resume()
  }

  /** Takes steps until no edit may go now, then tells the connectivity whether edits are still pending. */
  async function sendQueue(): Promise<void> {
    while (due && active) {
      due = false
      cancelTimer()
      while (active && (await step()));
    }
    const pending = store.read(() => ok(store.counts().waiting > 0))
    if (!pending.ok || !active) return
    connectivity.setWaiting('outbox', pending.value)
    if (!pending.value) announceFailure(null)
  }

  /** Returns true if another step may follow at once. */
  async function step(): Promise<boolean> {
    const gate = connectivity.gate(REQUESTS_PER_STEP)
    announceGate(gate)
    if (!gate.open) {
      if (gate.reason === 'rate' || gate.reason === 'budget') return sleepUntil(gate.until)
      // Clear an old error: the disk isn't retried while nothing may be sent, and the next attempt reports a new error.
      announceFailure(null)
      return sleepUntil(null)
    }
    const lateWrite = lateWrites.due()
    if ('website' in lateWrite) return endStep(lateWrite.website, await lateWrites.look(lateWrite.website))
    const picked = store.read(pickNextEdit)
    if (!picked.ok) return pauseForDisk(picked.error)
    if ('until' in picked.value) return sleepUntil(earlier(picked.value.until, lateWrite.until))
    return attemptEdit(picked.value)
  }

  /** Returns true if another step may follow at once. */
  async function attemptEdit(nextEdit: NextEdit): Promise<boolean> {
    const { edit, website } = nextEdit
    onStep([website.key])
    const result = await attemptDelivery(attemptPorts, nextEdit)
    if (readOr(store, false, () => store.edit(edit.id) === null)) progress.done()
    lateWrites.noteStep(website.key)
    // Check all edits again: the outcome of this one could not be stored, or this step may have freed others.
    if (!result.ok || mayFreeCreates(nextEdit)) skippedEdits = NO_SKIPPED_EDITS
    return endStep(website.key, result)
  }

  /** Returns true if another step may follow at once. */
  function endStep(website: string, result: Result<unknown>): boolean {
    if (active) onStep([website])
    if (!result.ok) return pauseForDisk(result.error)
    storageFailures = 0
    announceFailure(null)
    return true
  }

  /**
   * Returns the first edit that can be sent now; if there is none, the earliest time at which one can be. Starts after the edits
   * that the last search found held.
   */
  function pickNextEdit(): Result<NextEdit | { until: number | null }> {
    // There is no order between websites, so edits of websites that were just read go first, while the read is recent.
    const first = preflight.next((nextEdit) => holds.of(nextEdit.edit) === null && isReadable(nextEdit))
    if (first !== null) return ok(first)
    if (skippedEdits.until <= clock.monotonic()) skippedEdits = NO_SKIPPED_EDITS
    const full = limitHoldReason(store, holds) !== null
    for (const head of store.firstEdits(skippedEdits.seq)) {
      const wait = holds.of(head)
      const needsRoom = full && head.kind === 'create'
      const isHeld = head.depends || wait !== null || (needsRoom && head.attempts === 0)
      const found = isHeld ? null : nextEditOf(store, store.website(head.website))
      // An edit that may have been applied already is looked up first, even without room for a create.
      const nextEdit =
        needsRoom && found !== null && !isSent(found.edit) && !isUnconfirmedCreate(found.edit) ? null : found
      skippedEdits = { seq: head.seq, until: Math.min(skippedEdits.until, wait?.until ?? Infinity) }
      if (nextEdit !== null && isReadable(nextEdit)) return ok(nextEdit)
    }
    return ok({ until: skippedEdits.until === Infinity ? null : skippedEdits.until })
  }

  function pauseForDisk(error: AppError): false {
    storageFailures += 1
    announceFailure(error)
    return sleepUntil(clock.monotonic() + backoffDelay(storageFailures, random))
  }

  /** Null sets no timer. Returns false, because no step follows at once. */
  function sleepUntil(time: number | null): false {
    cancelTimer()
    if (time !== null && active) cancelTimer = clock.after(Math.max(0, time - clock.monotonic()), resume)
    return false
  }

  /** Keeps the error that stops all sending (null if there is none), and reports a new one. */
  function announceFailure(error: AppError | null): void {
    const isNew = error?.code !== failure?.code
    failure = error
    if (isNew) onStep(null)
  }

  /** Reports a gate that has opened, or that is closed for another reason than before. */
  function announceGate(gate: Gate): void {
    const is = gate.open ? null : gate.reason
    if (is === lastGate) return
    lastGate = is
    onStep(null)
  }

  return {
    wake,
    /** Resolves when no request is in flight. While the gate is closed, none follows. */
    async atRest() {
      while (running !== null) await running
    },
    latestTime: updatedAtTracker.latest,
    failure: () => failure,
    start() {
      if (store.readOnly) return
      active = true
      lateWrites.start()
      stopListening = connectivity.onChange(wake)
      wake()
    },
    async stop() {
      active = false
      cancelTimer()
      stopListening()
      connectivity.setWaiting('outbox', false)
      if (running === null) return
      let cancelGrace = () => {}
      const grace = new Promise<void>((resolve) => (cancelGrace = clock.after(STOP_GRACE, resolve)))
      await Promise.race([running, grace])
      cancelGrace()
    },
  }
}

/** An unreadable edit could change what the website's other edits do, so none of them is sent. */
const isReadable = ({ edits }: NextEdit): boolean => !edits.some(isUnreadable)

/** True if a step with this website may make room for creates or cancel one, so that held edits have to be checked again. */
const mayFreeCreates = ({ edits }: NextEdit): boolean => edits.some(({ kind }) => kind === 'delete')

/** Null stands for never. */
const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
