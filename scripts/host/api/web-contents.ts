import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Session as DevTools } from '../chromium/connection.ts'
import { runtime } from '../runtime.ts'
import type { PageRequest } from '../scheme/requests.ts'
import { hostEvent, StrictEmitter } from '../strict.ts'
import type { NativeWindow } from '../window/native-window.ts'
import { PreloadLink } from '../world/link.ts'
import type { BrowserWindow } from './browser-window.ts'
import { NativeImage } from './native-image.ts'
import { followPage, type PageState } from './page-events.ts'
import { openDetails, receive, type OpenDetails } from './page-messages.ts'
import { singlesOf } from './ports.ts'
import type { Session } from './session.ts'
import { WebFrameMain } from './web-frame-main.ts'
import { windows } from './windows.ts'

export interface WebPreferences {
  preload?: string
  sandbox?: boolean
  contextIsolation?: boolean
  nodeIntegration?: boolean
  [other: string]: unknown
}

type OpenHandler = (details: OpenDetails) => { action: 'allow' | 'deny' }

let lastId = 0

/** The page of a window. What it asks of Chromium waits until that has opened the window. */
export class WebContents extends StrictEmitter {
  static override readonly apiName = 'WebContents'
  static override readonly events = [
    ...['did-start-loading', 'did-stop-loading', 'dom-ready', 'did-finish-load', 'did-fail-load', 'destroyed'],
    ...['did-navigate', 'did-navigate-in-page', 'will-navigate', 'will-frame-navigate', 'page-title-updated'],
    ...['render-process-gone', 'ipc-message', 'console-message', 'focus', 'blur'],
    // Never here: there are no webviews, no hung pages to be told of, no certificates, no menus by right click.
    ...['will-attach-webview', 'did-attach-webview', 'unresponsive', 'responsive', 'certificate-error', 'login'],
    ...['context-menu', 'will-redirect', 'will-prevent-unload', 'did-create-window', 'before-input-event'],
    ...['preload-error', 'devtools-opened', 'select-client-certificate', 'zoom-changed'],
  ]

  readonly id = ++lastId
  readonly mainFrame: WebFrameMain
  readonly session: Session
  readonly #window: BrowserWindow
  readonly #ready: Promise<{ native: NativeWindow }>
  readonly #preferences: WebPreferences
  #link: PreloadLink | null = null
  #targetId = ''
  readonly #page: PageState = { url: '', title: '', loading: false, crashed: false }
  /** While the host itself takes the page somewhere. */
  #sending = false
  #zoom = 1
  #wasDark = false
  #openHandler: OpenHandler = () => ({ action: 'allow' })

  constructor(window: BrowserWindow, native: Promise<NativeWindow>, preferences: WebPreferences) {
    super()
    this.#window = window
    this.#preferences = preferences
    this.session = singlesOf().session
    this.mainFrame = new WebFrameMain(this.id, String(this.id), () => this.#page.url)
    this.#ready = native.then((opened) => this.#install(opened, preferences))
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return [...windows].map(({ webContents }) => webContents).find((contents) => contents.#targetId === targetId)
  }

  static fromId(id: number): WebContents | undefined {
    return [...windows].map(({ webContents }) => webContents).find((contents) => contents.id === id)
  }

  static getAllWebContents(): WebContents[] {
    return [...windows].map(({ webContents }) => webContents)
  }

  static getFocusedWebContents(): WebContents | null {
    return [...windows].find((window) => window.isFocused())?.webContents ?? null
  }

  /** For the host: settles when the page can be spoken to. */
  get installed(): Promise<unknown> {
    return this.#ready
  }

  isDestroyed(): boolean {
    return this.#window.isDestroyed()
  }

  /** Undocumented, and Electron's own scripts ask it: what the page was made with. */
  getLastWebPreferences(): WebPreferences {
    return { ...this.#preferences }
  }

  getURL(): string {
    return this.#page.url
  }

  getTitle(): string {
    return this.#page.title
  }

  isLoading(): boolean {
    return this.#page.loading
  }

  isCrashed(): boolean {
    return this.#page.crashed
  }

  send(channel: string, ...args: unknown[]): void {
    this.#link?.send(channel, args)
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  async loadURL(url: string): Promise<void> {
    const { native } = await this.#ready
    const { addresses } = runtime()
    const loaded = native.session.once('Page.loadEventFired')
    await this.session.applyPermissions(this, url)
    this.#sending = true
    const navigated = native.session.send('Page.navigate', { url: addresses.toChromium(url) })
    const { errorText, loaderId } = await navigated.finally(() => (this.#sending = false))
    if (errorText !== undefined) {
      const code = errorText.replace('net::', '')
      this.emit('did-fail-load', hostEvent(), -2, code, url, true, this.id, 1)
      throw Object.assign(new Error(`${code} (-2) loading '${url}'`), { code, errno: -2, url })
    }
    // Without a loader only the fragment has changed.
    if (loaderId !== undefined) await loaded
  }

  loadFile(file: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolve(runtime().app.path, file)).href)
  }

  reload(): void {
    void this.#tell((session) => session.send('Page.reload'))
  }

  reloadIgnoringCache(): void {
    void this.#tell((session) => session.send('Page.reload', { ignoreCache: true }))
  }

  stop(): void {
    void this.#tell((session) => session.send('Page.stopLoading'))
  }

  focus(): void {
    this.#window.focus()
  }

  close(): void {
    this.#window.close()
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const { native } = await this.#ready
    const asked = { expression: code, userGesture, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await native.session.send('Runtime.evaluate', asked)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** Empty while the window is hidden: Chromium draws nothing then. */
  async capturePage(): Promise<NativeImage> {
    const { native } = await this.#ready
    if (!this.#window.isVisible()) return NativeImage.ofBytes(Buffer.alloc(0))
    const { data } = await native.session.send('Page.captureScreenshot', { format: 'png' })
    return NativeImage.ofBytes(Buffer.from(data, 'base64'))
  }

  setZoomFactor(factor: number): void {
    this.#zoom = factor
    void this.#tell((session) => session.send('Emulation.setPageScaleFactor', { pageScaleFactor: factor }))
  }

  getZoomFactor(): number {
    return this.#zoom
  }

  forcefullyCrashRenderer(): void {
    void this.#tell((session) => session.send('Page.crash'))
  }

  /** There is no tool window here; a second client can attach to `--remote-debugging-port`. */
  openDevTools(): void {}
  closeDevTools(): void {}
  isDevToolsOpened(): boolean {
    return false
  }

  /** For the host: whether a frame's document request is this window's, and may go on. */
  judges({ frameId }: PageRequest): boolean {
    return this.#targetId !== '' && frameId === this.#targetId
  }

  /** For the host: whether the app lets its page go there. The host's own loads, and reloads, are not asked for. */
  allowsNavigation(url: string, method: string): boolean {
    const isReload = method === 'GET' && withoutFragment(url) === withoutFragment(this.#page.url)
    if (this.#sending || isReload) return true
    const event = hostEvent({
      url,
      isSameDocument: false,
      isMainFrame: true,
      frame: this.mainFrame,
      initiator: this.mainFrame,
    })
    this.emit('will-frame-navigate', event)
    if (!event.defaultPrevented) this.emit('will-navigate', event, url, false, true, this.id, 1)
    if (event.defaultPrevented) void this.#ready.then(({ native }) => native.stays())
    return !event.defaultPrevented
  }

  /** For the host: what nativeTheme says. Light is what Chromium shows untold; a second client's emulation is left alone. */
  async applyColorScheme(): Promise<void> {
    const dark = singlesOf().isDark()
    if (!dark && !this.#wasDark) return
    this.#wasDark = dark
    const value = dark ? 'dark' : 'light'
    const features = [{ name: 'prefers-color-scheme', value }]
    await this.#tell((session) => session.send('Emulation.setEmulatedMedia', { features }))
  }

  /** For the host: what the desktop's network says. */
  async applyOnline(): Promise<void> {
    const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    const state = { offline: !runtime().controls.online, ...unlimited }
    await this.#tell((session) => session.send('Network.overrideNetworkState', state))
  }

  async #install(native: NativeWindow, preferences: WebPreferences): Promise<{ native: NativeWindow }> {
    const { session, targetId } = native
    this.#targetId = targetId
    const sender = {
      contents: this,
      close: () => this.close(),
      open: (details: OpenDetails) => this.#asksToOpen(details),
      titled: (title: string) => this.#titled(title),
    }
    const link = new PreloadLink(session, targetId, (message, reply) => void receive(sender, message, reply))
    this.#link = link
    followPage(native, this.#page, this)
    const { preload } = preferences
    const code = preload === undefined ? '' : readFileSync(preload, 'utf8')
    await link.install({ code, file: preload === undefined ? 'no-preload' : basename(preload) })
    await session.send('Network.enable')
    session.on('Page.windowOpen', ({ url, windowName, windowFeatures }) =>
      this.#asksToOpen(openDetails(url, windowName, windowFeatures.join(','))),
    )
    // With a second client attached Chromium may forget what we set in a new document.
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === targetId) this.#applyEnvironment()
    })
    queueMicrotask(() => this.#applyEnvironment())
    return { native }
  }

  #applyEnvironment(): void {
    void this.applyColorScheme()
    void this.applyOnline()
  }

  #asksToOpen(details: OpenDetails): void {
    const { action } = this.#openHandler(details)
    if (action === 'allow') console.error(`the development host opens no windows for pages: ${details.url}`)
  }

  #titled(title: string): void {
    if (title === '' || title === this.#page.title) return
    this.#page.title = title
    this.emit('page-title-updated', hostEvent(), title, true)
  }

  async #tell(ask: (session: DevTools) => Promise<unknown>): Promise<void> {
    const { native } = await this.#ready
    await ask(native.session).catch(() => undefined) // the window has gone meanwhile
  }
}

const withoutFragment = (url: string): string => url.replace(/#.*$/, '')
