import type { App, PowerMonitor } from 'electron'
import type { Log } from '../log/log.ts'

export interface QuitParts {
  app: Pick<App, 'on' | 'quit'>
  power: Pick<PowerMonitor, 'on'>
  /** Lets the window close. */
  release: () => void
  /** Puts everything down. */
  close: () => Promise<void>
  /** The last thing, where all was put down and the system goes on. */
  last: () => void
  log: Log
}

/**
 * Quits in order. Edits are on disk: that waits for no network, only for the request in flight to be put down as in doubt.
 *
 * Where the system ends, nothing is waited for: macOS takes an app that holds its quit back for one that refuses, and gives
 * up the logout (https://github.com/electron/electron/issues/230). A request in flight is then in doubt at the next start.
 * There “shutdown” comes for a quit from the dock's menu, too (https://github.com/electron/electron/issues/15022).
 *
 * For SIGTERM, SIGINT and SIGHUP Electron runs microtasks inside the quit that is held back, and clears the quit's flag after
 * them: a second quit from a microtask would be lost. It has to come in a turn of its own.
 *
 * Answers whether it's under way.
 */
export function quitInOrder({ app, power, release, close, last, log }: QuitParts): () => boolean {
  let closed = false
  let systemEnds = false
  let closing: Promise<void> | undefined
  power.on('shutdown', () => {
    systemEnds = true
  })
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    if (!systemEnds) event.preventDefault()
    if (closing !== undefined) return
    log('quitting', {})
    closing = close()
      .then(() => {
        closed = true
        if (!systemEnds) last()
      })
      .catch(() => log('notClosedInOrder', {}))
      .finally(() => {
        closed = true
        setImmediate(() => app.quit())
      })
  })
  return () => closing !== undefined
}
