import { app, session, shell, type IpcMainInvokeEvent, type Session, type WebContents } from 'electron'
import type { Log } from '../log/log.ts'

/** Forbids all pages to navigate, open windows, embed pages, get permissions, download, or send requests to other origins. */
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
 * Blocks the network for the page's session. `onBeforeRequest` sees neither WebRTC nor Chromium's own requests. Over TCP, both
 * use the session's proxy, which is set to an unusable port; `restrictPage` blocks UDP. In development, Vite's server stays
 * reachable.
 */
function blockNetwork(own: Session, pageOrigin: string): void {
  // Otherwise Chromium fetches a dictionary from Google at each start, even with `spellcheck` off
  // (https://github.com/electron/electron/issues/22995).
  own.setSpellCheckerLanguages([])
  const proxyBypassRules = /^http:/.test(pageOrigin) ? `<-loopback>;${new URL(pageOrigin).host}` : '<-loopback>'
  void own.setProxy({ proxyRules: 'http://127.0.0.1:0', proxyBypassRules })
}

/** Switches that give another program access to the app and the secrets in its memory. */
const DEBUGGING = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
]

/** True if the packaged app was started with a switch of {@link DEBUGGING}. */
export const asksForDebugging = (): boolean =>
  app.isPackaged && DEBUGGING.some((name) => app.commandLine.hasSwitch(name))

/** The page's content policy has the same rule, but doesn't cover prefetches and developer tools. */
function isAllowed(url: string, pageOrigin: string): boolean {
  if (/^(data|blob|devtools):/.test(url)) return true
  const origin = originOf(url)
  // In development, Vite's server reports changes over a WebSocket on the same host.
  return origin === pageOrigin || origin === pageOrigin.replace(/^http/, 'ws')
}

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

/** Opens only https addresses, which main builds: the renderer never passes one. */
export function openLink(url: string, log: Log): void {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return
  shell.openExternal(url).catch(() => log('linkNotOpened', {}))
}

/** True only for the main frame of the app's own page. */
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

/** Returns scheme and host, or an empty text. `URL.origin` would be "null" for the scheme of the app. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
