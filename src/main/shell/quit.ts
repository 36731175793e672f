import type { App, PowerMonitor } from 'electron'
import type { Log } from '../log/log.ts'

/** The app and the callbacks that {@link quitInOrder} calls one after another. */
export interface QuitOptions {
  app: Pick<App, 'on' | 'quit'>
  power: Pick<PowerMonitor, 'on'>
  /** Lets the window close. Called at each request to quit. */
  release: () => void
  close: () => Promise<void>
  /** Called last, if everything was closed and the system is not shutting down. */
  onClosed: () => void
  log: Log
}

/**
 * Closes all parts before the app quits. A request in progress has one second to end (docs/sync.md#quitting). The returned
 * function tells if the quit is under way.
 */
export function quitInOrder({ app, power, release, close, onClosed: last, log }: QuitOptions): () => boolean {
  let closed = false
  let systemEnds = false
  let closing: Promise<void> | undefined
  power.on('shutdown', () => {
    systemEnds = true
  })
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    // A shutdown waits for nothing: macOS cancels the logout if an app delays its quit
    // (https://github.com/electron/electron/issues/230). macOS also sends "shutdown" for a quit from the dock's menu
    // (https://github.com/electron/electron/issues/15022).
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
        // Not in a microtask: for a signal, Electron runs microtasks during the prevented quit, and then resets its quit flag.
        setImmediate(() => app.quit())
      })
  })
  return () => closing !== undefined
}
