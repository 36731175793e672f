import { app } from 'electron'

/** Milliseconds: as long as macOS ignores a `hide` after another change (Electron's documentation of `dock.hide`). */
const SETTLES = 1100

/**
 * macOS' dock has the app only while its window is open. The window's own events don't tell: they come when another
 * window covers it, too. Two changes at once would leave icons behind
 * (https://github.com/electron/electron/issues/21810), so the last wish is carried out once the one before has settled.
 */
export function createDock(): (open: boolean) => void {
  const { dock } = app
  if (dock === undefined) return () => undefined
  let shown = dock.isVisible()
  let wanted = shown
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

  return (open) => {
    wanted = open
    settle()
  }
}
