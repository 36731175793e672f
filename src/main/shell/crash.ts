import { app, dialog } from 'electron'
import { errorOriginOf } from '../log/error-origin.ts'
import type { Log } from '../log/log.ts'
import { runningAppImage } from '../updates/app-image.ts'
import { AFTER_CRASH_SWITCH, restartArguments } from './start-arguments.ts'
import { m } from '../../messages/index.ts'

/** Seconds. An app that was restarted after a crash and crashes again within this time is not restarted again. */
const MIN_UPTIME = 60

/** True if the app restarted itself after an uncaught error. */
export const startedAfterCrash = (): boolean => process.argv.includes(AFTER_CRASH_SWITCH)

/**
 * Logs an uncaught error and restarts the app, because the process can't be trusted any more; edits are on disk. If the restarted
 * app crashes within a minute, it shows an error and ends.
 */
export function restartOnCrash(log: Log): void {
  let ending = false
  const end = (by: 'exception' | 'rejection', thrown: unknown): void => {
    if (ending) return
    ending = true
    log('crashed', { by, ...errorOriginOf(thrown) })
    if (startedAfterCrash() && process.uptime() < MIN_UPTIME)
      dialog.showErrorBox(m.dialog_stopped(), m.dialog_stopped_body())
    else relaunch(AFTER_CRASH_SWITCH)
    app.exit(1)
  }
  process.on('uncaughtException', (error) => end('exception', error))
  process.on('unhandledRejection', (reason) => end('rejection', reason))
}

/** Starts the app again, with its window, once this process has ended. */
export function relaunch(...more: string[]): void {
  const args = [...restartArguments(process.argv.slice(1)), ...more]
  const image = runningAppImage(process.execPath, process.env)
  app.relaunch(image === null ? { args } : { args, execPath: image })
}
