import type { BrowserWindow } from 'electron'
import { placeSchema, type WindowPlace } from './window-place.ts'

export interface PlaceMemoryOptions {
  place: { read: () => unknown; write: (place: WindowPlace) => void }
  reportsPosition: boolean
}

/** Milliseconds until the window's place is saved after its last change, and until it counts again after full screen. */
const SAVE_DELAY = 500

/** X11 reports a minimized window as visible. */
export const isShown = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isMinimized()

/** Remembers the place of the window when it was last on screen and not in full screen. */
export function createPlaceMemory({ place, reportsPosition }: PlaceMemoryOptions) {
  let last = placeSchema.safeParse(place.read()).data
  let stopped = false
  /** Stays true for a moment after full screen, because X11 maximizes the window after it reports the end. */
  let inFullScreen = false
  let soon: NodeJS.Timeout | undefined

  function capture(window: BrowserWindow): void {
    if (!isShown(window) || inFullScreen || window.isFullScreen()) return
    const maximized = window.isMaximized()
    const { x, y, ...size } = window.getNormalBounds()
    // After full screen, X11 reports the maximized bounds as the normal ones, so the earlier size is kept.
    if (maximized && last !== undefined && isAt(window, { x, y, ...size })) last = { ...last, maximized }
    else last = { ...(reportsPosition ? { x, y } : {}), ...size, maximized }
  }

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
    follow(window: BrowserWindow) {
      inFullScreen = false
      let settled: NodeJS.Timeout | undefined
      // X11 resizes a window before it reports that it is maximized, so a resize counts only after a delay.
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
    stop() {
      clearTimeout(soon)
      stopped = true
    },
  }
}

function isAt(window: BrowserWindow, { x, y, width, height }: Electron.Rectangle): boolean {
  const now = window.getBounds()
  return now.x === x && now.y === y && now.width === width && now.height === height
}
