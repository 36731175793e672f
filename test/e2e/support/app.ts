import { test as base, type ElectronApplication, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mainPage, quitApp, startApp } from '../../../scripts/launch.mjs'
import { startDesktop } from '../../../scripts/desktop.mjs'
import { root } from '../../../scripts/setup/project.mjs'
import { presentRuntime } from '../../../scripts/runtime.mjs'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startSampleService, type SampleService } from '../../../src/main/sample/service.ts'
import { watchProcesses } from '../canary/processes.ts'
import { keep, keepExports, partFolder } from '../canary/record.ts'
import { startAppearance, type Appearance } from './appearance.ts'
import { expect } from './expect.ts'
import { startNotices, type Notices } from './notices.ts'
import { startPanel, type Panel } from './panel.ts'
import { planted } from './planted.ts'
import { createSharedApp, type SharedApp } from './shared-app.ts'
import { attachPicture, iconOf, keepWindow, recorder, startSiteward, type Session, type Siteward } from './siteward.ts'
import type { Tray } from './tray.ts'

export type { Siteward }

export interface Fixtures {
  websites: number
  /** The service that the app connects to, in this process. Its own records show what an edit has done. */
  service: SampleService
  /** Environment variables that the app gets besides those of the keychain; set by `test.use`. */
  session: Readonly<Record<string, string>>
  panel: boolean
  /** True if the test ends long waits of the app (`endWait`, clock.ts); set by `test.use`. */
  endsWaits: boolean
  /** The environment variables of the app: those that lead to an empty, unlocked keychain of this test, and `session`. */
  keychain: Readonly<Record<string, string>>
  shownPanel: Panel | null
  tray: Tray
  notices: Notices
  /** The desktop's preference for light or dark. Request it before the app is launched. */
  appearance: Appearance
  /** Folder of the app's data, which lives as long as the test. */
  userData: string
  /** Starts the app. Tests about starting and quitting use it instead of `siteward`. */
  launch: (args?: readonly string[]) => Promise<Siteward>
  /** Starts the app without a window; `page` waits for its window. */
  launchHidden: (args?: readonly string[]) => Promise<{ app: ElectronApplication; page: () => Promise<Page> }>
  /** Starts the app a second time while it runs, and returns the exit code. */
  startAgain: (args?: readonly string[]) => Promise<number | null>
  siteward: Siteward
  page: Page
  /** Quits the app that earlier tests have shared, so that only one app is on the desktop. */
  ownDesktop: undefined
  /** Records which spec files took part in the run. */
  spec: undefined
}

interface WorkerFixtures {
  /** A display and window manager for this worker, so that no other test takes the focus. */
  desktop: undefined
  /** Records arguments and environment of all processes that the tests start. */
  processes: undefined
  sharedApp: SharedApp
}

const NO_BUS = 'only the desktops of Linux can be stood in for, over D-Bus'

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

  sharedApp: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const shared = createSharedApp()
      await use(shared)
      await shared.quit()
    },
    { scope: 'worker' },
  ],

  ownDesktop: [
    async ({ sharedApp }, use) => {
      await sharedApp.quit()
      await use(undefined)
    },
    { auto: true },
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
    // Without a rate limit; the app's own limit is tested with a simulated clock.
    const service = await startSampleService({ websites, rate: 0, key: planted.apiKey })
    await use(service)
    await service.close()
  },

  session: [{}, { option: true }],

  panel: [true, { option: true }],

  endsWaits: [false, { option: true }],

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
    // The folder stays until the end of the run, when it is searched.
    await use(mkdtempSync(join(partFolder('user-data'), 'test-')))
  },

  launch: async ({ userData, keychain, shownPanel, endsWaits }, use, testInfo) => {
    const running = new Set<Siteward>()
    await use(async (args) => {
      const siteward = await startSiteward({ userData, keychain, shownPanel, endsWaits }, args)
      running.add(siteward)
      siteward.app.once('close', () => running.delete(siteward))
      return siteward
    })
    for (const { page, quit } of running) {
      await attachPicture(page, testInfo)
      await quit()
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

/**
 * The test function for tests that neither start nor quit the app. All tests of a file share one app, which is reset to
 * the state of a first start before each test. After a failed test, the next one gets a new app.
 */
export const sharedTest = test.extend<{ shared: Session & { siteward: Siteward } }>({
  // eslint-disable-next-line no-empty-pattern -- as above
  ownDesktop: async ({}, use) => use(undefined),

  shared: async ({ sharedApp }, use, testInfo) => {
    const shared = await sharedApp.open(testInfo.file)
    await use(shared)
    const { page } = shared.siteward
    await attachPicture(page, testInfo)
    await keepWindow(page)
    if (testInfo.status === testInfo.expectedStatus) await sharedApp.clear()
    else await sharedApp.quit()
    keepExports()
  },

  keychain: ({ shared }, use) => use(shared.keychain),
  shownPanel: ({ shared }, use) => use(shared.shownPanel),
  userData: ({ shared }, use) => use(shared.userData),
  siteward: ({ shared }, use) => use(shared.siteward),

  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  launch: async ({}, use) =>
    use(() => {
      throw new Error('A test that starts or quits the app must not share it.')
    }),
})

export { expect }
