import { app } from 'electron'

/**
 * Quits in order: `release` lets the window close, `close` puts everything down. Edits are on disk: that waits for no
 * network, only for the request in flight to be put down as in doubt.
 */
export function quitInOrder(release: () => void, close: () => Promise<void>): void {
  let closed = false
  let closing: Promise<void> | undefined
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    event.preventDefault()
    closing ??= close()
      .catch(() => console.error('not everything could be closed in order'))
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}
