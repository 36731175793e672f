import type { ElectronApplication, Page } from '@playwright/test'
import { startSampleService } from '../../src/main/sample/service.ts'
import { expect, sharedTest as test } from './support/app.ts'
import type { Notices } from './support/notices.ts'
import { planted } from './support/planted.ts'
import { addWebsite, connect, goTo, saveWebsite, websiteRow } from './support/screens.ts'
import { closeWindow, isWindowVisible, type Tray } from './support/tray.ts'

const titlesOf = (notices: Notices): string[] => notices.titles().filter((title) => !title.includes('still running'))

async function queue(app: ElectronApplication, page: Page, tray: Tray, domains: string[]): Promise<void> {
  await tray.choose('Pause sending')
  for (const domain of domains) {
    await saveWebsite(page, domain)
    await expect(websiteRow(page, domain)).toBeVisible()
  }
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
}

test('notifies once when everything is sent, and a click leads to the sent changes', async ({
  siteward: { app, page },
  tray,
  notices,
  service,
}) => {
  await connect(page, service)
  await goTo(page, 'Settings')
  await page.getByRole('switch', { name: 'Notify when changes have been sent' }).click()
  await goTo(page, 'Websites')
  await queue(app, page, tray, ['earlier.example'])
  await tray.choose('Resume sending')
  await expect.poll(() => titlesOf(notices)).toEqual(['1 change sent'])
  await tray.choose('Open Siteward')
  await queue(app, page, tray, ['one.example', 'two.example', 'three.example'])
  await tray.choose('Resume sending')
  await expect.poll(() => titlesOf(notices)).toEqual(['1 change sent', '3 changes sent'])
  notices.click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(page.getByText('three.example')).toBeVisible()
  await expect(page.getByText('earlier.example')).toBeHidden()
  await page.getByRole('button', { name: /^Remove filter: Since/ }).click()
  await expect(page.getByText('earlier.example')).toBeVisible()
})

test('notifies once of all changes that need attention, and a click shows these changes', async ({
  siteward: { app, page },
  tray,
  notices,
  service,
}) => {
  await connect(page, service)
  await queue(app, page, tray, ['taken.example', 'fine.example'])
  await tray.choose('Resume sending')
  await expect.poll(() => titlesOf(notices)).toEqual(['1 change needs attention'])
  notices.click()
  await expect(page.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Needs attention' })).toContainText('taken.example')
})

test('notifies of a rejected key, and a click leads to the form for a new one', async ({
  siteward: { app, page },
  tray,
  notices,
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
  await tray.choose('Open Siteward')
  await page.keyboard.press('F5')
  await closeWindow(app)
  await expect.poll(() => titlesOf(notices)).toEqual(['The API key was rejected'])
  notices.click()
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
  await other.close()
})

test('shows no notification while the window is in use, nor one that is switched off', async ({
  siteward: { app, page },
  tray,
  notices,
  service,
}) => {
  await connect(page, service)
  const seen = await addWebsite(page)
  await seen.domain.fill('seen.example')
  await seen.save.click()
  await expect.poll(() => service.store.byDomain('seen.example')).toBeTruthy()
  await queue(app, page, tray, ['unheard.example'])
  await tray.choose('Resume sending')
  await expect.poll(() => service.store.byDomain('unheard.example')).toBeTruthy()
  // This notification proves that earlier ones would have been shown before it.
  await tray.choose('Open Siteward')
  await goTo(page, 'Websites')
  await queue(app, page, tray, ['taken.example'])
  await tray.choose('Resume sending')
  await expect.poll(() => titlesOf(notices)).toEqual(['1 change needs attention'])
})

test('notifies of remote changes while the window is closed, and a click shows exactly these changes in the activity', async ({
  siteward: { app, page },
  notices,
  service,
}) => {
  await connect(page, service)
  const [earlier, gone, published, other] = service.store.all().filter(({ privacy }) => privacy !== 0)
  if (!earlier || !gone || !published || !other) throw new Error('the service has too few private websites')
  await expect(websiteRow(page, published.domain)).toBeVisible()
  service.store.delete(earlier.id)
  await page.keyboard.press('F5')
  await expect(websiteRow(page, earlier.domain)).toBeHidden()
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  service.store.delete(gone.id)
  service.store.update(published.id, { privacy: 0 })
  service.store.update(other.id, { email: other.email === 1 ? 0 : 1 })
  const refreshed = () => page.evaluate(() => window.siteward?.refresh())
  await refreshed()
  await expect.poll(() => titlesOf(notices)).toEqual(['Your websites were changed elsewhere'])
  await refreshed()
  notices.click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(page.getByText(gone.domain).first()).toBeVisible()
  await expect(page.getByText(published.domain).first()).toBeVisible()
  await expect(page.getByText(earlier.domain)).toBeHidden()
  await expect(page.getByText(other.domain)).toBeHidden()
  await page.getByRole('button', { name: /^Remove filter: Changes in the notification, since/ }).click()
  await expect(page.getByText(other.domain).first()).toBeVisible()
  expect(titlesOf(notices)).toHaveLength(1)
})
