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
      window.webContents.reload()
      onReload()
      return
    }
    window.destroy()
    onGivenUp()
  })
}
