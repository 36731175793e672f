import { app, BrowserWindow, nativeImage, nativeTheme, screen, type WebContents } from 'electron'
import type { Log } from '../log/log.ts'
import type { CloseTarget } from './close-target.ts'
import { addTextMenu } from './menu.ts'
import { reloadAfterCrash, type PageCrashOptions } from './page-crash.ts'
import { createPlaceMemory, isShown, type PlaceMemoryOptions } from './place-memory.ts'
import { boundsBesideIcon, boundsOnScreen, type Bounds, type Size, type WindowPlace } from './window-place.ts'

export interface MainWindowOptions extends PlaceMemoryOptions {
  preload: string
  icon: string
  /** Picture of the mark on the window's taskbar button in Windows. */
  overlay: string
  /** The built renderer, or Vite's server in development. */
  url: string
  /** May repeat the same value. */
  onVisible: (visible: boolean) => void
  /** The user opened or closed the window. Minimizing it, or hiding the app on macOS, is not closing. */
  onOpen: (open: boolean) => void
  /** The user closed the window. Returns what to do with it. */
  onClose: () => Promise<CloseTarget>
  /** Bounds of the tray icon, beside which a window without a saved place opens. */
  trayIcon: () => Bounds
  /** Quits the app, or asks first. */
  quit: () => void
  afterCrash: PageCrashOptions
  log: Log
}

/** In CSS pixels, for a window without a saved place. */
const SIZE = { width: 1180, height: 740 }
const MIN_SIZE = { minWidth: 480, minHeight: 420 }
/** The page's background (tokens.css, --bg), which avoids a flash before the page is drawn. */
const BACKGROUND = { light: '#f4f4f1', dark: '#161719' }
/** Milliseconds after loading when the page counts as drawn, if the system doesn't report it. */
const DRAWN_AFTER = 500
/** Milliseconds that a closed window has to leave full screen. macOS needs one second; a window manager may never do it. */
const LEAVE_FULL_SCREEN_TIMEOUT = 3_000

const background = (): string => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light)
const workAreas = () => screen.getAllDisplays().map(({ workArea }) => workArea)

export function createMainWindow(options: MainWindowOptions) {
  let window: BrowserWindow | undefined
  let released = false
  let showCount = 0
  /** The hash in the address of the unloaded page, to which the next page returns. */
  let lastHash = ''
  /** The state in which the window first appears, once its page is drawn; null afterwards. */
  let firstAppearance: 'shown' | 'minimized' | 'hidden' | null = null
  /** True if the window was last seen maximized and has to be maximized again. */
  let toMaximize = false
  /** Text of the mark in the taskbar, or null without a mark. A window that opens later gets the same mark. */
  let overlay: string | null = null
  const places = createPlaceMemory(options)

  function drawOverlay(made: BrowserWindow): void {
    made.setOverlayIcon(overlay === null ? null : nativeImage.createFromPath(options.overlay), overlay ?? '')
  }

  /** The window stays hidden until its page is drawn, and then appears as `firstAppearance` says. */
  function open(): BrowserWindow {
    const was = places.last()
    const made = new BrowserWindow({
      ...boundsFor(was),
      ...MIN_SIZE,
      title: 'Siteward',
      icon: options.icon,
      show: false,
      autoHideMenuBar: true,
      backgroundColor: background(),
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
        devTools: !app.isPackaged,
      },
    })
    toMaximize = was?.maximized === true
    const appear = (): void => {
      if (firstAppearance === 'minimized') made.minimize()
      else if (firstAppearance === 'shown') reveal(made)
      firstAppearance = null
    }
    made.once('ready-to-show', appear)
    // On Wayland, `ready-to-show` may never come for a hidden window (https://github.com/electron/electron/issues/48859).
    made.webContents.once('did-finish-load', () => {
      setTimeout(() => {
        if (!made.isDestroyed()) appear()
      }, DRAWN_AFTER)
    })
    // Windows forgets the mark when the button is gone, so it is drawn again.
    made.on('show', () => overlay !== null && drawOverlay(made))
    // Windows and Linux emit neither `hide` nor `show` when a window is minimized or restored.
    for (const shown of ['show', 'restore'] as const) made.on(shown as 'show', () => options.onVisible(true))
    for (const gone of ['hide', 'minimize'] as const) made.on(gone as 'hide', () => options.onVisible(false))
    made.on('restore', () => maximizeAgain(made))
    made.on('close', (event) => {
      if (released) return
      event.preventDefault()
      const countAtClose = showCount
      void options.onClose().then((where) => closeTo(made, where, countAtClose))
    })
    addTextMenu(made)
    places.follow(made)
    made.on('closed', () => {
      // After `unload`, `window` no longer refers to this window. Otherwise its page kept crashing, or the app quits.
      if (window !== made) return
      window = undefined
      if (released) return
      options.onVisible(false)
      options.onOpen(false)
    })
    reloadAfterCrash(made, options.afterCrash)
    made.loadURL(options.url + lastHash).catch(() => {
      options.log('pageNotLoaded', {})
      // A blank window is better than one that never appears.
      if (!made.isDestroyed()) appear()
    })
    return made
  }

  /** The saved place, moved on screen; without one, beside the tray icon if possible. */
  function boundsFor(was: WindowPlace | undefined): Size {
    if (was === undefined) return boundsBesideIcon(options.trayIcon(), SIZE, screen.getAllDisplays()) ?? SIZE
    const { x, y, width, height } = was
    return x === undefined || y === undefined ? { width, height } : boundsOnScreen({ x, y, width, height }, workAreas())
  }

  function maximizeAgain(made: BrowserWindow): void {
    if (toMaximize) made.maximize()
    toMaximize = false
  }

  /** Maximizes first, so that the window doesn't jump. Maximizing shows it too, but not every system reports that. */
  function reveal(made: BrowserWindow): void {
    maximizeAgain(made)
    made.show()
  }

  /** Hides or minimizes the closed window, or quits the app. Leaves full screen first. */
  function closeTo(made: BrowserWindow, where: CloseTarget, countAtClose: number): void {
    // The window stays if it was requested again in the meantime.
    const stays = (): boolean => countAtClose !== showCount || released || made.isDestroyed()
    const go = (): void => {
      clearTimeout(refused)
      made.off('leave-full-screen', left)
      if (stays()) return
      if (where === 'quit') return options.quit()
      places.save(made)
      // A window that has just left full screen may not be maximized again yet.
      toMaximize ||= places.last()?.maximized === true && !made.isMaximized()
      if (firstAppearance !== null) firstAppearance = where === 'tray' ? 'hidden' : 'minimized'
      if (where === 'taskbar') return made.minimize()
      made.hide()
      options.onOpen(false)
    }
    // Windows reports the end of full screen before it has left.
    const left = (): void => void setImmediate(go)
    const leaves = !stays() && made.isFullScreen()
    const refused = leaves ? setTimeout(go, LEAVE_FULL_SCREEN_TIMEOUT) : undefined
    if (!leaves) return go()
    // Leaves full screen first, because hiding the window in full screen would leave a black screen on macOS.
    made.once('leave-full-screen', left)
    made.setFullScreen(false)
  }

  /** The window's monitor may have been disconnected. */
  function moveOnScreen(): void {
    if (window === undefined || window.isMaximized() || window.isFullScreen()) return
    const [current, onScreenBounds] = [window.getBounds(), boundsOnScreen(window.getBounds(), workAreas())]
    if (current.x !== onScreenBounds.x || current.y !== onScreenBounds.y) window.setBounds(onScreenBounds)
  }

  nativeTheme.on('updated', () => window?.setBackgroundColor(background()))
  screen.on('display-removed', moveOnScreen)

  return {
    show(): void {
      if (released) return
      showCount += 1
      options.onOpen(true)
      if (window === undefined || firstAppearance !== null) {
        firstAppearance = 'shown'
        window ??= open()
        return
      }
      moveOnScreen()
      if (window.isMinimized()) window.restore()
      reveal(window)
      window.focus()
    },
    /** For an autostart with the window kept in the taskbar. */
    showMinimized(): void {
      if (released) return
      options.onOpen(true)
      if (window !== undefined) return
      firstAppearance = 'minimized'
      window = open()
    },
    /** Called when the app quits. Lets the window close, and keeps it from opening again. */
    release(): void {
      if (window !== undefined && !released) places.save(window)
      places.stop()
      released = true
    },
    /** Destroys the hidden window. The next one opens at the same screen. */
    unload(): void {
      if (window === undefined || window.isVisible() || firstAppearance !== null) return
      lastHash = new URL(window.webContents.getURL()).hash
      const gone = window
      // From here on, a request creates another window.
      window = undefined
      gone.destroy()
    },
    /** Marks the taskbar button in Windows. `text`: for screen readers; null removes the mark. */
    setOverlay(text: string | null): void {
      overlay = text
      if (window !== undefined) drawOverlay(window)
    },
    contents: (): WebContents | undefined => window?.webContents,
    isVisible: () => window !== undefined && isShown(window),
    isFocused: () => window?.isFocused() ?? false,
  }
}
