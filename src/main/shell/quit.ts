import type { App, PowerMonitor } from 'electron'
import type { Log } from '../log/log.ts'

export interface QuitParts {
  app: Pick<App, 'on' | 'quit'>
  power: Pick<PowerMonitor, 'on'>
  /** Lets the window close. Called at each request to quit. */
  release: () => void
  /** Stops and closes all parts. */
  close: () => Promise<void>
  /** Runs last if everything was closed and the system is not shutting down. */
  onClosed: () => void
  log: Log
}

/**
 * Closes all parts before the app quits. Edits are on disk already, so the quit doesn't wait for the network: a request in
 * flight is recorded as in doubt. Returns a function that tells whether the quit is under way.
 *
 * When the system shuts down, nothing is waited for: macOS cancels the logout if an app delays its quit
 * (https://github.com/electron/electron/issues/230). A request in flight is then in doubt at the next start. macOS also sends
 * "shutdown" for a quit from the dock's menu (https://github.com/electron/electron/issues/15022).
 *
 * For SIGTERM, SIGINT and SIGHUP, Electron runs microtasks during the prevented quit and then resets its quit flag, so
 * the second quit must not come from a microtask.
 */
export function quitInOrder({ app, power, release, close, onClosed: last, log }: QuitParts): () => boolean {
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
