import type { ElectronApplication, Page } from '@playwright/test'
import type { HostControls } from '../../scripts/host/controls.ts'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { startSampleService } from '../../src/main/sample/service.ts'
import { expect, test } from './support/app.ts'
import { planted } from './support/planted.ts'
import { addWebsite, connect, goTo, saveWebsite, websiteRow } from './support/screens.ts'
import { clickNotification, closeWindow, isWindowVisible, trayOf } from './support/tray.ts'

test.skip(presentRuntime().kind === 'electron', 'the host records notifications')

/** All but the one that tells, once, where the closed window went. */
const told = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate((electron) =>
    (electron as never as { host: HostControls }).host.notifications
      .map(({ title }) => title)
      .filter((title) => !title.includes('tray')),
  )

/** Websites to be added, paused; then the window is closed. */
async function queue(app: ElectronApplication, page: Page, domains: string[]): Promise<void> {
  await trayOf(app).choose('Pause sending')
  for (const domain of domains) {
    await saveWebsite(page, domain)
    await expect(websiteRow(page, domain)).toBeVisible()
  }
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
}

test('a delivery’s end is told once, and a click leads to what was sent', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await queue(app, page, ['one.example', 'two.example', 'three.example'])
  await trayOf(app).choose('Resume sending')
  await expect.poll(() => told(app)).toEqual(['3 changes are sent'])
  await clickNotification(app)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('tab', { name: 'Sent changes' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('three.example')).toBeVisible()
})

test('what needs the person is told for all together, and a click leads there', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await queue(app, page, ['taken.example', 'fine.example'])
  await trayOf(app).choose('Resume sending')
  await expect.poll(() => told(app)).toEqual(['1 change needs you'])
  await clickNotification(app)
  await expect(page.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Needs you' })).toContainText('taken.example')
})

test('a refused key is told, and a click leads to where a new one is typed', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await closeWindow(app)
  await service.close()
  const other = await startSampleService({
    websites: 12,
    rate: 0,
    key: planted.wrongKey,
    port: Number(new URL(service.address).port),
  })
  await trayOf(app).choose('Open')
  await page.keyboard.press('F5')
  await closeWindow(app)
  await expect.poll(() => told(app)).toEqual(['The service refuses the API key'])
  await clickNotification(app)
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
  await other.close()
})

test('nothing is told to whoever looks at the window, nor of what was switched off', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  const seen = await addWebsite(page)
  await seen.domain.fill('seen.example')
  await seen.save.click()
  await expect.poll(() => service.store.byDomain('seen.example')).toBeTruthy()
  await goTo(page, 'Settings')
  await page.getByRole('switch', { name: 'When everything is sent' }).click()
  await goTo(page, 'Websites')
  await queue(app, page, ['unheard.example'])
  await trayOf(app).choose('Resume sending')
  await expect.poll(() => service.store.byDomain('unheard.example')).toBeTruthy()
  // That one is told says that the others had their time.
  await trayOf(app).choose('Open')
  await goTo(page, 'Websites')
  await queue(app, page, ['taken.example'])
  await trayOf(app).choose('Resume sending')
  await expect.poll(() => told(app)).toEqual(['1 change needs you'])
})
