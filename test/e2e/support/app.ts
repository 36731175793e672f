import { expect, test as base, type ElectronApplication, type Page, type TestInfo } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { launchApp, mainPage, quitApp, startApp } from '../../../scripts/launch.mjs'
import { startDesktop } from '../../../scripts/desktop.mjs'
import { root } from '../../../scripts/setup/project.mjs'
import { presentRuntime } from '../../../scripts/runtime.mjs'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startSampleService, type SampleService } from '../../../src/main/sample/service.ts'
import { watchProcesses } from '../canary/processes.ts'
import { keep, keepExports, partFolder } from '../canary/record.ts'
import { startAppearance, type Appearance } from './appearance.ts'
import { startNotices, type Notices } from './notices.ts'
import { startPanel, type Panel } from './panel.ts'
import { planted } from './planted.ts'
import type { Tray } from './tray.ts'

export interface Siteward {
  readonly app: ElectronApplication
  /** The main window. */
  readonly page: Page
  quit(): Promise<void>
}

export interface Fixtures {
  /** How many websites the service has; set by `test.use`. */
  websites: number
  /** The service that the app is connected to, in this process: its own records are what an edit is judged by. */
  service: SampleService
  /** The session's environment besides, as its login sets it; set by `test.use`. */
  session: Readonly<Record<string, string>>
  /** Whether the desktop has a panel that shows icons; set by `test.use`. */
  panel: boolean
  /** A keychain for this test alone: empty, unlocked. The session's environment leads to it. */
  keychain: Readonly<Record<string, string>>
  /** The panel of this test's desktop; null: it has none. */
  shownPanel: Panel | null
  /** The app's icon on the panel. */
  tray: Tray
  /** The notifications that the app has shown. */
  notices: Notices
  /** The desktop's preference for light or dark. To be asked for before the app is launched. */
  appearance: Appearance
  /** The app's data. It lives as long as the test, however often the app is started. */
  userData: string
  /** Starts the app, again after a quit; more than `siteward` only where a test is about starting. */
  launch: (args?: readonly string[]) => Promise<Siteward>
  /** The same for a start without a window; `page` waits for the one that comes. */
  launchHidden: (args?: readonly string[]) => Promise<{ app: ElectronApplication; page: () => Promise<Page> }>
  /** Starts it a second time while it runs, as a person or the session does; answers the exit code. */
  startAgain: (args?: readonly string[]) => Promise<number | null>
  siteward: Siteward
  page: Page
  /** Says which files took part in the run. */
  spec: undefined
}

interface WorkerFixtures {
  /** A display and a window manager of the worker's own, so that no test takes the focus from another's window. */
  desktop: undefined
  /** Arguments and environment of all that the tests start. */
  processes: undefined
}

const NO_BUS = 'only the desktops of Linux can be stood in for, over D-Bus'
const recorder = join(import.meta.dirname, '../canary/recorder.mjs')

export const test = base.extend<Fixtures, WorkerFixtures>({
  desktop: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      if (process.platform !== 'linux') return use(undefined)
      const { env, stop } = await startDesktop()
      Object.assign(process.env, env)
      delete process.env['WAYLAND_DISPLAY']
      await use(undefined)
      await stop()
    },
    { scope: 'worker', auto: true },
  ],

  processes: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const stop = watchProcesses()
      await use(undefined)
      stop()
    },
    { scope: 'worker', auto: true },
  ],

  spec: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use, testInfo) => {
      keep('specs', basename(testInfo.file))
      await use(undefined)
    },
    { auto: true },
  ],

  websites: [12, { option: true }],

  service: async ({ websites }, use) => {
    // No limit on the rate: that the app keeps to one is proved where the clock is a test's own.
    const service = await startSampleService({ websites, rate: 0, key: planted.apiKey })
    await use(service)
    await service.close()
  },

  session: [{}, { option: true }],

  panel: [true, { option: true }],

  keychain: async ({ session }, use) => {
    const keyring = await startKeyring()
    await use({ ...keyring.env, ...session })
    await keyring.stop()
  },

  shownPanel: async ({ keychain: { DBUS_SESSION_BUS_ADDRESS: bus }, panel }, use) => {
    const shown = panel && bus !== undefined ? await startPanel(bus) : null
    await use(shown)
    await shown?.stop()
  },

  tray: async ({ shownPanel }, use, testInfo) => {
    testInfo.skip(process.platform !== 'linux', NO_BUS)
    if (shownPanel === null) throw new Error('this desktop has no panel')
    await use(shownPanel.tray)
  },

  notices: async ({ keychain }, use, testInfo) => {
    testInfo.skip(process.platform !== 'linux', NO_BUS)
    const notices = await startNotices(keychain['DBUS_SESSION_BUS_ADDRESS'] ?? '')
    await use(notices)
    await notices.stop()
  },

  appearance: async ({ keychain }, use, testInfo) => {
    testInfo.skip(process.platform !== 'linux', NO_BUS)
    const appearance = await startAppearance(keychain['DBUS_SESSION_BUS_ADDRESS'] ?? '')
    await use(appearance)
    await appearance.stop()
  },

  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  userData: async ({}, use) => {
    // It stays until the end of the run, to be searched.
    await use(mkdtempSync(join(partFolder('user-data'), 'test-')))
  },

  launch: async ({ userData, keychain, shownPanel }, use, testInfo) => {
    const running = new Map<ElectronApplication, Page>()
    await use(async (args) => {
      const hasIcon = iconOf(shownPanel)
      const { app, page } = await launchApp({ userData, env: keychain, args, required: [recorder] })
      listen(app, page)
      running.set(app, page)
      await hasIcon()
      app.once('close', () => running.delete(app))
      const quit = async (): Promise<void> => {
        await keepWindow(page)
        await quitApp(app)
      }
      return { app, page, quit }
    })
    for (const [app, page] of running) {
      if (testInfo.status !== testInfo.expectedStatus) await attachPicture(page, testInfo)
      await keepWindow(page)
      await quitApp(app)
    }
    keepExports()
  },

  launchHidden: async ({ userData, keychain, shownPanel }, use) => {
    const running = new Set<ElectronApplication>()
    await use(async (args = []) => {
      const hasIcon = iconOf(shownPanel)
      const app = await startApp({ userData, env: keychain, args: ['--hidden', ...args], required: [recorder] })
      running.add(app)
      await hasIcon()
      return { app, page: () => mainPage(app) }
    })
    for (const app of running) await quitApp(app)
  },

  startAgain: async ({ userData, keychain }, use) => {
    const runtime = presentRuntime()
    await use(async (args = []) => {
      const second = spawn(runtime.executable, [...runtime.args, root, `--user-data-dir=${userData}`, ...args], {
        env: { ...process.env, ...keychain },
        stdio: 'ignore',
      })
      await once(second, 'exit')
      return second.exitCode
    })
  },

  siteward: async ({ launch }, use) => use(await launch()),

  page: async ({ siteward }, use) => use(siteward.page),
})

/** Returns a function that waits for the icon of an app that is launched from now on. */
function iconOf(panel: Panel | null): () => Promise<void> {
  const before = panel?.registered() ?? 0
  return async () => {
    if (panel === null) return
    await expect.poll(() => panel.registered() - before, 'the app’s icons').toBe(1)
    await expect.poll(panel.count, 'icons on the panel').toBe(1)
  }
}

/** What main and the page say, for the search after the last test. */
function listen(app: ElectronApplication, page: Page): void {
  page.on('console', (message) => keep('console', message.text()))
  page.on('pageerror', (error) => keep('console', String(error.stack)))
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => keep('output', String(chunk)))
}

/** The same for what the window shows; one that is gone shows nothing. */
const keepWindow = async (page: Page): Promise<void> => keep('window', await page.content().catch(() => ''))

/** What the window showed when the test failed; a window that can't be pictured any more hides no failure. */
async function attachPicture(page: Page, testInfo: TestInfo): Promise<void> {
  const body = await page.screenshot({ timeout: 5000 }).catch(() => null)
  if (body) await testInfo.attach('window', { body, contentType: 'image/png' })
}

export { expect }
