import type { Page } from '@playwright/test'
import { expect, sharedTest as test } from './support/app.ts'
import { expectClean, expectCleanColors } from './support/axe.ts'
import { command, keys, press, focusByTab } from './support/keyboard.ts'
import {
  addWebsite,
  askToConnect,
  confirmation,
  editor,
  goTo,
  goToPresets,
  searchBox,
  websiteTable,
} from './support/screens.ts'

/** Opens every screen with content, and everything that is shown over one, and looks at each. */
async function lookAtAll(page: Page, look: (state: string) => Promise<void>): Promise<void> {
  await look('connect')
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await expect(websiteTable(page).getByRole('row').nth(5)).toBeVisible()
  await look('websites')
  await searchBox(page).fill('priv')
  await look('filters')
  await searchBox(page).fill('')
  await (await addWebsite(page)).domain.fill('axe-looks.example')
  await look('editor')
  await page.keyboard.press('Control+Enter')
  await expect(editor(page).form.getByRole('heading', { name: 'axe-looks.example' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editor(page).form).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await look('commands')
  await page.keyboard.type('axe-looks')
  await expect(page.getByRole('option', { name: 'axe-looks.example' })).toBeVisible()
  await look('commands: a website')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await look('shortcuts')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+Shift+N')
  const adding = page.getByRole('dialog', { name: 'Add multiple websites' })
  await adding.getByRole('textbox', { name: 'Domains' }).fill('new.example\nno domain\nnew.example\naxe-looks.example')
  await expect(adding.getByRole('button', { name: 'Add 1 website' })).toBeVisible()
  await look('add several')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('add several: leave')
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  await websiteTable(page).locator('[data-row][tabindex="0"]').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByText(/\d selected/)).toBeVisible()
  await look('selection')
  await page.keyboard.press('Control+e')
  const bulk = page.getByRole('dialog', { name: /^Edit \d+ websites$/ })
  const choose = (field: string, value: string) =>
    bulk.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  await choose('Privacy', 'Password')
  await choose('Excluded IP addresses', 'Add or remove')
  await bulk.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill('198.51.100.7\n198.51.100.7')
  await expect(bulk.getByRole('button', { name: /^Change \d+ websites$/ })).toBeVisible()
  await look('edit many')
  await bulk.getByRole('button', { name: 'Cancel' }).click()

  for (const screen of ['Pending', 'Account', 'Settings'] as const) {
    await goTo(page, screen)
    await look(screen)
  }
  await page.getByText('Advanced', { exact: true }).click()
  await look('advanced settings')
  await goToPresets(page)
  await look('presets')
  await goTo(page, 'Activity')
  await expect(page.getByRole('list', { name: 'Activity' }).getByRole('listitem')).not.toHaveCount(0)
  await look('activity')
}

const show = (page: Page, colorScheme: 'light' | 'dark'): Promise<void> =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

for (const width of [1180, 480])
  test(`axe finds no problem on any screen or in any dialog, in light and in dark: ${width} wide`, async ({ page }) => {
    test.setTimeout(240_000)
    await page.setViewportSize({ width, height: 740 })
    await show(page, 'light')
    await lookAtAll(page, async (state) => {
      await expectClean(page, state)
      await show(page, 'dark')
      await expectCleanColors(page, `${state}, dark`)
      await show(page, 'light')
    })
  })

test('axe finds no problem with text of twice the size in the narrowest window', async ({ page }) => {
  test.setTimeout(240_000)
  await expect(page.getByLabel('Service address')).toBeFocused()
  for (const size of ['14.3px', '16.25px', '19.5px', '22.75px', '26px']) {
    await keys(page, 'Control+=')
    await expect(page.locator(':root')).toHaveCSS('font-size', size)
  }
  await page.setViewportSize({ width: 480, height: 740 })
  await show(page, 'light')
  await lookAtAll(page, (state) => expectClean(page, state))
})

test('adds a website by keyboard alone', async ({ page, service }) => {
  await page.getByLabel('Service address').focus()
  await page.keyboard.type(service.address)
  await page.keyboard.press('Tab')
  await page.keyboard.type(service.apiKey)
  await page.keyboard.press('Enter')
  await websiteTable(page).waitFor()
  await page.getByRole('button', { name: 'Add website' }).first().focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('typed-only.example')
  await page.keyboard.press('Enter')
  await expect.poll(() => service.store.byDomain('typed-only.example')).toMatchObject({ privacy: 1 })
})

test('never loses the focus by keyboard in the list, the editor, the palette and their dialogs', async ({
  page,
  service,
}) => {
  await askToConnect(page, service)
  await websiteTable(page).waitFor()
  const row = websiteTable(page).locator('[data-row]:focus')
  const dialog = page.getByRole('dialog')

  await keys(page, '/', 'ArrowDown', 'Escape', 'Escape')
  await focusByTab(page, websiteTable(page).locator('[data-row][tabindex="0"]'))
  await keys(page, 'ArrowDown', 'PageDown', 'Home', 'Enter')
  await expect(editor(page).form).toBeVisible()
  await keys(page, 'Alt+ArrowDown', 'Alt+ArrowDown', 'Alt+ArrowUp', 'Escape')
  await expect(row).toHaveCount(1)
  await command(page, 'Select all websites in the list')
  await expect(row).toHaveCount(1)
  await keys(page, 'Control+e')
  await expect(dialog).toBeVisible()
  await keys(page, 'Tab', 'Tab', 'ArrowRight', 'Escape')
  await press(page, confirmation(page).getByRole('button', { name: 'Leave without saving' }))
  await expect(row).toHaveCount(1)
  await command(page, 'Delete the selected websites…')
  await expect(confirmation(page)).toBeVisible()
  await keys(page, 'Escape')
  await expect(row).toHaveCount(1)
  await command(page, 'Clear selection')
  await command(page, 'Sort: Domain, A to Z')
  await command(page, '10 per page')
  await command(page, 'Next page')
  await command(page, 'Hide column: Privacy')
  await keys(page, '?', 'Escape', 'Control+Shift+N', 'Escape')

  await command(page, 'New preset…')
  await keys(page, 'Escape')
  await command(page, 'Check setup')
  await expect(page.getByRole('button', { name: 'Check setup' })).toBeFocused()
  await command(page, 'Replace API key…')
  await expect(page.getByRole('form', { name: 'Replace API key' }).getByLabel('API key', { exact: true })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Cancel' }))
  await expect(page.getByRole('button', { name: 'Replace API key…' })).toBeFocused()
  await command(page, 'Disconnect…')
  await expect(confirmation(page)).toBeVisible()
  await keys(page, 'Escape')
  await expect(confirmation(page)).toHaveCount(0)

  await keys(page, 'Control+1', 'Control+2', 'Control+5', 'Control+1')
  await expect(row).toHaveCount(1)
  await keys(page, 'Enter')
  await command(page, 'Delete the open website…')
  await press(page, confirmation(page).getByRole('button', { name: 'Delete' }))
  await expect(editor(page).form).toHaveCount(0)
  await expect(row).toHaveCount(1)
  await press(page, page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }))
})
