import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Switches } from '../chromium/switches.ts'
import { runtime } from '../runtime.ts'
import { SingleInstanceLock } from '../single-instance.ts'
import { hostEvent, strict, StrictEmitter } from '../strict.ts'
import { Paths } from './paths.ts'
import { windows } from './windows.ts'

/** As it was given: a display that the host starts ends with it. */
const environment = { ...process.env }

type LoginItem = Record<string, unknown>

/** Electron's `app`, as on Linux. */
export class App extends StrictEmitter {
  static override readonly apiName = 'app'
  static override readonly events = [
    ...['ready', 'second-instance', 'before-quit', 'will-quit', 'quit', 'window-all-closed'],
    ...['browser-window-created', 'browser-window-focus', 'browser-window-blur', 'web-contents-created'],
    'render-process-gone',
    // Can't happen here: they are for macOS, for Chromium's own crashes, for what the host refuses altogether.
    ...['activate', 'open-url', 'open-file', 'will-finish-launching', 'continue-activity', 'did-become-active'],
    ...['child-process-gone', 'gpu-info-update', 'certificate-error', 'select-client-certificate', 'login'],
    ...['accessibility-support-changed', 'session-created'],
  ]

  readonly isPackaged = false
  readonly dock = undefined
  readonly commandLine: object
  applicationMenu: unknown = null
  /** For the host: main waits for us, in the middle of its first turn perhaps (a top-level await). */
  onAwaited = (): void => undefined
  #name = runtime().app.name
  #ready = false
  #quitting = false
  readonly #whenReady = Promise.withResolvers<void>()
  readonly #paths: Paths
  readonly #lock = new SingleInstanceLock()
  #loginItem: LoginItem = {}
  /** Called when the app has been told that it's over. */
  #leave: (exitCode: number) => void = (exitCode) => process.exit(exitCode)

  constructor() {
    super()
    const { executable, commandLine } = runtime()
    const folder = commandLine.switches.get('user-data-dir')
    this.#paths = new Paths(executable, () => this.#name, folder ? resolve(folder) : undefined)
    this.commandLine = strict(commandLineApi(commandLine.switches), 'app.commandLine')
  }

  whenReady(): Promise<void> {
    setImmediate(this.onAwaited)
    return this.#whenReady.promise
  }

  isReady(): boolean {
    return this.#ready
  }

  /** For the host: Chromium runs. */
  becomeReady(leave: (exitCode: number) => void): void {
    mkdirSync(this.getPath('userData'), { recursive: true })
    this.#leave = leave
    this.#ready = true
    this.emit('ready', hostEvent(), {})
    this.#whenReady.resolve()
  }

  /** For the host: an app that quits in its first turn is never made ready. */
  isLeaving(): boolean {
    return this.#quitting
  }

  quit(): void {
    if (this.#quitting) return
    const event = hostEvent()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#quitting = true
    void this.#closeAll().then((closed) => {
      const last = hostEvent()
      if (closed) this.emit('will-quit', last)
      if (closed && !last.defaultPrevented) this.exit()
      else this.#quitting = false
    })
  }

  exit(exitCode = 0): void {
    this.#quitting = true
    this.emit('quit', hostEvent(), exitCode)
    this.#leave(exitCode)
  }

  /** For BrowserWindow: without a listener of 'window-all-closed' the app quits. */
  lastWindowClosed(): void {
    if (!this.#quitting && !this.emit('window-all-closed')) this.quit()
  }

  /** Whether every window let itself be closed. */
  async #closeAll(): Promise<boolean> {
    for (const window of [...windows]) {
      if (!(await window.closeForQuit())) return false
    }
    return true
  }

  /** When the process has ended, not before: the next one wants its lock. */
  relaunch(options: { args?: string[]; execPath?: string } = {}): void {
    runtime().controls.relaunches.push({ ...options })
    const { args = process.argv.slice(1), execPath = runtime().executable } = options
    process.once('exit', () => {
      const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 0.05; done; exec "$0" "$@"`
      spawn('/bin/sh', ['-c', wait, execPath, ...args], { env: environment, detached: true, stdio: 'ignore' }).unref()
    })
  }

  focus(): void {
    const [first] = windows
    first?.focus()
  }

  getName(): string {
    return this.#name
  }

  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
  }

  setName(name: string): void {
    this.#name = name
  }

  getVersion(): string {
    return runtime().app.version
  }

  getAppPath(): string {
    return runtime().app.path
  }

  getPath(name: string): string {
    return this.#paths.get(name)
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  getLocale(): string {
    return Intl.DateTimeFormat().resolvedOptions().locale
  }

  getSystemLocale(): string {
    return this.getLocale()
  }

  getPreferredSystemLanguages(): string[] {
    return [this.getLocale()]
  }

  requestSingleInstanceLock(data: unknown = {}): boolean {
    const own = { argv: process.argv, cwd: process.cwd(), data }
    return this.#lock.request(this.getPath('userData'), own, ({ argv, cwd, data }) =>
      this.emit('second-instance', hostEvent(), argv, cwd, data),
    )
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock.held
  }

  releaseSingleInstanceLock(): void {
    this.#lock.release()
  }

  setLoginItemSettings(settings: LoginItem): void {
    this.#loginItem = settings
    runtime().controls.loginItems.push(settings)
  }

  getLoginItemSettings(): LoginItem {
    const openAtLogin = this.#loginItem['openAtLogin'] === true
    return { openAtLogin, executableWillLaunchAtLogin: openAtLogin, wasOpenedAtLogin: false, launchItems: [] }
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    const { protocolClients } = runtime().controls
    if (!protocolClients.includes(scheme)) protocolClients.push(scheme)
    return true
  }

  isDefaultProtocolClient(scheme: string): boolean {
    return runtime().controls.protocolClients.includes(scheme)
  }

  removeAsDefaultProtocolClient(scheme: string): boolean {
    const { protocolClients } = runtime().controls
    const at = protocolClients.indexOf(scheme)
    if (at >= 0) protocolClients.splice(at, 1)
    return at >= 0
  }

  // What follows has nothing to act on here: Windows' task bar, the about panel, Chromium's sandbox and GPU.
  setAppUserModelId(): void {}
  setAboutPanelOptions(): void {}
  setBadgeCount(): boolean {
    return false
  }
  enableSandbox(): void {}
  disableHardwareAcceleration(): void {}
}

const commandLineApi = (switches: Switches): object => ({
  appendSwitch: (name: string, value = ''): void => void switches.set(name.toLowerCase(), value),
  removeSwitch: (name: string): void => void switches.delete(name.toLowerCase()),
  hasSwitch: (name: string): boolean => switches.has(name.toLowerCase()),
  getSwitchValue: (name: string): string => switches.get(name.toLowerCase()) ?? '',
})
