import type { BrowserWindow } from 'electron'
import { placeSchema, type WindowPlace } from './window-place.ts'

export interface PlaceMemoryOptions {
  place: { read: () => unknown; write: (place: WindowPlace) => void }
  /** Whether the system tells where a window is. */
  tellsPlaces: boolean
}

/** The place of the window as it was last seen outside of full screen. */
export interface PlaceMemory {
  known(): WindowPlace | undefined
  /** Follows a window that was just made. */
  follow(window: BrowserWindow): void
  /** Looks at the window, if it can be seen, and saves the place at once. */
  save(window: BrowserWindow): void
  /** Saves nothing by itself from here on. */
  stop(): void
}

/** Milliseconds without another move until the place is saved; and from full screen until the window is what it was. */
const SETTLED_AFTER = 500

/** On X11 a minimised window is a visible one. */
export const isSeen = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isMinimized()

export function createPlaceMemory({ place, tellsPlaces }: PlaceMemoryOptions): PlaceMemory {
  let known = placeSchema.safeParse(place.read()).data
  let stopped = false
  /** Also for a moment after full screen: X11 maximises the window again after it has told of the end. */
  let inFullScreen = false
  let soon: NodeJS.Timeout | undefined

  function look(window: BrowserWindow): void {
    if (!isSeen(window) || inFullScreen || window.isFullScreen()) return
    const maximized = window.isMaximized()
    const { x, y, ...size } = window.getNormalBounds()
    // After full screen X11's normal bounds are those of the maximised window, and the size to go back to isn't in them.
    if (maximized && known !== undefined && isAt(window, { x, y, ...size })) known = { ...known, maximized }
    else known = { ...(tellsPlaces ? { x, y } : {}), ...size, maximized }
  }

  function save(window: BrowserWindow): void {
    clearTimeout(soon)
    look(window)
    if (known !== undefined) place.write(known)
  }

  function moved(window: BrowserWindow): void {
    clearTimeout(soon)
    if (!stopped) soon = setTimeout(() => save(window), SETTLED_AFTER)
  }

  return {
    known: () => known,
    follow(window) {
      inFullScreen = false
      let settled: NodeJS.Timeout | undefined
      // X11 resizes a window before it tells that it is maximised: what a resize shows counts once it has settled.
      for (const event of ['resize', 'move'] as const) window.on(event as 'resize', () => moved(window))
      for (const event of ['maximize', 'unmaximize'] as const) {
        window.on(event as 'maximize', () => {
          look(window)
          moved(window)
        })
      }
      window.on('enter-full-screen', () => {
        clearTimeout(settled)
        inFullScreen = true
      })
      window.on('leave-full-screen', () => {
        settled = setTimeout(() => {
          inFullScreen = false
          moved(window)
        }, SETTLED_AFTER)
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
