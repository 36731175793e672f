import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import type { Menu } from './api/menu.ts'
import type { Notification } from './api/notification.ts'
import type { Tray } from './api/tray.ts'
import { windows } from './api/windows.ts'

export interface DialogAnswer {
  /** showMessageBox: the index of the button. */
  response?: number
  checkboxChecked?: boolean
  /** showOpenDialog. */
  filePaths?: string[]
  /** showSaveDialog. */
  filePath?: string
}

export interface AskedDialog {
  kind: 'message' | 'error' | 'open' | 'save'
  options: Record<string, unknown>
  answer: DialogAnswer
}

interface Changes {
  online: [boolean]
  dark: [boolean]
  power: [string]
}

/**
 * `electron.host`: what the app has asked of the desktop, and what a test makes the desktop do. README.md lists it.
 * The lists hold the live objects of the `electron` module, in the order of their making.
 */
export class HostControls {
  readonly trays: Tray[] = []
  readonly notifications: Notification[] = []
  /** Menus that were popped up. */
  readonly popups: Menu[] = []
  readonly dialogs: { answered: AskedDialog[]; queue: DialogAnswer[] } = { answered: [], queue: [] }
  /** What the app gave to the OS to open. */
  readonly opened: { how: 'external' | 'path' | 'folder'; what: string }[] = []
  readonly loginItems: Record<string, unknown>[] = []
  readonly protocolClients: string[] = []
  readonly relaunches: Record<string, unknown>[] = []
  /** For the parts of the `electron` module. */
  readonly changes = new EventEmitter<Changes>()
  #online = true
  #dark = false
  #suspended = false

  get online(): boolean {
    return this.#online
  }

  /** The desktop's colour scheme. */
  get dark(): boolean {
    return this.#dark
  }

  get suspended(): boolean {
    return this.#suspended
  }

  setOnline(online: boolean): void {
    if (online === this.#online) return
    this.#online = online
    this.changes.emit('online', online)
  }

  setColorScheme(scheme: 'light' | 'dark'): void {
    this.#dark = scheme === 'dark'
    this.changes.emit('dark', this.#dark)
  }

  suspend(): void {
    this.#suspended = true
    this.changes.emit('power', 'suspend')
  }

  resume(): void {
    this.#suspended = false
    this.changes.emit('power', 'resume')
  }

  /** What a person does with the cross of a window's title bar. */
  async pressTitleBarClose(window: BrowserWindow): Promise<void> {
    await [...windows].find(({ id }) => id === window.id)?.pressTitleBarClose()
  }

  /** What the X server says. `visibilityState` isn't to be relied on in a page that Playwright drives: it emulates focus. */
  async isOnScreen(window: BrowserWindow): Promise<boolean> {
    return (await [...windows].find(({ id }) => id === window.id)?.isOnScreen()) ?? false
  }

  /** Any other event of powerMonitor: `lock-screen`, `on-battery` … */
  power(event: string): void {
    this.changes.emit('power', event)
  }
}
