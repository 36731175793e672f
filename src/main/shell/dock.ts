import type { Dock } from 'electron'

/** Milliseconds for which macOS ignores a `hide` after another change (Electron's documentation of `dock.hide`). */
const SETTLE_TIME = 1100

/**
 * Shows the app in macOS' dock only while its window is open. The window's own events don't serve: they also come when another
 * window covers it. Two changes in quick succession would leave icons behind (https://github.com/electron/electron/issues/21810),
 * so the latest request waits for the one before. `open`: true if the app starts with its window.
 */
export function createDock(
  dock: Pick<Dock, 'isVisible' | 'show' | 'hide'> | undefined,
  open: boolean,
): (open: boolean) => void {
  if (dock === undefined) return () => undefined
  let shown = dock.isVisible()
  let isWindowOpen = open
  let settling = false

  /** Applies the latest request, unless macOS may still ignore it. */
  function settle(): void {
    if (settling || isWindowOpen === shown) return
    shown = isWindowOpen
    settling = true
    if (shown) void dock?.show()
    else dock?.hide()
    setTimeout(() => {
      settling = false
      settle()
    }, SETTLE_TIME)
  }

  settle()
  return (now) => {
    isWindowOpen = now
    settle()
  }
}
