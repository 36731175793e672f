import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { focusByTab } from './support/keyboard.ts'
import { connect, connectForm, goToAdvancedSettings } from './support/screens.ts'

/** Each setting that is on or off, with its default, except the one that hides the tray icon (tray.spec.ts). */
const switches = {
  'Pause sending': false,
  'Start when you sign in': false,
  'Minimize the window when you close it': false,
  'Notify when changes have been sent': false,
  'Notify when a change needs attention': true,
  'Notify when the API key is rejected': true,
  'Notify when a website is deleted elsewhere': true,
  'Notify when a website is made public elsewhere': true,
  'Notify when a website is added or changed elsewhere': false,
}

test('changes every setting by keyboard, and keeps it over a restart', async ({ launch, service }) => {
  const first = await launch()
  await connect(first.page, service)
  await goToAdvancedSettings(first.page)
  await expect(first.page.getByRole('switch', { checked: true })).toHaveCount(4)
  const theme = first.page.getByRole('radiogroup', { name: 'Theme' })
  await theme.getByRole('radio', { name: 'System' }).focus()
  await first.page.keyboard.press('ArrowRight')
  await first.page.keyboard.press('ArrowRight')
  await expect(theme.getByRole('radio', { name: 'Dark' })).toBeChecked()
  const size = first.page.getByRole('combobox', { name: 'Text size' })
  await size.focus()
  await first.page.keyboard.press('ArrowDown')
  await expect(size).toHaveValue('110')
  for (const [name, was] of Object.entries(switches)) {
    const one = first.page.getByRole('switch', { name })
    await focusByTab(first.page, one)
    await first.page.keyboard.press('Space')
    await expect(one).toBeChecked({ checked: !was })
  }
  await expectClean(first.page, 'settings')
  await first.quit()

  const { page } = await launch()
  await goToAdvancedSettings(page)
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Text size' })).toHaveValue('110')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('14.3px')
  for (const [name, was] of Object.entries(switches)) {
    await expect(page.getByRole('switch', { name })).toBeChecked({ checked: !was })
  }
})

test('Settings shows the time zone of the computer, and that the network is used without a proxy', async ({
  page,
  service,
}) => {
  await connect(page, service)
  await goToAdvancedSettings(page)
  const taken = page.getByRole('region', { name: 'Date and time' })
  await expect(taken).toContainText(Intl.DateTimeFormat().resolvedOptions().timeZone)
  await expect(page.getByRole('region', { name: 'Network' })).toContainText('Direct')
})

test.describe('on a British system', () => {
  test.use({ session: { LANG: 'en_US.UTF-8', LC_ALL: '', LC_TIME: 'en_GB.UTF-8' } })

  test('writes dates as in Britain', async ({ page, service }) => {
    await connect(page, service)
    const british = /^\d{1,2} \w{3,4} \d{4}$/
    await expect(page.getByRole('gridcell').filter({ hasText: british }).first()).toBeVisible()
    await goToAdvancedSettings(page)
    await expect(page.getByRole('region', { name: 'Date and time' })).toContainText(/\d \w{3,4} \d{4}, \d\d:\d\d/)
  })
})

test('reports a damaged settings file, and keeps the websites', async ({ launch, service, userData }) => {
  const first = await launch()
  await connect(first.page, service)
  await first.quit()
  const file = join(userData, 'siteward.db')
  const bytes = readFileSync(file)
  // The header names another application, but the tables can be read.
  writeFileSync(file, bytes.fill(0xff, 68, 72))
  const second = await launch()
  await expect(second.page.getByText('Siteward’s settings were damaged')).toBeVisible()
  await expect(second.page.getByRole('grid', { name: 'Websites' }).getByRole('row')).not.toHaveCount(0)
  await expect(second.page.getByText(/account’s data was damaged/)).toHaveCount(0)
  await second.quit()
  // Nothing can be read, so there is no connection to open, and the app says so.
  writeFileSync(file, bytes.fill(0xff))
  const { page } = await launch()
  await connectForm(page)
  await expect(page.getByText('Siteward’s settings were damaged')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Siteward’s settings were damaged')).toHaveCount(0)
})
