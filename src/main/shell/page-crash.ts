import type { BrowserWindow } from 'electron'
import type { Log } from '../log/log.ts'

const MINUTE = 60_000
/** Maximum number of reloads in a minute. After one more crash, the window is closed. */
const RELOADS_A_MINUTE = 3

export interface PageCrashOptions {
  onReload: () => void
  /** The page kept crashing, so its window was closed. */
  onGiveUp: () => void
  log: Log
}

/** Reloads a crashed page at its address, which names the screen. If the page keeps crashing, closes the window. */
export function reloadAfterCrash(
  window: BrowserWindow,
  { onReload, onGiveUp: onGivenUp, log }: PageCrashOptions,
): void {
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

/** On Linux, Electron would bring a window in the background to the front (https://github.com/electron/electron/issues/42578). */
function reload(window: BrowserWindow): void {
  const { webContents } = window
  if (process.platform === 'linux' && !window.isFocused()) {
    window.setFocusable(false)
    webContents.once('did-stop-loading', () => window.setFocusable(true))
  }
  webContents.reload()
}
