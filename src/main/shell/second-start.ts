import { app, dialog } from 'electron'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { m } from '../../messages/index.ts'

/** Milliseconds that the first instance has for its answer: its start may be under way, or a long quit. */
const ANSWERS_WITHIN = 10_000

/** Returns the path of the note that a second start leaves. `pid`: the id of its process. */
const notePath = (pid: number): string => join(app.getPath('userData'), `second-start-${String(pid)}`)

/**
 * Takes the lock of the only instance; returns false if another instance has it, and notifies that instance of this start.
 *
 * Chromium accepts that message natively, even if the other instance's JavaScript doesn't react to it. Each start
 * therefore leaves a note in the data folder first, and the other instance deletes the note once it has acted.
 */
export function claimFirstInstance(): boolean {
  const note = notePath(process.pid)
  try {
    mkdirSync(app.getPath('userData'), { recursive: true })
    writeFileSync(note, '')
  } catch {
    // Without a note there's no answer to wait for; the first instance reports the folder's error itself.
  }
  const first = app.requestSingleInstanceLock({ pid: process.pid })
  if (first) rmSync(note, { force: true })
  return first
}

/** Ends a second start: silently if the first instance has acted on it, else with an error. */
export async function endSecondStart(): Promise<void> {
  const note = notePath(process.pid)
  for (const deadline = Date.now() + ANSWERS_WITHIN; existsSync(note); await wait(50)) {
    if (Date.now() < deadline) continue
    rmSync(note, { force: true })
    console.error(`${m.dialog_not_responding()}\n${m.dialog_not_responding_body()}`)
    // Linux shows no dialog before the app is ready.
    await app.whenReady()
    dialog.showErrorBox(m.dialog_not_responding(), m.dialog_not_responding_body())
    return app.exit(1)
  }
  app.quit()
}

/** Tells a second start that this instance has acted on it. `data` is what came with the event. */
export function answerSecondStart(data: unknown): void {
  const { pid } = (data ?? {}) as { pid?: unknown }
  if (typeof pid === 'number' && Number.isSafeInteger(pid)) rmSync(notePath(pid), { force: true })
}
