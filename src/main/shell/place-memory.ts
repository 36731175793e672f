import type { BrowserWindow } from 'electron'
import { placeSchema, type WindowPlace } from './window-place.ts'

export interface PlaceMemoryOptions {
  place: { read: () => unknown; write: (place: WindowPlace) => void }
  /** True if the system reports window positions. */
  reportsPosition: boolean
}

/**
 * Milliseconds from the last move, resize, maximise or unmaximise of the window until its place is saved. After full
 * screen, the window has as long to settle before its place counts again.
 */
const SAVE_DELAY = 500

/** True if the window is visible and not minimised. X11 reports a minimised window as visible. */
export const isShown = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isMinimized()

/** Remembers the place of the window when it was last on screen and not in full screen. */
export function createPlaceMemory({ place, reportsPosition }: PlaceMemoryOptions) {
  let last = placeSchema.safeParse(place.read()).data
  let stopped = false
  /** Stays true for a moment after full screen, because X11 maximises the window after it reports the end. */
  let inFullScreen = false
  let soon: NodeJS.Timeout | undefined

  /** Notes the place of the window if it is on screen and not in full screen. */
  function capture(window: BrowserWindow): void {
    if (!isShown(window) || inFullScreen || window.isFullScreen()) return
    const maximized = window.isMaximized()
    const { x, y, ...size } = window.getNormalBounds()
    // After full screen, X11 reports the maximised bounds as the normal ones, so the earlier size is kept.
    if (maximized && last !== undefined && isAt(window, { x, y, ...size })) last = { ...last, maximized }
    else last = { ...(reportsPosition ? { x, y } : {}), ...size, maximized }
  }

  /** Captures the place of a visible window, and saves it at once. */
  function save(window: BrowserWindow): void {
    clearTimeout(soon)
    capture(window)
    if (last !== undefined) place.write(last)
  }

  function saveSoon(window: BrowserWindow): void {
    clearTimeout(soon)
    if (!stopped) soon = setTimeout(() => save(window), SAVE_DELAY)
  }

  return {
    last: () => last,
    /** Tracks a newly created window. */
    follow(window: BrowserWindow) {
      inFullScreen = false
      let settled: NodeJS.Timeout | undefined
      // X11 resizes a window before it reports that it is maximised, so a resize counts only after a delay.
      for (const event of ['resize', 'move'] as const) window.on(event as 'resize', () => saveSoon(window))
      for (const event of ['maximize', 'unmaximize'] as const) {
        window.on(event as 'maximize', () => {
          capture(window)
          saveSoon(window)
        })
      }
      window.on('enter-full-screen', () => {
        clearTimeout(settled)
        inFullScreen = true
      })
      window.on('leave-full-screen', () => {
        settled = setTimeout(() => {
          inFullScreen = false
          saveSoon(window)
        }, SAVE_DELAY)
      })
      window.once('closed', () => clearTimeout(settled))
    },
    save,
    /** Stops saving automatically. */
    stop() {
      clearTimeout(soon)
      stopped = true
    },
  }
}

/** True if the window has exactly these bounds now. */
function isAt(window: BrowserWindow, { x, y, width, height }: Electron.Rectangle): boolean {
  const now = window.getBounds()
  return now.x === x && now.y === y && now.width === width && now.height === height
}
