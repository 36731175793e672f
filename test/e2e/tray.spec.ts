import type { ElectronApplication } from '@playwright/test'
import { presentRuntime } from '../../scripts/runtime.mjs'
import type { HostControls } from '../../scripts/host/controls.ts'
import { expect, test } from './support/app.ts'
import { addWebsite, confirmation, connect } from './support/screens.ts'

test.skip(presentRuntime().kind === 'electron', 'Electron gives no way to read a tray back; the host records it')

const toolTip = (app: ElectronApplication): Promise<string> =>
  app.evaluate((electron) => (electron as never as { host: HostControls }).host.trays[0]?.toolTip ?? '')

const choose = (app: ElectronApplication, label: string): Promise<void> =>
  app.evaluate((electron, wanted) => {
    const { host } = electron as never as { host: HostControls }
    const item = host.trays[0]?.menu?.items.find((each) => each.label === wanted)
    if (item === undefined) throw new Error(`the tray has no ${wanted}`)
    ;(item as { click: () => void }).click()
  }, label)

test('Open shows the hidden window, and Quit ends the app', async ({ siteward: { app } }) => {
  const isVisible = (): Promise<boolean> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.close()))
  await expect.poll(isVisible).toBe(false)
  await choose(app, 'Open')
  await expect.poll(isVisible).toBe(true)
  const process = app.process()
  const closed = app.waitForEvent('close')
  await choose(app, 'Quit').catch(() => undefined) // the answer may not outlive the app
  await closed
  expect(process.exitCode).toBe(0)
})

test('the tray tells in words how things stand: idle, waiting offline, and needing the person', async ({
  siteward: { app, page },
  service,
}) => {
  await expect.poll(() => toolTip(app)).toBe('Siteward')
  await connect(page, service)
  const refused = await addWebsite(page)
  await refused.domain.fill('taken.example')
  await refused.save.click()
  await expect.poll(() => toolTip(app)).toBe('Siteward: 1 change needs you')
  await page.getByRole('navigation').getByText('Pending', { exact: true }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await confirmation(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => toolTip(app)).toBe('Siteward')

  await page.getByRole('navigation').getByText('Websites', { exact: true }).click()
  await service.close()
  const queued = await addWebsite(page)
  await queued.domain.fill('waits-in-the-tray.example')
  await queued.save.click()
  await expect.poll(() => toolTip(app)).toBe('Siteward: offline, 1 change waiting')
})
