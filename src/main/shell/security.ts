import { app, session, shell, type IpcMainInvokeEvent, type Session, type WebContents } from 'electron'
import type { Log } from '../log/log.ts'

/**
 * Applies the rules for every page: no navigation, no new window, no webview, no permission, no download, and no request
 * except to the page's own origin.
 */
export function restrictPages(pageOrigin: string): void {
  app.on('web-contents-created', (_event, contents) => restrictPage(contents))
  const own = session.defaultSession
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url, pageOrigin) }))
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  blockNetwork(own, pageOrigin)
}

/**
 * Blocks the network for the page's session. `onBeforeRequest` sees neither WebRTC nor what Chromium fetches itself. Over
 * TCP, both use the session's proxy, which is set to an unusable port. UDP is blocked by the policy of each page (`restrictPage`).
 * During development, Vite's server stays reachable.
 */
function blockNetwork(own: Session, pageOrigin: string): void {
  // Otherwise Chromium fetches a dictionary from Google at each start, even with `spellcheck` off
  // (https://github.com/electron/electron/issues/22995).
  own.setSpellCheckerLanguages([])
  const proxyBypassRules = /^http:/.test(pageOrigin) ? `<-loopback>;${new URL(pageOrigin).host}` : '<-loopback>'
  void own.setProxy({ proxyRules: 'http://127.0.0.1:0', proxyBypassRules })
}

/** Switches that give another program access to this one and the secrets in its memory. */
const DEBUGGING = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
]

/** True if a packaged app was started with a debugging switch. */
export const asksForDebugging = (): boolean =>
  app.isPackaged && DEBUGGING.some((name) => app.commandLine.hasSwitch(name))

/**
 * True if a page may request this URL. The page's content policy says the same, but doesn't cover prefetches and developer
 * tools.
 */
function isAllowed(url: string, pageOrigin: string): boolean {
  if (/^(data|blob|devtools):/.test(url)) return true
  const origin = originOf(url)
  // In development, Vite's server reports changes over a WebSocket on the same host.
  return origin === pageOrigin || origin === pageOrigin.replace(/^http/, 'ws')
}

/** Applies the rules to a page: it can only be reloaded, opens no window, embeds no page, and sends no UDP past the proxy. */
function restrictPage(contents: WebContents): void {
  // The policy is set for each page, because Electron ignores the command-line switch for it.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  // The app has one page without frames. Only a reload is allowed.
  contents.on('will-frame-navigate', (event) => {
    if (event.url !== contents.getURL()) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Opens an https address in the user's browser. Main builds the address: the renderer never passes one. */
export function openLink(url: string, log: Log): void {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return
  shell.openExternal(url).catch(() => log('linkNotOpened', {}))
}

/** True if a bridge request comes from the main frame of our own page. */
export function isOurPage(event: IpcMainInvokeEvent, contents: WebContents | undefined, pageOrigin: string): boolean {
  const frame = event.senderFrame
  return (
    contents !== undefined &&
    event.sender === contents &&
    frame !== null &&
    frame.parent === null &&
    originOf(frame.url) === pageOrigin
  )
}

/** Returns scheme and host of a URL; empty if it is malformed. `URL.origin` would be "null" for the scheme of the app. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
