import { app } from 'electron'
import type { Log } from '../log/log.ts'

export interface QuitParts {
  /** Lets the window close. */
  release: () => void
  /** Puts everything down. */
  close: () => Promise<void>
  /** The last thing, where all was put down. */
  last: () => void
  log: Log
}

/** Quits in order. Edits are on disk: that waits for no network, only for the request in flight to be put down as in doubt. */
export function quitInOrder({ release, close, last, log }: QuitParts): void {
  let closed = false
  let closing: Promise<void> | undefined
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    event.preventDefault()
    if (closing === undefined) log('quitting', {})
    closing ??= close()
      .then(() => {
        closed = true
        last()
      })
      .catch(() => log('notClosedInOrder', {}))
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}
