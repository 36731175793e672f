import type { AskForTrayPanel } from './tray-host.ts'

/** The effect of closing the window: it hides (`tray`) or is minimized (`taskbar`), or the app quits. */
export type CloseTarget = 'tray' | 'taskbar' | 'quit'

/** The place where the app goes on when its window is closed. */
export type BackgroundPlace = Exclude<CloseTarget, 'quit'>

/** The settings, states and callbacks that {@link createCloseTarget} decides with. */
export interface CloseTargetOptions {
  /** True if the user chose that closing the window minimizes it. */
  keepsWindow: () => boolean
  hidesTray: () => boolean
  hasTray: AskForTrayPanel
  /** The targets of which the user was notified before. */
  notified: { has: (target: BackgroundPlace) => boolean; add: (target: BackgroundPlace) => void }
  notify: (target: BackgroundPlace) => void
}

/**
 * Decides what a closed window does. Without a tray icon, the user couldn't bring a hidden window back, so it is minimized.
 * Panels may start and end, so this is checked at each close. The user is notified once of each target that is not their own
 * choice.
 */
export function createCloseTarget(options: CloseTargetOptions): () => Promise<CloseTarget> {
  const { keepsWindow, hidesTray, hasTray, notified, notify } = options
  return async () => {
    if (keepsWindow()) return 'taskbar'
    if (hidesTray()) return 'quit'
    const target = (await hasTray()) === false ? 'taskbar' : 'tray'
    if (!notified.has(target)) {
      notify(target)
      notified.add(target)
    }
    return target
  }
}
