import { app, dialog } from 'electron'
import { blame } from '../log/error-origin.ts'
import type { Log } from '../log/log.ts'
import { ownImage } from '../updates/app-image.ts'
import { AFTER_CRASH, forRestart } from './start-arguments.ts'
import { m } from '../../messages/index.ts'

/** Seconds. One that ends again so soon would go on ending. */
const SOON = 60

/** Whether the app started itself again after an error that nobody caught. */
export const startedAfterCrash = (): boolean => process.argv.includes(AFTER_CRASH)

/**
 * After an error that nobody caught the process can't be trusted any more: it's logged, and the app starts again, with
 * its window, which says so. Edits are on disk. It isn't done twice in a row.
 */
export function restartOnCrash(log: Log): void {
  let ending = false
  const end = (by: 'exception' | 'rejection', thrown: unknown): void => {
    if (ending) return
    ending = true
    log('crashed', { by, ...blame(thrown) })
    if (startedAfterCrash() && process.uptime() < SOON) dialog.showErrorBox(m.dialog_stopped(), m.dialog_stopped_body())
    else relaunch(AFTER_CRASH)
    app.exit(1)
  }
  process.on('uncaughtException', (error) => end('exception', error))
  process.on('unhandledRejection', (reason) => end('rejection', reason))
}

/** Starts the app again with its window, once it has ended. */
export function relaunch(...more: string[]): void {
  const args = [...forRestart(process.argv.slice(1)), ...more]
  const image = ownImage(process.execPath, process.env)
  app.relaunch(image === null ? { args } : { args, execPath: image })
}
