import { app, session, shell, type IpcMainInvokeEvent, type WebContents } from 'electron'

/**
 * The rules that hold for every page of the app, whatever it contains: no navigation away, no new window, no webview,
 * no permission, no download. Links go to the person's own browser, and only if they are https.
 * `pageOrigin` is where the app's own page comes from.
 */
export function secure(pageOrigin: string): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, pageOrigin))
  const own = session.defaultSession
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
}

function guard(contents: WebContents, pageOrigin: string): void {
  contents.on('will-navigate', (event) => {
    if (originOf(event.url) !== pageOrigin) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
}

function openLink(url: string): void {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') void shell.openExternal(url)
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
