import type { ElectronApplication, Page } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import type { SampleService } from '../../../src/main/sample/service.ts'
import { expect } from './expect.ts'
import { connect, goTo, openWebsite, saveWebsite, websiteTable } from './screens.ts'
import { closeWindow, isWindowVisible } from './tray.ts'

/** In milliseconds: Chromium makes its own requests within this time. */
const SETTLES = 5_000

export async function useApp(
  app: ElectronApplication,
  page: Page,
  { address, service }: { address: string; service: SampleService },
): Promise<void> {
  await connect(page, { address, apiKey: service.apiKey })
  await saveWebsite(page, 'added.example')
  await expect.poll(() => service.store.byDomain('added.example')).toBeTruthy()
  const form = await openWebsite(page, 'added.example')
  // A misspelled word: if Chromium checked the spelling, it might fetch a dictionary.
  await form.excludedParams.pressSequentially('wrongg')
  await form.save.click()
  await expect.poll(() => service.store.byDomain('added.example')?.exclude_params).toBe('wrongg')
  await goTo(page, 'Account')
  await goTo(page, 'Settings')
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  await app.evaluate((electron) => void electron.app.emit('activate'))
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await goTo(page, 'Websites')
  service.store.create({ domain: 'elsewhere.example' })
  await page.keyboard.press('F5')
  await expect(websiteTable(page).getByText('elsewhere.example')).toBeVisible()
  await wait(SETTLES)
}
