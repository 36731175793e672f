import { app } from 'electron'
import { LINK_SCHEME } from './link.ts'
import { readArguments } from './start-arguments.ts'

/** How the app was opened: hidden or not, and with which links. */
export interface OpenedWith {
  /** True if the app starts without its window: by the switch, or as a login item of macOS. */
  hidden: boolean
  /** Calls the listener for each link, first for those that arrived earlier. */
  onLink(listener: (link: string) => void): void
}

/** Must run before the app is ready, because macOS passes a link as an event, which may be the reason for the start. */
export function openedWith(argv: readonly string[]): OpenedWith {
  const { hidden, link } = readArguments(argv)
  const early = link === null ? [] : [link]
  let receive = (link: string): void => void early.push(link)
  app.on('open-url', (event, url) => {
    event.preventDefault()
    receive(url)
  })
  // macOS starts login items without arguments.
  const byLogin = (): boolean => process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  return {
    get hidden() {
      return hidden || byLogin()
    },
    onLink(listener) {
      receive = listener
      early.forEach(listener)
    },
  }
}

/** A Linux package declares its links in its desktop entry instead. */
export function registerLinks(): void {
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME)
}
