import { app } from 'electron'
import type { Log } from '../log/log.ts'

/**
 * Quits in order: `release` lets the window close, `close` puts everything down. Edits are on disk: that waits for no
 * network, only for the request in flight to be put down as in doubt.
 */
export function quitInOrder(release: () => void, close: () => Promise<void>, log: Log): void {
  let closed = false
  let closing: Promise<void> | undefined
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    event.preventDefault()
    if (closing === undefined) log('quitting', {})
    closing ??= close()
      .catch(() => log('notClosedInOrder', {}))
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}
