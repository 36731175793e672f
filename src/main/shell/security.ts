import { app, session, shell, type IpcMainInvokeEvent, type WebContents } from 'electron'

/**
 * The rules that hold for every page of the app, whatever it contains: no navigation away, no new window, no webview,
 * no permission, no download. Links go to the person's own browser, and only if they are https.
 */
export function secure(): void {
  app.on('web-contents-created', (_event, contents) => guard(contents))
  const own = session.defaultSession
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
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

function guard(contents: WebContents): void {
  // Not even within the app: there is one page. Only to load that anew is no navigation.
  contents.on('will-navigate', (event) => {
    if (event.url !== contents.getURL()) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
}

function openLink(url: string): void {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return
  shell.openExternal(url).catch(() => console.error('a link could not be opened'))
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
