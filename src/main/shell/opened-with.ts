import { app } from 'electron'
import { LINK_SCHEME } from './link.ts'
import { readArguments } from './start-arguments.ts'

/** How the app was started, and the links that it's opened with, from the first on. */
export interface OpenedWith {
  hidden: boolean
  /** Those that came before anybody listened come first. */
  onLink(listener: (link: string) => void): void
}

/** Before the app is ready: macOS hands a link over as an event, which may be the reason for the start. */
export function openedWith(argv: readonly string[]): OpenedWith {
  const { hidden, link } = readArguments(argv)
  const early = link === null ? [] : [link]
  let hear = (heard: string): void => void early.push(heard)
  app.on('open-url', (event, url) => {
    event.preventDefault()
    hear(url)
  })
  // macOS starts login items without arguments.
  const byLogin = (): boolean => process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  return {
    get hidden() {
      return hidden || byLogin()
    },
    onLink(listener) {
      hear = listener
      early.forEach(listener)
    },
  }
}

/** Once it's installed. A Linux package says it in its own desktop entry. */
export function registerLinks(): void {
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME)
}
