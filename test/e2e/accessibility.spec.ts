import type { Page } from '@playwright/test'
import { expect, test } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { addWebsite, editor, goTo, searchBox, websiteTable } from './support/screens.ts'

/** Every screen, with something on it, and all that is shown over one. */
async function lookAtAll(page: Page): Promise<void> {
  await expectClean(page, 'connect')
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await expect(websiteTable(page).getByRole('row').nth(5)).toBeVisible()
  await expectClean(page, 'websites')
  await searchBox(page).fill('priv')
  await expectClean(page, 'filters')
  await searchBox(page).fill('')
  await (await addWebsite(page)).domain.fill('axe-looks.example')
  await expectClean(page, 'editor')
  await page.keyboard.press('Control+Enter')
  await expect(editor(page).form.getByRole('heading', { name: 'axe-looks.example' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editor(page).form).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await expectClean(page, 'commands')
  await page.keyboard.type('axe-looks')
  await expect(page.getByRole('option', { name: 'axe-looks.example' })).toBeVisible()
  await expectClean(page, 'commands: a website')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectClean(page, 'shortcuts')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+Shift+N')
  const adding = page.getByRole('dialog', { name: 'Add several websites' })
  await adding.getByRole('textbox', { name: 'Domains' }).fill('new.example\nno domain\nnew.example\naxe-looks.example')
  await expect(adding.getByRole('button', { name: 'Add 1 website' })).toBeVisible()
  await expectClean(page, 'add several')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectClean(page, 'add several: leave')
  await page.getByRole('button', { name: 'Discard what I typed' }).click()

  await websiteTable(page).locator('[data-row][tabindex="0"]').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByText(/\d selected/)).toBeVisible()
  await expectClean(page, 'selection')
  await page.keyboard.press('Control+e')
  const bulk = page.getByRole('dialog', { name: /^Edit \d+ websites$/ })
  const choose = (field: string, value: string) =>
    bulk.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  await choose('Privacy', 'Password')
  await choose('Excluded IP addresses', 'Add or remove')
  await bulk.getByRole('textbox', { name: 'Lines to add: Excluded IP addresses' }).fill('198.51.100.7\n198.51.100.7')
  await expect(bulk.getByRole('button', { name: /^Change \d+ websites$/ })).toBeVisible()
  await expectClean(page, 'edit many')
  await bulk.getByRole('button', { name: 'Cancel' }).click()

  for (const screen of ['Pending', 'Profiles', 'Account', 'Settings'] as const) {
    await goTo(page, screen)
    await expectClean(page, screen)
  }
  await goTo(page, 'Pending')
  await page.getByRole('tab', { name: 'Sent changes' }).click()
  await expect(page.getByRole('list', { name: 'Sent changes' }).getByRole('listitem')).not.toHaveCount(0)
  await expectClean(page, 'sent')
}

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1180, 480])
    test(`axe finds nothing on any screen, nor in what stands over one: ${scheme}, ${width} wide`, async ({ page }) => {
      test.setTimeout(240_000)
      await page.setViewportSize({ width, height: 740 })
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await lookAtAll(page)
    })

test('the main job by keyboard alone: add a website', async ({ page, service }) => {
  await page.getByLabel('Service address').focus()
  await page.keyboard.type(service.address)
  await page.keyboard.press('Tab')
  await page.keyboard.type(service.apiKey)
  await page.keyboard.press('Enter')
  await websiteTable(page).waitFor()
  await page.getByRole('button', { name: 'Add website' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('typed-only.example')
  await page.keyboard.press('Enter')
  await expect.poll(() => service.store.byDomain('typed-only.example')).toMatchObject({ privacy: 1 })
})
