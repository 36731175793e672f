import type { AppPackage } from './app-package.ts'
import type { CommandLine } from './command-line.ts'
import { HostControls } from './controls.ts'
import { Addresses } from './scheme/addresses.ts'
import type { SchemeHandler } from './scheme/requests.ts'
import type { Browser } from './window/browser.ts'

/** What the parts of the `electron` module share. */
export interface Runtime {
  /** The launcher, which stands for Electron's binary. */
  executable: string
  commandLine: CommandLine
  app: AppPackage
  addresses: Addresses
  schemeHandlers: Map<string, SchemeHandler>
  controls: HostControls
  /** null: Chromium doesn't run yet. */
  browser: Browser | null
}

let current: Runtime | undefined

export function createRuntime(given: Pick<Runtime, 'executable' | 'commandLine' | 'app'>): Runtime {
  current = {
    ...given,
    addresses: new Addresses(),
    schemeHandlers: new Map(),
    controls: new HostControls(),
    browser: null,
  }
  return current
}

/** One process runs one app: `new BrowserWindow()` has nobody to hand it in. */
export function runtime(): Runtime {
  if (current === undefined) throw new Error('the development host has not been started')
  return current
}

export function runningBrowser(): Browser {
  const { browser } = runtime()
  if (browser === null) throw new Error('Cannot do this before app is ready')
  return browser
}
