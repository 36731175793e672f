import type { Dock } from 'electron'

/** Milliseconds: as long as macOS ignores a `hide` after another change (Electron's documentation of `dock.hide`). */
const SETTLES = 1100

/**
 * macOS' dock has the app only while its window is open. The window's own events don't tell: they come when another
 * window covers it, too. Two changes at once would leave icons behind
 * (https://github.com/electron/electron/issues/21810), so the last wish is carried out once the one before has settled.
 * Every app starts in the dock; `open`: whether this one starts with its window.
 */
export function createDock(
  dock: Pick<Dock, 'isVisible' | 'show' | 'hide'> | undefined,
  open: boolean,
): (open: boolean) => void {
  if (dock === undefined) return () => undefined
  let shown = dock.isVisible()
  let wanted = open
  let settling = false

  function settle(): void {
    if (settling || wanted === shown) return
    shown = wanted
    settling = true
    if (shown) void dock?.show()
    else dock?.hide()
    setTimeout(() => {
      settling = false
      settle()
    }, SETTLES)
  }

  settle()
  return (now) => {
    wanted = now
    settle()
  }
}
