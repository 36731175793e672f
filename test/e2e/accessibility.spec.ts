import { expect, test } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { addWebsite, goTo, websiteTable } from './support/screens.ts'

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen: ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await expectClean(page, 'connect')
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    await expect(websiteTable(page).getByRole('row').nth(5)).toBeVisible()
    await expectClean(page, 'websites')
    await addWebsite(page)
    await expectClean(page, 'editor')
    await page.keyboard.press('Escape')
    for (const screen of ['Pending', 'Account', 'Settings'] as const) {
      await goTo(page, screen)
      await expectClean(page, screen)
    }
  })
}

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
