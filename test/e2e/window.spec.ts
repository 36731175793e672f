import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './support/app.ts'
import { startPanel } from './support/panel.ts'
import { connect, connectForm, goToAdvancedSettings, websiteTable } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'
import { boundsOf, moveWindow } from './support/window.ts'

// This file is among the last to run. Its tests run in parallel so that no worker is idle.
test.describe.configure({ mode: 'parallel' })

const place = { x: 180, y: 90, width: 900, height: 600 }

const isMinimized = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized())

test('closing the window hides it, and a second start shows it again', async ({ siteward, startAgain }) => {
  const { app, page } = siteward
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  expect(page.isClosed()).toBe(false)
  expect(await startAgain()).toBe(0)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('restores the place of the window, or moves it onto the screen if that place is gone', async ({ launch }) => {
  const first = await launch()
  await expect.poll(() => isWindowVisible(first.app)).toBe(true)
  await moveWindow(first.app, place)
  await first.quit()
  const second = await launch()
  await expect.poll(() => isWindowVisible(second.app)).toBe(true)
  expect(await boundsOf(second.app)).toEqual(place)
  // The window was on a monitor that is gone. The window manager would move it back after a while.
  await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setPosition(4000, 90))
  await second.quit()
  const { app } = await launch()
  await expect.poll(async () => (await boundsOf(app)).x).toBe(350)
})

test.describe('on Wayland', () => {
  test.use({ session: { XDG_SESSION_TYPE: 'wayland' } })

  test('restores only the size of the window, as Wayland tells no place', async ({ launch }) => {
    const first = await launch()
    await expect.poll(() => isWindowVisible(first.app)).toBe(true)
    await moveWindow(first.app, place)
    await first.quit()
    const { app } = await launch()
    await expect.poll(() => boundsOf(app)).toEqual({ ...place, x: 350, y: 200 })
  })
})

test('opens the first window beside the tray icon, if the system reports the place of the icon', async ({
  launchHidden,
  tray,
}) => {
  const { app, page } = await launchHidden()
  await app.evaluate((electron) => {
    const [display] = electron.screen.getAllDisplays()
    if (display === undefined) throw new Error('no display')
    // Simulates a bar at the top with the icon, as on macOS.
    const workArea = { ...display.bounds, y: 24, height: display.bounds.height - 24 }
    electron.screen.getAllDisplays = () => [{ ...display, workArea }]
    electron.Tray.prototype.getBounds = () => ({ x: 1000, y: 0, width: 24, height: 24 })
  })
  await tray.click()
  await page()
  await expect.poll(() => boundsOf(app)).toMatchObject({ width: 1180, height: 740 })
  // The window manager sometimes includes its frame of one pixel.
  const { x, y } = await boundsOf(app)
  expect(Math.abs(x - 420)).toBeLessThan(3)
  expect(Math.abs(y - 24)).toBeLessThan(3)
})

/** Simulates the loss of the window's monitor: only the lower part of the screen is left. `Xvfb` has fixed monitors. */
const loseMonitor = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async ({ screen }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const display = screen.getPrimaryDisplay()
    screen.getAllDisplays = () => [{ ...display, workArea: { x: 100, y: 300, width: 1500, height: 700 } }]
    screen.emit('display-removed', {}, display)
  })

test('shows a hidden window on another monitor if its own is gone', async ({ siteward: { app, page }, tray }) => {
  await connectForm(page)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await moveWindow(app, place)
  await closeWindow(app)
  await loseMonitor(app)
  await tray.choose('Open Siteward')
  await expect.poll(() => boundsOf(app)).toEqual({ ...place, x: 400, y: 350 })
})

test('moves a visible window whose monitor disappears to another one', async ({ siteward: { app, page } }) => {
  await connectForm(page)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await moveWindow(app, place)
  await loseMonitor(app)
  await expect.poll(() => boundsOf(app)).toEqual({ ...place, x: 400, y: 350 })
})

test('notifies once that the app keeps running in the tray, and a click shows the window', async ({
  launch,
  notices,
}) => {
  const first = await launch()
  await closeWindow(first.app)
  await expect.poll(notices.titles).toEqual(['Siteward is still running'])
  notices.click()
  await expect.poll(() => isWindowVisible(first.app)).toBe(true)
  await closeWindow(first.app)
  await expect.poll(() => isWindowVisible(first.app)).toBe(false)
  await first.quit()
  const { app } = await launch()
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  expect(notices.titles()).toHaveLength(1)
})

test.describe('without a panel that shows icons', () => {
  test.use({ panel: false })

  test('minimizes a closed window, says so once, and the check of the set-up reports that there are no tray icons', async ({
    launch,
    startAgain,
    notices,
  }) => {
    const first = await launch()
    await closeWindow(first.app)
    await expect.poll(() => isMinimized(first.app)).toBe(true)
    await closeWindow(first.app)
    await expect.poll(notices.titles).toEqual(['Siteward is still running'])
    expect(await startAgain()).toBe(0)
    await expect.poll(() => isMinimized(first.app)).toBe(false)
    await first.quit()

    const { app, page } = await launch()
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    await websiteTable(page).waitFor()
    await goToAdvancedSettings(page)
    await page.getByRole('button', { name: 'Check setup' }).click()
    const tray = page.getByRole('list', { name: 'Setup' }).getByRole('listitem').filter({ hasText: 'Tray' })
    await expect(tray).toContainText('This desktop doesn’t show tray icons')
    await closeWindow(app)
    await expect.poll(() => isMinimized(app)).toBe(true)
    expect(notices.titles()).toHaveLength(1)
  })

  test('shows its icon on a panel that starts later, and closing the window then hides the window instead of minimizing it', async ({
    launch,
    keychain,
  }) => {
    test.skip(process.platform !== 'linux', 'the panels of other systems are always there')
    const { app } = await launch()
    const panel = await startPanel(keychain['DBUS_SESSION_BUS_ADDRESS'] ?? '')
    await expect.poll(panel.count).toBe(1)
    await closeWindow(app)
    await expect.poll(() => isWindowVisible(app)).toBe(false)
    await panel.tray.choose('Open Siteward')
    await expect.poll(() => isWindowVisible(app)).toBe(true)
    await panel.stop()
  })
})

test('closing the window minimizes it if the user has chosen that, and a second start restores it', async ({
  siteward,
  startAgain,
}) => {
  const { app, page } = siteward
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await websiteTable(page).waitFor()
  await goToAdvancedSettings(page)
  await page.getByRole('switch', { name: 'Minimize the window when you close it' }).click()
  await expect(page.getByRole('switch', { name: 'Minimize the window when you close it' })).toBeChecked()
  await closeWindow(app)
  await expect.poll(() => isMinimized(app)).toBe(true)
  expect(await startAgain()).toBe(0)
  await expect.poll(() => isMinimized(app)).toBe(false)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('the page has no Node, can’t reach another address, and can’t change the bridge', async ({ page }) => {
  await connectForm(page)
  const seen = await page.evaluate(async () => {
    const globals = window as unknown as Record<string, unknown>
    const bridge = globals['siteward'] as Record<string, unknown>
    const fetched = await fetch('https://example.com').then(
      () => 'reached',
      () => 'refused',
    )
    const script = document.createElement('script')
    try {
      script.textContent = 'window.injected = true'
      document.body.append(script)
    } catch {
      // Trusted types may refuse the value before the policy does.
    }
    return {
      node: [typeof globals['require'], typeof globals['process']],
      fetched,
      injected: globals['injected'] ?? false,
      frozen: Object.isFrozen(bridge),
      opened: window.open('https://example.com') === null,
    }
  })
  expect(seen).toEqual({
    node: ['undefined', 'undefined'],
    fetched: 'refused',
    injected: false,
    frozen: true,
    opened: true,
  })
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  await expect.poll(() => page.url()).toBe(before)
})

test('keeps nothing in memory of closed windows, and no listener for them', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  const left = await app.evaluate(async (electron) => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
    const listeners = () => {
      const { app, ipcMain, nativeTheme, powerMonitor, screen } = electron
      const emitters: NodeJS.EventEmitter[] = [app, ipcMain, nativeTheme, powerMonitor, screen, process]
      return emitters.flatMap((each) => each.eventNames().map((name) => each.listenerCount(name)))
    }
    const gone: WeakRef<object>[] = []
    const open = async (): Promise<void> => {
      await pause()
      electron.app.emit('activate')
      const [window] = electron.BrowserWindow.getAllWindows()
      while (window?.isVisible() !== true || window.webContents.isLoading()) await pause()
    }
    const destroyWindow = async (): Promise<void> => {
      const [window] = electron.BrowserWindow.getAllWindows()
      if (window === undefined) throw new Error('there is no window')
      const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()))
      gone.push(new WeakRef(window), new WeakRef(window.webContents))
      window.destroy()
      await closed
    }
    await open()
    const listenersBefore = listeners()
    for (let n = 0; n < 5; n++) {
      await destroyWindow()
      await open()
    }
    const kept = () => gone.filter((ref) => ref.deref() !== undefined).length
    for (let turn = 0; turn < 50 && kept() > 0; turn++) {
      await pause()
      collect()
    }
    return { kept: kept(), listenersBefore, listenersNow: listeners() }
  })
  expect(left.kept).toBe(0)
  expect(left.listenersNow).toEqual(left.listenersBefore)
})

test('refuses a malformed request with a code', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const bridge = (window as unknown as { siteward: Record<string, (request?: unknown) => Promise<unknown>> }).siteward
    return Promise.all([
      bridge['getWebsite']?.({ key: 7 }),
      bridge['listWebsites']?.({ page: 0 }),
      bridge['connect']?.({ address: 'x', apiKey: 'two words', keep: 'keychain' }),
    ])
  })
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'malformed-request' } })
})

test('quitting ends the process', async ({ launch }) => {
  const { app, page, quit } = await launch()
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await websiteTable(page).waitFor()
  const process = app.process()
  await quit()
  expect(process.exitCode).toBe(0)
})
