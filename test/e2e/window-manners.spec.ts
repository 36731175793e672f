import type { ElectronApplication } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostControls } from '../../scripts/host/controls.ts'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { expect, test } from './support/app.ts'
import { connect, saveWebsite } from './support/screens.ts'
import { isWindowVisible, trayOf } from './support/tray.ts'

test.skip(presentRuntime().kind === 'electron', 'the tray and the desktop are the host’s')

/** What there was of a window at the moment when it came on the screen. */
interface Sight {
  /** Behind the page, until that is drawn. */
  behind: string
  /** The page's own; null: there was nothing in it to draw yet. */
  page: string | null
}

/** Looks at each window in the moment in which it's shown. */
const watchShown = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => {
    const seen = globalThis as { sights?: Promise<unknown>[] }
    const sights = (seen.sights = [] as Promise<unknown>[])
    electron.app.on('browser-window-created', (_event, window) => {
      window.on('show', () => {
        const look = `document.body.innerText.trim() === '' ? null : getComputedStyle(document.body).backgroundColor`
        const behind = window.getBackgroundColor()
        sights.push(window.webContents.executeJavaScript(look).then((page) => ({ behind, page }) as unknown))
      })
    })
  })

const shown = (app: ElectronApplication): Promise<Sight[]> =>
  app.evaluate(() => Promise.all((globalThis as { sights?: Promise<Sight>[] }).sights ?? []))

const rgb = (hex: string): string =>
  `rgb(${[1, 3, 5].map((at) => String(Number.parseInt(hex.slice(at, at + 2), 16))).join(', ')})`

for (const scheme of ['light', 'dark'] as const)
  test(`a ${scheme} window comes with something in it, and what is behind the page has the page’s colour`, async ({
    launchHidden,
  }) => {
    const { app, page } = await launchHidden()
    await app.evaluate(
      (electron, wanted) => (electron as never as { host: HostControls }).host.setColorScheme(wanted),
      scheme,
    )
    await watchShown(app)
    await trayOf(app).click()
    await page()
    await expect.poll(async () => (await shown(app)).length).toBe(1)
    const [sight] = await shown(app)
    expect(sight?.page).toBe(rgb(sight?.behind ?? ''))
  })

test('a window of which the system never says that it’s drawn comes all the same', async ({ launchHidden }) => {
  const { app } = await launchHidden()
  await app.evaluate((electron) => {
    electron.app.on('browser-window-created', (_event, window) =>
      setImmediate(() => window.removeAllListeners('ready-to-show')),
    )
  })
  await trayOf(app).click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('nothing but the person brings the window to the front', async ({ siteward: { app, page }, service }) => {
  const focused = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isFocused()))
  await connect(page, service)
  await expect.poll(focused).toBe(true)
  await trayOf(app).choose('Pause sending')
  await saveWebsite(page, 'fine.example')
  await saveWebsite(page, 'taken.example')
  // The person turns to another program: the window stays on the screen behind it.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.blur()))
  await expect.poll(focused).toBe(false)
  const focus = await app.evaluateHandle(({ BrowserWindow }) => {
    const taken = { times: 0 }
    BrowserWindow.getAllWindows().forEach((window) => window.on('focus', () => (taken.times += 1)))
    return taken
  })

  // Sent, parked and told of; the theme changes; the page's process ends and is started anew.
  await trayOf(app).choose('Resume sending')
  await expect
    .poll(() =>
      app.evaluate((electron) =>
        (electron as never as { host: HostControls }).host.notifications.some(({ title }) => /needs you/.test(title)),
      ),
    )
    .toBe(true)
  await app.evaluate((electron) => {
    ;(electron as never as { host: HostControls }).host.setColorScheme('dark')
    electron.BrowserWindow.getAllWindows().forEach(({ webContents }) => webContents.forcefullyCrashRenderer())
  })
  const text = () =>
    app
      .evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
      )
      .then(String, () => '')
  await expect.poll(text).toContain('loaded anew')
  await wait(500)
  expect(await focus.evaluate(({ times }) => times)).toBe(0)
  expect(await focused()).toBe(false)
  expect(await isWindowVisible(app)).toBe(true)
})
