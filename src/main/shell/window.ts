import { app, BrowserWindow, nativeTheme, screen, type WebContents } from 'electron'
import type { Log } from '../log/log.ts'
import type { Away } from './close-target.ts'
import { reloadAfterCrash, type AfterCrash } from './page-crash.ts'
import { createPlaceMemory, isSeen, type PlaceMemoryOptions } from './place-memory.ts'
import { besideIcon, onScreen, type Bounds, type Size, type WindowPlace } from './window-place.ts'

export interface MainWindowOptions extends PlaceMemoryOptions {
  preload: string
  icon: string
  /** Where the page comes from: the built renderer, or Vite's server while developing. */
  url: string
  /** It's on the screen, or isn't any more; told again where it was so already. */
  onVisible: (visible: boolean) => void
  /** The person has closed it, or has it again. Closed isn't minimised, nor hidden with its app. */
  onOpen: (open: boolean) => void
  /** Closed by the person: where it goes, for the app goes on. */
  onClose: () => Promise<Away>
  /** Where the tray's icon is, for a window that has no place yet. */
  trayIcon: () => Bounds
  /** The page's process has ended. */
  afterCrash: AfterCrash
  log: Log
}

export interface MainWindow {
  show(): void
  /** Made, and not in the person's way: for a start with the session where the window is kept. */
  showMinimized(): void
  /** Lets the next close through: the app quits, and the window doesn't come any more. */
  release(): void
  contents(): WebContents | undefined
  /** Its page is let go; the next one begins where this one was. */
  letGo(): void
  isVisible(): boolean
  isFocused(): boolean
}

const SIZE = { width: 1180, height: 740 }
const LEAST = { minWidth: 480, minHeight: 420 }
/** The page's own background, so that nothing flashes before it's drawn (tokens.css, --bg). */
const BACKGROUND = { light: '#f4f4f1', dark: '#161719' }
/** Milliseconds from when the page is there until it has been drawn, where the system doesn't tell. */
const DRAWN_AFTER = 500
/** Milliseconds: macOS leaves full screen in one second; a window manager may not leave it at all. */
const LEAVES = 3_000

const background = (): string => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light)
const workAreas = () => screen.getAllDisplays().map(({ workArea }) => workArea)

/** The one window. Closing puts it away: the app goes on. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  let window: BrowserWindow | undefined
  let released = false
  /** How often it was asked for. */
  let wishes = 0
  /** Where in the page the person was when it was let go, as its address says it. */
  let place = ''
  /** How it appears once there's something to see: before that it would be blank. Null: it has. */
  let toAppear: 'shown' | 'minimized' | 'hidden' | null = null
  /** It was maximised when it was last seen, and hasn't been seen since. */
  let toMaximize = false
  const places = createPlaceMemory(options)

  function open(): BrowserWindow {
    const was = places.known()
    const made = new BrowserWindow({
      ...placed(was),
      ...LEAST,
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
      if (toAppear === 'minimized') made.minimize()
      else if (toAppear === 'shown') reveal(made)
      toAppear = null
    }
    made.once('ready-to-show', appear)
    // On Wayland that may never be told of a window that isn't shown (https://github.com/electron/electron/issues/48859).
    made.webContents.once('did-finish-load', () => {
      setTimeout(() => {
        if (!made.isDestroyed()) appear()
      }, DRAWN_AFTER)
    })
    // A way to the taskbar, and back, is neither hidden nor shown on Windows and Linux.
    for (const shown of ['show', 'restore'] as const) made.on(shown as 'show', () => options.onVisible(true))
    for (const gone of ['hide', 'minimize'] as const) made.on(gone as 'hide', () => options.onVisible(false))
    made.on('restore', () => maximizeAgain(made))
    made.on('close', (event) => {
      if (released) return
      event.preventDefault()
      const asked = wishes
      void options.onClose().then((where) => putAway(made, where, asked))
    })
    places.follow(made)
    made.on('closed', () => {
      // Let go, or its page went on ending.
      if (window !== made) return
      window = undefined
      if (released) return
      options.onVisible(false)
      options.onOpen(false)
    })
    reloadAfterCrash(made, options.afterCrash)
    made.loadURL(options.url + place).catch(() => {
      options.log('pageNotLoaded', {})
      // Blank, but there: it would be waited for for ever.
      if (!made.isDestroyed()) appear()
    })
    return made
  }

  function placed(was: WindowPlace | undefined): Size {
    if (was === undefined) return besideIcon(options.trayIcon(), SIZE, screen.getAllDisplays()) ?? SIZE
    const { x, y, width, height } = was
    return x === undefined || y === undefined ? { width, height } : onScreen({ x, y, width, height }, workAreas())
  }

  function maximizeAgain(made: BrowserWindow): void {
    if (toMaximize) made.maximize()
    toMaximize = false
  }

  /** Maximised first, or it would jump. That shows it too, but not every system tells so. */
  function reveal(made: BrowserWindow): void {
    maximizeAgain(made)
    made.show()
  }

  function putAway(made: BrowserWindow, where: Away, asked: number): void {
    // Shown again meanwhile, it stays.
    const stays = (): boolean => asked !== wishes || released || made.isDestroyed()
    const go = (): void => {
      clearTimeout(refused)
      made.off('leave-full-screen', left)
      if (stays()) return
      places.save(made)
      // Left full screen a moment ago, it may not be maximised again yet.
      toMaximize ||= places.known()?.maximized === true && !made.isMaximized()
      if (toAppear !== null) toAppear = where === 'tray' ? 'hidden' : 'minimized'
      if (where === 'taskbar') return made.minimize()
      made.hide()
      options.onOpen(false)
    }
    // Windows tells before it has left.
    const left = (): void => void setImmediate(go)
    const leaves = !stays() && made.isFullScreen()
    const refused = leaves ? setTimeout(go, LEAVES) : undefined
    if (!leaves) return go()
    // Hidden in full screen it would leave a black screen on macOS.
    made.once('leave-full-screen', left)
    made.setFullScreen(false)
  }

  /** Its monitor may have gone while it was hidden, or under it. */
  function bringBack(): void {
    if (window === undefined || window.isMaximized() || window.isFullScreen()) return
    const [is, wanted] = [window.getBounds(), onScreen(window.getBounds(), workAreas())]
    if (is.x !== wanted.x || is.y !== wanted.y) window.setBounds(wanted)
  }

  nativeTheme.on('updated', () => window?.setBackgroundColor(background()))
  screen.on('display-removed', bringBack)

  return {
    show() {
      if (released) return
      wishes += 1
      options.onOpen(true)
      if (window === undefined || toAppear !== null) {
        toAppear = 'shown'
        window ??= open()
        return
      }
      bringBack()
      if (window.isMinimized()) window.restore()
      reveal(window)
      window.focus()
    },
    showMinimized() {
      if (released) return
      options.onOpen(true)
      if (window !== undefined) return
      toAppear = 'minimized'
      window = open()
    },
    release() {
      if (window !== undefined && !released) places.save(window)
      places.stop()
      released = true
    },
    letGo() {
      if (window === undefined || window.isVisible() || toAppear !== null) return
      place = new URL(window.webContents.getURL()).hash
      const gone = window
      // Whoever asks for the window from here on gets another one.
      window = undefined
      gone.destroy()
    },
    contents: () => window?.webContents,
    isVisible: () => window !== undefined && isSeen(window),
    isFocused: () => window?.isFocused() ?? false,
  }
}
