import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, sharedTest as test, test as ownTest } from './support/app.ts'
import { startFaultyService } from './support/faulty.ts'
import { connect, goToAdvancedSettings, websiteTable } from './support/screens.ts'

test('the check of the set-up says which parts work, which are unknown, and what is wrong with the others', async ({
  page,
  service,
}) => {
  await connect(page, service)
  await websiteTable(page).waitFor()
  await goToAdvancedSettings(page)
  await page.getByRole('button', { name: 'Check setup' }).click()
  const part = (name: string) =>
    page
      .getByRole('list', { name: 'Setup' })
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
  for (const name of ['Disk', 'Date and time', 'Keychain', 'Address', 'API key', 'Tray', 'Notifications']) {
    await expect(part(name)).toContainText('OK')
  }

  await service.close()
  await page.getByRole('button', { name: 'Check setup' }).click()
  await expect(part('Address')).toContainText('Couldn’t reach the service.')
  await expect(part('API key')).toContainText('Unknown')
  await expect(part('Keychain')).toContainText('OK')
})

test('reports a clock that differs from the service’s', async ({ page }) => {
  const service = await startFaultyService(12)
  await connect(page, service)
  await goToAdvancedSettings(page)
  const clock = page.getByRole('list', { name: 'Setup' }).getByRole('listitem').filter({ hasText: 'Date and time' })
  await page.getByRole('button', { name: 'Check setup' }).click()
  await expect(clock).toContainText('OK')
  service.fault = (_request, response) => {
    response.setHeader('date', new Date(Date.now() + 10 * 60_000).toUTCString())
    return false
  }
  await page.getByRole('button', { name: 'Check setup' }).click()
  await expect(clock).toContainText('The date and time of this computer may be wrong')
  service.close()
})

test('the diagnostics contain the address only if the user includes it, and never a key or a website', async ({
  siteward,
  service,
}) => {
  const { app, page } = siteward
  const copied = (): Promise<string> => app.evaluate(({ clipboard }) => clipboard.readText())
  await connect(page, service)
  const domain = await websiteTable(page).getByRole('button').filter({ hasText: '.' }).first().innerText()
  await goToAdvancedSettings(page)
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  await expect.poll(copied).toMatch(/^Siteward \d[^]*Keychain: ready\nTray: available\n[^]*Websites: 12\n/)
  const text = await copied()
  for (const private_ of [service.address, service.apiKey, domain]) expect(text).not.toContain(private_)

  await page.getByRole('switch', { name: 'Include the service’s address' }).click()
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  await expect.poll(copied).toContain(`Address: ${service.address}\n`)
  expect(await copied()).not.toContain(service.apiKey)
})

test('checks the set-up and copies the diagnostics also before there is a connection', async ({ siteward }) => {
  const { app, page } = siteward
  await page.getByText('Troubleshooting').click()
  await page.getByRole('button', { name: 'Check setup' }).click()
  const part = (name: string) =>
    page
      .getByRole('list', { name: 'Setup' })
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
  for (const name of ['Disk', 'Keychain', 'Tray']) await expect(part(name)).toContainText('OK')
  await expect(part('Address')).toContainText('The address can be checked after you add an account.')
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  await expect(page.getByText('Diagnostics copied.')).toBeVisible()
  const text = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(text).toMatch(/^Siteward \d[^]*Account: none\n[^]*Keychain: ready\nTray: available\n/)
})

test.describe('without the system’s library for notifications', () => {
  test.skip(process.platform !== 'linux', 'macOS and Windows show notifications themselves')
  // The loader finds this file before the real library, and can't load it.
  const libraries = mkdtempSync(join(tmpdir(), 'siteward-libraries-'))
  for (const name of ['libnotify.so.4', 'libnotify.so.1', 'libnotify.so']) writeFileSync(join(libraries, name), '')
  ownTest.use({ session: { LD_LIBRARY_PATH: libraries } })
  test.afterAll(() => rmSync(libraries, { recursive: true, force: true }))

  ownTest('the check reports that notifications can’t be shown, and what to install', async ({ page }) => {
    await page.getByText('Troubleshooting').click()
    await page.getByRole('button', { name: 'Check setup' }).click()
    const part = page.getByRole('list', { name: 'Setup' }).getByRole('listitem').filter({ hasText: 'Notifications' })
    await expect(part).toContainText('The system library libnotify is missing.')
  })
})
