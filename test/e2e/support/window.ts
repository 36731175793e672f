import type { ElectronApplication } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from './expect.ts'

/**
 * The bounds of the window on the desktop. X11 and its window manager accept a change of the window before they have
 * applied it, so the functions of this file wait for the result.
 */

export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export const boundsOf = (app: ElectronApplication): Promise<Place> =>
  app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) throw new Error('there is no window')
    return window.getBounds()
  })

/**
 * Moves the window. Repeats this until the window stays, because the window manager may move a new window back. After two tries
 * shows the window again, because the window manager may have placed it off by the size of its frame.
 */
export async function moveWindow(app: ElectronApplication, to: Place): Promise<void> {
  let tries = 0
  await expect(async () => {
    tries += 1
    if (tries > 2) await showAgain(app)
    await app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), to)
    // On X11, a window that has just appeared may be moved back a moment later.
    for (let look = 0; look < 3; look++) {
      await wait(300)
      expect(await boundsOf(app)).toEqual(to)
    }
  }).toPass()
}

const showAgain = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const [window] = BrowserWindow.getAllWindows()
    window?.hide()
    window?.show()
  })

export type Act = 'hide' | 'maximize' | 'minimize' | 'restore' | 'unmaximize'

/** Hides, maximizes, minimizes or restores the window, and waits until the window manager has applied that. */
export const changeWindow = (app: ElectronApplication, act: Act): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }, wanted) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const [window] = BrowserWindow.getAllWindows()
    window?.[wanted]()
    const isDone = () => {
      if (wanted === 'maximize' || wanted === 'unmaximize') return window?.isMaximized() === (wanted === 'maximize')
      return wanted === 'hide' ? window?.isVisible() === false : window?.isMinimized() === (wanted === 'minimize')
    }
    for (let look = 0; look < 100 && !isDone(); look++) await new Promise((resolve) => setTimeout(resolve, 20))
  }, act)

export const isWindow = (app: ElectronApplication, state: 'FullScreen' | 'Maximized' | 'Minimized'): Promise<boolean> =>
  app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows().some((window) => window[`is${wanted}`]()),
    state,
  )
