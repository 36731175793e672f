import { app, dialog } from 'electron'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { m } from '../../messages/index.ts'

/** Milliseconds in which the first instance has to react. It may still be starting, or be quitting for long. */
const ANSWERS_WITHIN = 10_000

/** A second start creates this file, and the first instance deletes it once it has reacted. `pid`: of the second start. */
const notePath = (pid: number): string => join(app.getPath('userData'), `second-start-${String(pid)}`)

/**
 * Takes the lock of the only instance. If another instance has the lock, notifies it and returns false. Chromium accepts the
 * message even if that instance hangs, so each start leaves a file first, which the other instance deletes once it has acted.
 */
export function claimFirstInstance(): boolean {
  const note = notePath(process.pid)
  try {
    mkdirSync(app.getPath('userData'), { recursive: true })
    writeFileSync(note, '')
  } catch {
    // Without the file, nothing is awaited. The first instance reports the folder's error itself.
  }
  const first = app.requestSingleInstanceLock({ pid: process.pid })
  if (first) rmSync(note, { force: true })
  return first
}

/** Ends a second start: silently if the first instance has acted on it, or else with an error. */
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

/** Lets a second start end silently. `data`: from its event. */
export function answerSecondStart(data: unknown): void {
  const { pid } = (data ?? {}) as { pid?: unknown }
  if (typeof pid === 'number' && Number.isSafeInteger(pid)) rmSync(notePath(pid), { force: true })
}
