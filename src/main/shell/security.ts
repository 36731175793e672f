import { app, session, shell, type IpcMainInvokeEvent, type Session, type WebContents } from 'electron'
import type { Log } from '../log/log.ts'

/**
 * The rules that hold for every page of the app, whatever it contains: no navigation away, no new window, no webview,
 * no permission, no download, no request but to where the page itself came from.
 */
export function secure(pageOrigin: string): void {
  app.on('web-contents-created', (_event, contents) => guard(contents))
  const own = session.defaultSession
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayAsk(url, pageOrigin) }))
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  cutOff(own, pageOrigin)
}

/**
 * Takes the network from the page's session. `onBeforeRequest` sees neither WebRTC nor what Chromium fetches by itself: a relay
 * (TURN) over TCP goes by the session's proxy, which here is a port that nobody can listen on, and a peer over UDP is held
 * back by each page's policy (`guard`). While developing, Vite's server is left in reach.
 */
function cutOff(own: Session, pageOrigin: string): void {
  // Else a dictionary is fetched from Google at each start, with the page's `spellcheck` off too
  // (https://github.com/electron/electron/issues/22995).
  own.setSpellCheckerLanguages([])
  const proxyBypassRules = /^http:/.test(pageOrigin) ? `<-loopback>;${new URL(pageOrigin).host}` : '<-loopback>'
  void own.setProxy({ proxyRules: 'http://127.0.0.1:0', proxyBypassRules })
}

/** Switches that let another program look into this one, and at the secrets in its memory. */
const DEBUGGING = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
]

/** What is installed on a workstation isn't debugged: whether it was asked to be. */
export const asksForDebugging = (): boolean =>
  app.isPackaged && DEBUGGING.some((name) => app.commandLine.hasSwitch(name))

/**
 * Whatever a window asks for. Where a start has switched Chromium's sandbox off, since the system forbids what it's made of, this
 * would take that switch away (https://www.electronjs.org/docs/latest/api/app#appenablesandbox), and no page would come.
 */
export const sandboxPages = (): void => {
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
}

/** The page's policy says the same; this holds where a policy doesn't reach (prefetches, what a tool window asks). */
function mayAsk(url: string, pageOrigin: string): boolean {
  if (/^(data|blob|devtools):/.test(url)) return true
  const origin = originOf(url)
  // Vite's server speaks of changes over a socket of the same host.
  return origin === pageOrigin || origin === pageOrigin.replace(/^http/, 'ws')
}

function guard(contents: WebContents): void {
  // The switch of this name is ignored by Electron.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  // Not even within the app: there is one page without frames. Only to load that anew is no navigation.
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || event.url !== contents.getURL()) event.preventDefault()
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

/** Whether a bridge request comes from the main frame of our own page. */
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

/** `URL.origin` says "null" for schemes that it doesn't know. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
