import type { ElectronApplication } from '@playwright/test'
import { m, type Locale } from '../../src/messages/index.ts'
import { expect, test } from './support/app.ts'
import { connect, goTo, goToPresets } from './support/screens.ts'

const menuOf = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items ?? []
    return items.flatMap(({ label, submenu }) => [label, ...(submenu?.items ?? []).map((item) => item.label)])
  })

const trayLabels = (locale: Locale) => [m.tray_open({}, { locale }), m.tray_quit({}, { locale })]

test('another language changes an open dialog, the window, the menus and the tray, and keeps unsaved text', async ({
  siteward: { app, page },
  service,
  tray,
}) => {
  await connect(page, service)
  await goToPresets(page)
  await page.getByRole('button', { name: 'New preset…' }).first().click()
  const name = page.getByRole('dialog', { name: 'New preset' }).getByLabel('Name')
  await name.fill('Half typed')
  const chosen = await page.evaluate(() => window.siteward?.setSettings({ language: 'de' }))
  expect(chosen).toMatchObject({ ok: true })

  const german = { locale: 'de' } as const
  const dialog = page.getByRole('dialog', { name: m.preset_new({}, german), exact: true })
  await expect(dialog.getByLabel(m.preset_name({}, german))).toHaveValue('Half typed')
  await expect(dialog.getByLabel(m.preset_name({}, german))).toBeFocused()
  await expect(dialog.getByRole('button', { name: m.common_save({}, german), exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(
    page.getByRole('heading', { name: m.preset_title({}, german), exact: true, includeHidden: true }),
  ).toBeAttached()
  expect(await menuOf(app)).toContain(m.menu_edit({}, german))
  for (const label of trayLabels('de')) await expect.poll(async () => (await tray.menu()).join()).toContain(label)

  await page.evaluate(() => window.siteward?.setSettings({ language: 'system' }))
  await expect(page.getByRole('dialog', { name: 'New preset' }).getByLabel('Name')).toHaveValue('Half typed')
  expect(await menuOf(app)).toContain('Edit')
  for (const label of trayLabels('en')) await expect.poll(async () => (await tray.menu()).join()).toContain(label)
})

test.describe('on a German system', () => {
  test.use({ session: { LANG: 'de_DE.UTF-8', LANGUAGE: 'de_DE:de', LC_ALL: '' } })

  test('starts in German until the user chooses another language, also after a restart', async ({ launch }) => {
    const first = await launch()
    const german = { locale: 'de' } as const
    const { page } = first
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await page.getByRole('button', { name: m.connect_sample({}, german) }).click()
    await expect(page.getByRole('gridcell', { name: /^\d\d\.\d\d\.\d{4}$/ }).first()).toBeVisible()
    await page.getByRole('button', { name: m.settings_title({}, german), exact: true }).click()
    const select = page.getByRole('combobox', { name: m.settings_language({}, german), exact: true })
    await expect(select.getByRole('option')).toHaveText([
      m.settings_language_system({ language: 'Deutsch' }, german),
      ...['English', 'Deutsch', 'Français', 'Español', '日本語'],
    ])
    await select.selectOption('English')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect(await menuOf(first.app)).toContain('Edit')
    await first.quit()

    const again = await launch()
    await expect(again.page.locator('html')).toHaveAttribute('lang', 'en')
    await goTo(again.page, 'Settings')
    await expect(again.page.getByRole('combobox', { name: 'Language' })).toHaveValue('en')
  })
})
