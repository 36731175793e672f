import type { Rectangle } from 'electron'
import type { Clock } from '../outbox/ports.ts'
import type { TrayPanelCheck, AskForTrayPanel } from './tray-host.ts'
import type { TrayIcon } from './tray.ts'
import type { TrayView } from './tray-view.ts'

/** Milliseconds between two checks for a panel. */
const ASK_INTERVAL = 1_000
/** Number of checks for a panel, which may start some seconds after the app. Then the icon is created anyway. */
const MAX_ATTEMPTS = 15

const NO_BOUNDS: Rectangle = { x: 0, y: 0, width: 0, height: 0 }

/** A tray icon that may be created later than the app starts. */
export interface DeferredTray extends Omit<TrayIcon, 'remove'> {
  /** True if a panel of the desktop shows the icon; null if unknown. */
  isShown: AskForTrayPanel
  setHidden(hidden: boolean): void
}

/** The first content of the tray icon, and how it is created. */
export interface DeferredTrayOptions {
  panels: TrayPanelCheck
  after: Clock['after']
  first: TrayView
  /** True to create no icon until {@link DeferredTray.setHidden} asks for it. */
  hidden: boolean
  make: (first: TrayView) => TrayIcon
}

/**
 * Creates the tray icon once a panel runs (tray-quirks.ts), or at once if that can't be determined. If no panel appears, the icon
 * is created anyway, for panels that use X11's older protocol, and counts as not shown.
 */
export function createDeferredTray({ panels, after, first, hidden, make }: DeferredTrayOptions): DeferredTray {
  let latest = first
  let icon: TrayIcon | null = null
  let hasNoPanel = false
  let cancel = () => {}
  let isWanted = !hidden

  /** `attempts`: number of checks for a panel, after which the icon is created without one. */
  async function createWhenShown(attempts: number): Promise<void> {
    const isAbsent = (await panels.ask()) === false
    if (!isWanted || icon !== null) return
    if (isAbsent && attempts > 1) return void (cancel = after(ASK_INTERVAL, () => void createWhenShown(attempts - 1)))
    hasNoPanel = isAbsent
    icon = make(latest)
  }
  function create(): void {
    if (panels.lastAnswer() === true || panels.lastAnswer() === null) icon = make(latest)
    else void createWhenShown(MAX_ATTEMPTS)
  }
  if (isWanted) create()

  return {
    render(view) {
      latest = view
      icon?.render(view)
    },
    bounds: () => icon?.bounds() ?? NO_BOUNDS,
    isShown: async () => (hasNoPanel || !isWanted ? false : panels.ask()),
    setHidden(hides) {
      if (hides === !isWanted) return
      isWanted = !hides
      if (isWanted) return create()
      cancel()
      icon?.remove()
      icon = null
    },
    stop() {
      isWanted = false
      cancel()
      icon?.stop()
    },
  }
}
