import type { Protocol } from '../chromium/protocol.ts'
import { runningBrowser, runtime } from '../runtime.ts'
import { Strict, strict, StrictEmitter } from '../strict.ts'
import { systemProxy } from './proxy.ts'
import type { WebContents } from './web-contents.ts'

type RequestHandler = (
  contents: WebContents,
  permission: string,
  answer: (granted: boolean) => void,
  details: object,
) => void
type CheckHandler = (contents: WebContents, permission: string, origin: string, details: object) => boolean
type BeforeRequest = (details: { url: string }, callback: (answer: { cancel?: boolean }) => void) => void

/** Electron's names and Chromium's for the same. */
const PERMISSIONS: [string, Protocol.Browser.PermissionDescriptor][] = [
  ['media', { name: 'camera' }],
  ['media', { name: 'microphone' }],
  ['display-capture', { name: 'display-capture' }],
  ['geolocation', { name: 'geolocation' }],
  ['notifications', { name: 'notifications' }],
  ['midi', { name: 'midi' }],
  ['midiSysex', { name: 'midi', sysex: true }],
  ['clipboard-read', { name: 'clipboard-read' }],
  ['clipboard-sanitized-write', { name: 'clipboard-write' }],
  ['idle-detection', { name: 'idle-detection' }],
  ['window-management', { name: 'window-management' }],
  ['storage-access', { name: 'storage-access' }],
]

class WebRequest extends Strict {
  static override readonly apiName = 'Session.webRequest'
  #listener: BeforeRequest | null = null

  /** Only without a filter. */
  onBeforeRequest(listener: BeforeRequest | null): void {
    this.#listener = listener
  }

  async cancels(url: string): Promise<boolean> {
    const listener = this.#listener
    if (listener === null) return false
    return new Promise((resolve) => listener({ url }, ({ cancel }) => resolve(cancel === true)))
  }
}

/** session.defaultSession: what holds for all pages. */
export class Session extends StrictEmitter {
  static override readonly apiName = 'Session'
  /** Downloads are refused before anything of them is known, so 'will-download' doesn't come. */
  static override readonly events = ['will-download', 'preconnect', 'extension-loaded']
  readonly webRequest = new WebRequest()
  #onRequest: RequestHandler | null = null
  #onCheck: CheckHandler | null = null

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#onRequest = handler
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#onCheck = handler
  }

  async resolveProxy(url: string): Promise<string> {
    return systemProxy(new URL(url))
  }

  async setProxy(): Promise<void> {}
  async closeAllConnections(): Promise<void> {}
  async clearStorageData(): Promise<void> {}
  async clearCache(): Promise<void> {}
  setSpellCheckerEnabled(): void {}

  /**
   * For the host. Chromium tells nobody when a page asks for a permission: the handlers are asked beforehand, once for
   * each permission, before an origin is loaded.
   */
  async applyPermissions(contents: WebContents, url: string): Promise<void> {
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url)) return
    const [origin = ''] = /^[^:]+:\/\/[^/]+/.exec(url) ?? []
    const { connection } = runningBrowser().chromium
    await Promise.all(
      PERMISSIONS.map(async ([name, permission]) => {
        const setting = (await this.#grants(contents, name, origin)) ? 'granted' : 'denied'
        const mapped = runtime().addresses.toChromium(origin)
        // Some of them can't be set for an origin that isn't secure: they are denied there anyway.
        await connection.browser
          .send('Browser.setPermission', { permission, setting, origin: mapped })
          .catch(() => null)
      }),
    )
  }

  async #grants(contents: WebContents, permission: string, origin: string): Promise<boolean> {
    const details = { requestingUrl: origin, isMainFrame: true }
    if (this.#onCheck !== null && !this.#onCheck(contents, permission, origin, details)) return false
    const ask = this.#onRequest
    if (ask === null) return true
    return new Promise((resolve) => ask(contents, permission, resolve, details))
  }
}

export const sessionModule = (defaultSession: Session): object => strict({ defaultSession }, 'session')
