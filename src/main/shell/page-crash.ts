import type { BrowserWindow } from 'electron'
import type { Log } from '../log/log.ts'

const MINUTE = 60_000
const RELOADS_A_MINUTE = 3

export interface AfterCrash {
  /** The page is loaded anew. */
  onReload: () => void
  /** It went on ending, and its window is closed. */
  onGivenUp: () => void
  log: Log
}

/**
 * Loads a page whose process has ended anew, where the person was: its address tells. A page that goes on ending has its
 * window closed, which is told, and another one is made when it's asked for.
 */
export function reloadAfterCrash(window: BrowserWindow, { onReload, onGivenUp, log }: AfterCrash): void {
  let reloads: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log('pageGone', { reason, exitCode })
    if (window.isDestroyed()) return
    const now = performance.now()
    reloads = [...reloads.filter((at) => now - at < MINUTE), now]
    if (reloads.length <= RELOADS_A_MINUTE) {
      reload(window)
      onReload()
      return
    }
    window.destroy()
    onGivenUp()
  })
}

/**
 * Reloads the page without bringing a window in the background to the front: on Linux Electron activates the window when
 * its page gets a new process (https://github.com/electron/electron/issues/42578).
 */
function reload(window: BrowserWindow): void {
  const { webContents } = window
  if (process.platform === 'linux' && !window.isFocused()) {
    window.setFocusable(false)
    webContents.once('did-stop-loading', () => window.setFocusable(true))
  }
  webContents.reload()
}
