import { hostEvent } from '../strict.ts'
import { BaseWindow, type BaseWindowOptions } from './base-window.ts'
import { singlesOf } from './ports.ts'
import { WebContents, type WebPreferences } from './web-contents.ts'
import { windows } from './windows.ts'

export interface BrowserWindowOptions extends BaseWindowOptions {
  webPreferences?: WebPreferences
}

/** A window with a page in it. */
export class BrowserWindow extends BaseWindow {
  static override readonly apiName = 'BrowserWindow'
  static override readonly events = [
    ...['close', 'closed', 'show', 'hide', 'focus', 'blur', 'ready-to-show', 'page-title-updated'],
    ...['minimize', 'restore', 'maximize', 'unmaximize', 'resize', 'move'],
    ...['enter-full-screen', 'leave-full-screen'],
    // Never here: hung pages, Windows' and macOS' own, modes that the host doesn't have.
    ...['unresponsive', 'responsive', 'session-end', 'query-session-end', 'app-command', 'swipe'],
    ...['always-on-top-changed', 'will-resize', 'will-move', 'resized', 'moved'],
  ]

  readonly webContents: WebContents

  constructor(options: BrowserWindowOptions = {}) {
    super(options, singlesOf().app.getName())
    this.webContents = new WebContents(this, this.opened, options.webPreferences ?? {})
    this.#followPage()
    windows.add(this)
    const { app } = singlesOf()
    app.emit('browser-window-created', hostEvent(), this)
    app.emit('web-contents-created', hostEvent(), this.webContents)
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }

  static getFocusedWindow(): BrowserWindow | null {
    return [...windows].find((window) => window.isFocused()) ?? null
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return [...windows].find((window) => window.webContents === contents) ?? null
  }

  static fromId(id: number): BrowserWindow | null {
    return [...windows].find((window) => window.id === id) ?? null
  }

  get id(): number {
    return this.webContents.id
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  loadFile(file: string): Promise<void> {
    return this.webContents.loadFile(file)
  }

  reload(): void {
    this.webContents.reload()
  }

  capturePage(): ReturnType<WebContents['capturePage']> {
    return this.webContents.capturePage()
  }

  protected override ended(): void {
    windows.delete(this)
    this.webContents.emit('destroyed')
    // After this window's own 'closed'.
    if (windows.size === 0) queueMicrotask(() => singlesOf().app.lastWindowClosed())
  }

  protected override focusChanged(focused: boolean): void {
    const { app } = singlesOf()
    this.webContents.emit(focused ? 'focus' : 'blur')
    app.emit(focused ? 'browser-window-focus' : 'browser-window-blur', hostEvent(), this)
  }

  #followPage(): void {
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show', hostEvent()))
    this.webContents.on('page-title-updated', (event: { defaultPrevented: boolean }, title: string) => {
      this.emit('page-title-updated', event, title, true)
      if (event.defaultPrevented) this.setTitle(this.title)
      else this.title = title
    })
  }
}
