import type { ElectronApplication, Page } from '@playwright/test'
import { UNLOAD_AFTER } from '../../src/main/shell/unload-timer.ts'
import { startSampleService } from '../../src/main/sample/service.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from './support/app.ts'
import { connect, goTo, goToAdvancedSettings, websiteRow } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'
import { boundsOf, changeWindow, isWindow, moveWindow } from './support/window.ts'

// This file is among the last to run. Its tests run in parallel so that no worker is idle.
test.describe.configure({ mode: 'parallel' })

const letMinutesPass = (app: ElectronApplication, minutes: number): Promise<void> =>
  app.evaluate((_electron, passed) => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + passed * 60_000
  }, minutes)

async function keepInTaskbar(page: Page): Promise<void> {
  await goToAdvancedSettings(page)
  const keeps = page.getByRole('switch', { name: 'Minimize the window when you close it' })
  await keeps.click()
  await expect(keeps).toBeChecked()
  await goTo(page, 'Websites')
}

test('shows the current list in a window that is restored after it was minimized for a long time', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await changeWindow(app, 'minimize')
  await expect.poll(() => isWindow(app, 'Minimized')).toBe(true)
  service.store.create({ domain: 'meanwhile.example' })
  await letMinutesPass(app, 6)
  await changeWindow(app, 'restore')
  await expect(websiteRow(page, 'meanwhile.example')).toBeVisible()
})

test('does not probe an unreachable service while the window is minimized', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  const port = Number(new URL(service.address).port)
  await service.close()
  await page.keyboard.press('F5')
  await expect(page.getByText(/^Couldn’t refresh the list/)).toBeVisible()
  await changeWindow(app, 'minimize')
  await expect.poll(() => isWindow(app, 'Minimized')).toBe(true)
  const back = await startSampleService({ websites: 1, port, key: service.apiKey, rate: 0 })
  await wait(3000)
  expect(back.store.requests()).toEqual([])
  await changeWindow(app, 'restore')
  await expect.poll(() => back.store.requests().length).toBeGreaterThan(0)
  await back.close()
})

test('reads the list as soon as the window is restored, if the app was started minimized at sign-in', async ({
  launch,
  launchHidden,
  service,
}) => {
  const first = await launch()
  await connect(first.page, service)
  await keepInTaskbar(first.page)
  await first.quit()
  service.store.create({ domain: 'overnight.example' })

  const { app, page } = await launchHidden()
  await expect.poll(() => isWindow(app, 'Minimized')).toBe(true)
  const shown = await page()
  await shown.getByRole('grid', { name: 'Websites' }).waitFor()
  await changeWindow(app, 'restore')
  await expect(websiteRow(shown, 'overnight.example')).toBeVisible()
})

test('the timer after which a hidden window is unloaded starts if the user has closed the window, not if the window was hidden with the whole app', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await app.evaluate((_electron, long) => {
    const real = globalThis.setTimeout
    const counted = Object.assign(globalThis, { waits: 0 })
    globalThis.setTimeout = ((call: () => void, ms: number, ...more: []) => {
      if (ms === long) counted.waits += 1
      return real(call, ms, ...more)
    }) as typeof setTimeout
  }, UNLOAD_AFTER)
  const waits = () => app.evaluate(() => (globalThis as { waits?: number }).waits)
  await changeWindow(app, 'hide')
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  await wait(200) // The event comes after the change.
  expect(await waits()).toBe(0)
  await closeWindow(app)
  await expect.poll(waits).toBe(1)
})

test('keeps a maximized window over a restart, even if it was closed or minimized before', async ({
  launch,
  launchHidden,
  tray,
}) => {
  const first = await launch()
  await changeWindow(first.app, 'maximize')
  await closeWindow(first.app)
  await expect.poll(() => isWindowVisible(first.app)).toBe(false)
  await tray.click()
  await expect.poll(() => isWindowVisible(first.app)).toBe(true)
  await changeWindow(first.app, 'minimize')
  await expect.poll(() => isWindow(first.app, 'Minimized')).toBe(true)
  await first.quit()

  const { app } = await launchHidden()
  await tray.click()
  await expect.poll(() => isWindow(app, 'Maximized')).toBe(true)
})

test('opens a maximized window from the taskbar, if the app was started minimized at sign-in', async ({
  launch,
  launchHidden,
}) => {
  const first = await launch()
  await first.page.getByRole('button', { name: 'Try with sample data' }).click()
  await keepInTaskbar(first.page)
  await changeWindow(first.app, 'maximize')
  await closeWindow(first.app)
  await expect.poll(() => isWindow(first.app, 'Minimized')).toBe(true)
  await first.quit()

  const second = await launchHidden()
  await expect.poll(() => isWindow(second.app, 'Minimized')).toBe(true)
  await second.page()
  await changeWindow(second.app, 'restore')
  await expect.poll(() => isWindow(second.app, 'Maximized')).toBe(true)
})

test('closing a window in full screen leaves full screen first, and then does not hide the window if the user has asked for it by then', async ({
  siteward: { app },
}) => {
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await app.evaluate(async ({ BrowserWindow }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const [window] = BrowserWindow.getAllWindows()
    const events = ((globalThis as { events?: string[] }).events = [] as string[])
    for (const event of ['enter-full-screen', 'leave-full-screen', 'hide'] as const)
      window?.on(event as 'hide', () => events.push(event))
    window?.setFullScreen(true)
  })
  const events = () => app.evaluate(() => (globalThis as { events?: string[] }).events)
  await expect.poll(events).toEqual(['enter-full-screen'])
  await closeWindow(app)
  await expect.poll(events).toEqual(['enter-full-screen', 'leave-full-screen', 'hide'])

  await app.evaluate(async ({ app, BrowserWindow }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    app.emit('activate')
    const [window] = BrowserWindow.getAllWindows()
    window?.setFullScreen(true)
    window?.once('leave-full-screen', () => app.emit('activate'))
  })
  await expect.poll(async () => (await events())?.length).toBe(4)
  await closeWindow(app)
  await expect.poll(async () => (await events())?.length).toBe(5)
  await wait(200)
  expect(await events()).not.toHaveLength(6)
  expect(await isWindowVisible(app)).toBe(true)
})

test.describe('a window that was maximized before it was in full screen', () => {
  const place = { x: 180, y: 90, width: 900, height: 600 }

  /** Maximizes the window, and then puts it into full screen. On X11, the window reports neither state at first. */
  async function goFullScreen(app: ElectronApplication): Promise<void> {
    await expect.poll(() => isWindowVisible(app)).toBe(true)
    await moveWindow(app, place)
    await changeWindow(app, 'maximize')
    await expect.poll(() => isWindow(app, 'Maximized')).toBe(true)
    await app.evaluate(async ({ BrowserWindow }) => {
      await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
      BrowserWindow.getAllWindows()[0]?.setFullScreen(true)
    })
    await expect.poll(() => isWindow(app, 'FullScreen')).toBe(true)
    await wait(1000) // The place is saved a moment after the last move.
  }

  /** Expects that the window is maximized, and that it returns to {@link place} when the user unmaximizes it. */
  async function expectMaximized(app: ElectronApplication): Promise<void> {
    await expect.poll(() => isWindow(app, 'Maximized')).toBe(true)
    await changeWindow(app, 'unmaximize')
    await expect.poll(() => boundsOf(app)).toEqual(place)
  }

  test('is maximized again when it is closed in full screen and shown again', async ({
    siteward: { app },
    startAgain,
  }) => {
    await goFullScreen(app)
    await closeWindow(app)
    await expect.poll(() => isWindowVisible(app)).toBe(false)
    expect(await startAgain()).toBe(0)
    await expectMaximized(app)
  })

  test('is maximized and keeps its restored size after it was closed in full screen and the app was restarted', async ({
    launch,
  }) => {
    const first = await launch()
    await goFullScreen(first.app)
    await closeWindow(first.app)
    await expect.poll(() => isWindowVisible(first.app)).toBe(false)
    await first.quit()
    await expectMaximized((await launch()).app)
  })

  test('is also maximized after a restart if the app quit in full screen, or if the window had left full screen before', async ({
    launch,
  }) => {
    const first = await launch()
    await goFullScreen(first.app)
    await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setFullScreen(false))
    await expect.poll(() => isWindow(first.app, 'Maximized')).toBe(true)
    await wait(1500) // The place is saved a moment after the last change.
    await first.quit()
    const second = await launch()
    await expectMaximized(second.app)
    await goFullScreen(second.app)
    await second.quit()
    await expectMaximized((await launch()).app)
  })
})

test('closes a window that its desktop keeps in full screen', async ({ siteward: { app } }) => {
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await app.evaluate(async ({ BrowserWindow }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) throw new Error('there is no window')
    window.isFullScreen = () => true
  })
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
})
