import type { Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'

/** Number of new edits after which a backup is due. */
export const DUE_AFTER_EDITS = 50
/** From the first write of a run until its first backup is due. Short, so that short runs are backed up too. */
const FIRST_DUE_AFTER_MS = 60_000
/** From the first write after a backup until the next backup is due. */
const DUE_AFTER_MS = 10 * 60_000
/** After this long without a write, the outbox counts as idle. */
const IDLE_MS = 250

/** Files are copied one after another, so that the app stays responsive. */
let lastBackup: Promise<unknown> = Promise.resolve()

/** A database of which backups are made. */
export interface BackupSource {
  /**
   * Calls `listener` after each write that a backup should include, with the number of edits that the write has added. Replaces
   * the listener of an earlier call.
   */
  onWrite(listener: (added: number) => void): void
  /** Makes a backup and removes the oldest one. Errors: `disk-full`, `storage`; then earlier backups are unchanged. */
  backUp(): Promise<Result<void>>
}

/** Makes backups when the outbox is idle and no other file is being backed up. Returns a function that stops this. */
export function scheduleBackups(store: BackupSource, clock: Pick<Clock, 'after'>): () => void {
  let edits = 0
  let isDue = false
  let isRunning = false
  let isStopped = false
  let dueAfter = FIRST_DUE_AFTER_MS
  let cancelAge: (() => void) | null = null
  let cancelIdle = () => {}

  /** Makes a backup once no other call has followed for {@link IDLE_MS}, unless one is being made. */
  function whenIdle(): void {
    cancelIdle()
    if (!isRunning) cancelIdle = clock.after(IDLE_MS, () => void backUp())
  }

  /** Each further write delays a backup that is due. */
  function due(): void {
    isDue = true
    whenIdle()
  }

  async function backUp(): Promise<void> {
    edits = 0
    isDue = false
    cancelAge?.()
    cancelAge = null
    dueAfter = DUE_AFTER_MS
    isRunning = true
    const made = lastBackup.then(() => (isStopped ? null : store.backUp()))
    lastBackup = made.catch(() => null)
    await made
    isRunning = false
    if (isDue) whenIdle()
  }

  store.onWrite((added) => {
    edits += added
    cancelAge ??= clock.after(dueAfter, due)
    if (isDue || edits >= DUE_AFTER_EDITS) due()
  })
  return () => {
    isStopped = true
    store.onWrite(() => {})
    cancelAge?.()
    cancelIdle()
    isDue = false
  }
}
