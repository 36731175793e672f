import type { Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'

/** Number of added edits after which a backup is due. */
export const DUE_AFTER_EDITS = 50
/** Milliseconds from the first write of a run until its first backup is due. It is short, so that short runs are backed up too. */
const FIRST_DUE_AFTER_AGE = 60_000
/** Milliseconds from the first write after a backup until the next backup is due. */
const DUE_AFTER_AGE = 10 * 60_000
/** Milliseconds without a write after which the outbox counts as idle. */
const IDLE = 250

/** Settles when the last backup that is due has been made. The files are copied one after another, so that the app stays responsive. */
let lastBackup: Promise<unknown> = Promise.resolve()

/** A store that can be backed up. */
export interface BackupSource {
  /**
   * Calls `listener` with the number of added edits after each transaction of the outbox (or of the app's own file), after
   * tags, notes, presets or views were saved or removed, and after a refresh has changed websites. Replaces the listener of an earlier call.
   */
  onWrite(listener: (added: number) => void): void
  /** Makes a backup and removes the oldest one. Errors: `disk-full`, `storage`; then earlier backups are unchanged. */
  backUp(): Promise<Result<void>>
}

/**
 * Makes backups after 50 edits or 10 minutes, the first one after a minute, whichever is first, when the outbox is idle
 * and no other file is being backed up. Returns a function that stops it.
 */
export function scheduleBackups(store: BackupSource, clock: Pick<Clock, 'after'>): () => void {
  let edits = 0
  let isDue = false
  let isRunning = false
  let isStopped = false
  let dueAfter = FIRST_DUE_AFTER_AGE
  let cancelAge: (() => void) | null = null
  let cancelIdle = () => {}

  /** Makes a backup once no other call has followed for {@link IDLE}, unless one is being made. */
  function whenIdle(): void {
    cancelIdle()
    if (!isRunning) cancelIdle = clock.after(IDLE, () => void backUp())
  }

  /** Notes that a backup is due. While one is due, each write delays it. */
  function due(): void {
    isDue = true
    whenIdle()
  }

  async function backUp(): Promise<void> {
    edits = 0
    isDue = false
    cancelAge?.()
    cancelAge = null
    dueAfter = DUE_AFTER_AGE
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
