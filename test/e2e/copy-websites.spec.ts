import type { Fixtures } from '@playwright/test'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { expect, sharedTest } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { planted } from './support/planted.ts'
import { connect, goTo, saveProtected, websiteRow } from './support/screens.ts'

const fixtures: Fixtures<{ other: SampleService }> = {
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  other: async ({}, use) => {
    const other = await startSampleService({ websites: 1, rate: 0, key: planted.apiKey })
    await use(other)
    await other.close()
  },
}
const test = sharedTest.extend(fixtures)
test.use({ websites: 3 })

test('copies the selected websites to another account with their settings, and skips those that exist there', async ({
  page,
  service,
  other,
}) => {
  await connect(page, other)
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Add account…' }).click()
  await connect(page, service)
  // Empties the other service, because both begin with the same websites.
  for (const { id } of other.store.all()) other.store.delete(id)
  const [first, second] = service.store.all()
  const domain = first?.domain ?? '-'
  other.store.create({ domain: 'there.example' })
  service.store.create({ domain: 'there.example' })
  service.store.update(first?.id ?? 0, { privacy: 0, exclude_ips: '192.0.2.1' })
  await page.keyboard.press('F5')
  await saveProtected(page, 'protected.example', planted.password)
  await expect(websiteRow(page, 'there.example')).toBeVisible()
  await page.getByRole('button', { name: /Switch account$/ }).click()
  await page
    .getByRole('menuitemradio')
    .filter({ hasText: new URL(other.address).host })
    .click()
  await expect(page.getByRole('banner')).toContainText(new URL(other.address).host)
  await page.keyboard.press('F5')
  await expect(websiteRow(page, 'there.example')).toBeVisible()
  await page.getByRole('button', { name: /Switch account$/ }).click()
  await page
    .getByRole('menuitemradio')
    .filter({ hasText: new URL(service.address).host })
    .click()
  await expect(websiteRow(page, domain)).toBeVisible()

  await websiteRow(page, domain).getByRole('button').focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Copy to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy 5 websites to another account' })
  await expect(dialog.getByRole('row', { name: /^there\.example Already exists/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /^protected\.example Needs a new password/ })).toBeVisible()
  await expectClean(page, 'copy to an account')
  await dialog.getByRole('combobox', { name: /with a password/ }).selectOption({ label: 'Set a new password' })
  await dialog.getByLabel('Statistics password', { exact: true }).fill(planted.sealedPassword)
  await dialog.getByRole('button', { name: /^Copy \d websites$/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => other.store.byDomain(domain)).toMatchObject({ privacy: 0, exclude_ips: '192.0.2.1' })
  await expect.poll(() => other.store.byDomain('protected.example')).toMatchObject({ privacy: 2 })
  expect(other.store.byDomain(second?.domain ?? '-')).toBeTruthy()
  expect(service.store.all()).toHaveLength(5)
})
