import { app } from 'electron'
import { LINK_SCHEME } from './link.ts'
import { readArguments } from './start-arguments.ts'

/** The arguments of the start, and the links that the app is asked to open. */
export interface OpenedWith {
  /** True if the app is to start without its window: by the switch, or as a login item of macOS. */
  hidden: boolean
  /** Calls the listener for each link, first for those that arrived earlier. */
  onLink(listener: (link: string) => void): void
}

/**
 * Reads the arguments of the start, and collects the links that arrive from now on. Must run before the app is ready: macOS
 * passes a link as an event, which may be the reason for the start.
 */
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

/** Registers the app for its links. A Linux package declares them in its desktop entry. */
export function registerLinks(): void {
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME)
}
