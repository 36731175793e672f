import { expect, test } from './support/app.ts'
import { connect, search, websiteRow } from './support/screens.ts'

test.use({ websites: 12 })

test('keeps the tags and the note of a website over a restart, and over its deletion and creation on the service', async ({
  launch,
  service,
}) => {
  const first = await launch()
  await connect(first.page, service)
  const { id = 0, domain = '' } = service.store.all().at(-1) ?? {}
  const stored = () => JSON.stringify(service.store.all())
  const before = stored()
  await websiteRow(first.page, domain).click({ button: 'right' })
  await first.page.getByRole('menuitem', { name: 'Tags and note…' }).click()
  const dialog = first.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'New tag' }).fill('client-a')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Invoice in May')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(websiteRow(first.page, domain)).toContainText('client-a')
  // Tags and notes are not sent.
  expect(stored()).toBe(before)
  await first.quit()

  const { page } = await launch()
  await search(page, 'tag:client-a ')
  await expect(websiteRow(page, domain)).toContainText('client-a')
  service.store.delete(id)
  await page.keyboard.press('F5')
  await expect(websiteRow(page, domain)).toHaveCount(0)
  service.store.create({ domain })
  await page.keyboard.press('F5')
  await expect(websiteRow(page, domain)).toContainText('client-a')
  await search(page, 'note:invoice ')
  await expect(websiteRow(page, domain)).toBeVisible()
})
