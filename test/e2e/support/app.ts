import { expect, test as base, type ElectronApplication, type Page } from '@playwright/test'
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
import { startNotices, type Notices } from './notices.ts'
import { startPanel, type Panel } from './panel.ts'
import { planted } from './planted.ts'
import { createSharedApp, type SharedApp } from './shared-app.ts'
import { attachPicture, iconOf, keepWindow, recorder, startSiteward, type Session, type Siteward } from './siteward.ts'
import type { Tray } from './tray.ts'

export type { Siteward }

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
  /** Quits the app that tests before this one have shared, so that only one app is on the desktop. */
  ownDesktop: undefined
  /** Says which files took part in the run. */
  spec: undefined
}

interface WorkerFixtures {
  /** A display and a window manager of the worker's own, so that no test takes the focus from another's window. */
  desktop: undefined
  /** Arguments and environment of all that the tests start. */
  processes: undefined
  /** The app of the tests that use {@link sharedTest}. */
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
    const running = new Set<Siteward>()
    await use(async (args) => {
      const siteward = await startSiteward({ userData, keychain, shownPanel }, args)
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
 * For tests that don't start or quit the app: those of a file share one app, and each finds it as it is after its first start.
 * After a failed test the next one gets another app.
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
