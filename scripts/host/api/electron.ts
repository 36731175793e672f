import { runtime } from '../runtime.ts'
import { missing, strict } from '../strict.ts'
import { App } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { createClipboard, createNet, createShell, NativeTheme, PowerMonitor } from './desktop.ts'
import { createDialog } from './dialog.ts'
import { createIpcMain } from './ipc-main.ts'
import { Menu, MenuItem } from './menu.ts'
import { nativeImage } from './native-image.ts'
import { Notification } from './notification.ts'
import { setSingles } from './ports.ts'
import { createProtocol } from './protocol.ts'
import { Screen } from './screen.ts'
import { Session, sessionModule } from './session.ts'
import { Tray } from './tray.ts'
import { WebContents } from './web-contents.ts'

/** The rest of what `electron` exports to a main process: importing one is no mistake, using it is. */
const MISSING = [
  ...['autoUpdater', 'BaseWindow', 'BrowserView', 'contentTracing', 'crashReporter', 'desktopCapturer'],
  ...['globalShortcut', 'ImageView', 'inAppPurchase', 'MessageChannelMain', 'netLog', 'parentPort'],
  ...['powerSaveBlocker', 'pushNotifications', 'safeStorage', 'ServiceWorkerMain', 'ShareMenu', 'sharedTexture'],
  ...['systemPreferences', 'TouchBar', 'utilityProcess', 'View', 'WebContentsView', 'webFrameMain'],
]

/** The module `electron` as a main process sees it, and `host`, which Electron doesn't have. */
export function createElectron(): { app: App; session: Session; module: Record<string, unknown> } {
  const app = new App()
  const ipcMain = createIpcMain()
  const session = new Session()
  const nativeTheme = new NativeTheme()
  setSingles({ app, ipcMain, session, isDark: () => nativeTheme.shouldUseDarkColors })
  const module = {
    ...Object.fromEntries(MISSING.map((name) => [name, missing(name)])),
    app,
    ipcMain,
    nativeTheme,
    BrowserWindow: strict(BrowserWindow, 'BrowserWindow'),
    clipboard: createClipboard(),
    dialog: createDialog(),
    host: runtime().controls,
    Menu: strict(Menu, 'Menu'),
    MenuItem: strict(MenuItem, 'MenuItem'),
    nativeImage: nativeImage(),
    net: createNet(),
    Notification: strict(Notification, 'Notification'),
    powerMonitor: new PowerMonitor(),
    protocol: createProtocol(),
    screen: new Screen(),
    session: sessionModule(session),
    shell: createShell(),
    Tray: strict(Tray, 'Tray'),
    webContents: strict(WebContents, 'webContents'),
  }
  return { app, session, module: strict(module, 'electron') }
}
