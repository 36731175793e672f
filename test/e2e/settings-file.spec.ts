import { mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { choose } from './support/dialogs.ts'
import { planted } from './support/planted.ts'
import { connect, connectForm, goTo, websiteTable } from './support/screens.ts'

test('exports the settings without the key, and imports them into an empty data folder', async ({
  launch,
  service,
  userData,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'settings.json')
  const first = await launch()
  await connect(first.page, service)
  await goTo(first.page, 'Settings')
  await first.page.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await choose(first.app, { filePath: file })
  await first.page.getByRole('button', { name: 'Export settings…' }).click()
  await expect(first.page.getByText(/^Settings exported/)).toBeVisible()
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ format: 'siteward-settings', version: 1, accounts: [{}] })
  expect(text).not.toContain(planted.apiKey)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await first.quit()

  renameSync(userData, `${userData}-before`)
  const { app, page } = await launch()
  await connectForm(page)
  const bad = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'bad.json')
  writeFileSync(bad, text.slice(0, -20))
  await choose(app, { filePaths: [bad] })
  await page.getByRole('button', { name: 'Import settings…' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'damaged or isn’t a Siteward settings file' })).toBeVisible()

  await choose(app, { filePaths: [file] })
  await page.getByRole('button', { name: 'Import settings…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import these settings?' })
  await expect(dialog.getByRole('row', { name: /^Accounts 1 0 0$/ })).toBeVisible()
  await expect(dialog.getByText(service.address)).toBeVisible()
  await expectClean(page, 'import of settings')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('Settings imported. 1 new account needs its API key.')).toBeVisible()
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)

  const saved = page.getByRole('listitem').filter({ hasText: service.address })
  await expect(saved).toContainText('Key missing')
  await saved.getByRole('button', { name: /^Open/ }).click()
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: /^Enter API key for/ }).click()
  await page.getByLabel('API key', { exact: true }).fill(planted.apiKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await goTo(page, 'Websites')
  await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + service.store.all().length)
})
