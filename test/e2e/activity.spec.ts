import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { planted } from './support/planted.ts'
import { connect, goTo, openWebsite, saveProtected } from './support/screens.ts'

test('shows an own and a remote change with the values, restores the earlier version, and exports it all', async ({
  siteward: { app, page },
  service,
}) => {
  const { id, domain } = service.store.all().at(-1) ?? { id: 0, domain: '-' }
  const there = () => service.store.get(id)
  service.store.update(id, { privacy: 1, exclude_ips: '192.0.2.1' })
  await connect(page, service)
  await saveProtected(page, 'protected.example', planted.sealedPassword)
  const form = await openWebsite(page, domain)
  await form.excludedIps.fill('192.0.2.1\n192.0.2.2')
  await form.save.click()
  await expect.poll(() => there()?.exclude_ips).toBe('192.0.2.1\n192.0.2.2')

  service.store.update(id, { privacy: 0, exclude_ips: '192.0.2.9' })
  // Waits for the first refresh, which may have read the website before this change.
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeEnabled()
  await page.keyboard.press('F5')
  await goTo(page, 'Activity')
  const items = page.getByRole('list', { name: 'Activity' }).getByRole('listitem', { name: domain })
  await expect(items).toHaveCount(2, { timeout: 30_000 })
  await expect(items.nth(0)).toContainText('Changed elsewhere')
  await expect(items.nth(0)).toContainText('Privacy: Private → Public')
  await expect(items.nth(0)).toContainText(/\+.192\.0\.2\.9/)
  await expect(items.nth(1)).toContainText('Sent')

  await goTo(page, 'Websites')
  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history).toHaveCount(2)
  await history.nth(1).getByRole('button', { name: 'Restore this version' }).click()
  await expect(page.getByText(/^Version from/)).toBeVisible()
  await expect(page.getByRole('form').getByText(/^PUT /)).toBeVisible()
  expect(there()).toMatchObject({ privacy: 0 })
  await form.save.click()
  await expect.poll(there).toMatchObject({ privacy: 1, exclude_ips: '192.0.2.1\n192.0.2.2' })

  await goTo(page, 'Activity')
  await expect(items).toHaveCount(3)
  await page.getByLabel('Source').selectOption({ label: 'Elsewhere' })
  await expect(items).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const path = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'activity.csv')
  await choose(app, { filePath: path })
  await page.getByRole('button', { name: 'Export as CSV…' }).click()
  await expect(page.getByText(/entries exported\./)).toBeVisible()
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(`,${domain},remote,changed,,,privacy,private,public\r\n`)
  expect(text).not.toContain(planted.sealedPassword)
})
