import { BrowserWindow, nativeTheme, type WebContents } from 'electron'

export interface MainWindowOptions {
  preload: string
  icon: string
  /** Where the page comes from: the built renderer, or Vite's server while developing. */
  url: string
  onShow: () => void
  onHide: () => void
}

export interface MainWindow {
  show(): void
  /** Lets the next close through: the app quits. */
  release(): void
  contents(): WebContents | undefined
  isVisible(): boolean
}

const SIZE = { width: 1180, height: 740, minWidth: 480, minHeight: 420 }
/** The page's own background, so that nothing flashes before it's drawn (tokens.css, --bg). */
const BACKGROUND = { light: '#f6f6f4', dark: '#17181a' }

/** The one window. Closing hides it: the app goes on in the tray. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  let window: BrowserWindow | undefined
  let released = false

  function open(): BrowserWindow {
    const made = new BrowserWindow({
      ...SIZE,
      title: 'Siteward',
      icon: options.icon,
      show: false,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
      },
    })
    made.once('ready-to-show', () => made.show())
    made.on('show', options.onShow)
    made.on('hide', options.onHide)
    made.on('close', (event) => {
      if (released) return
      event.preventDefault()
      made.hide()
    })
    made.on('closed', () => (window = undefined))
    made.loadURL(options.url).catch(() => console.error('the page could not be loaded'))
    return made
  }

  return {
    show() {
      if (window === undefined) {
        window = open()
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    release: () => void (released = true),
    contents: () => window?.webContents,
    isVisible: () => window?.isVisible() ?? false,
  }
}
