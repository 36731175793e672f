import type { BrowserWindow } from 'electron'
import type { Log } from '../log/log.ts'

const MINUTE = 60_000
const RELOADS_A_MINUTE = 3

/**
 * Loads a page whose process has ended anew, where the person was: its address tells. A page that goes on ending has its
 * window closed, and another one is made when it's asked for.
 */
export function reloadAfterCrash(window: BrowserWindow, log: Log, onReload: () => void): void {
  let reloads: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log('pageGone', { reason, exitCode })
    if (window.isDestroyed()) return
    const now = performance.now()
    reloads = [...reloads.filter((at) => now - at < MINUTE), now]
    if (reloads.length > RELOADS_A_MINUTE) return window.destroy()
    window.webContents.reload()
    onReload()
  })
}
