import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSampleService } from '../../src/main/sample/service.ts'
import { expect, test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { planted } from './support/planted.ts'
import { connect, goTo, openWebsite, saveProtected, websiteRow } from './support/screens.ts'

test('changes are exported without their passwords, and imported after they were lost', async ({
  siteward: { app, page },
  service,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'kept.json')
  await connect(page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await expect(websiteRow(page, domain)).toBeVisible()
  const count = service.store.all().length
  const port = Number(new URL(service.address).port)
  await service.close()
  await saveProtected(page, 'kept.example', planted.sealedPassword)
  const changed = await openWebsite(page, domain)
  await changed.excludedIps.fill('192.0.2.1')
  await changed.save.click()
  await expect(page.getByRole('status').filter({ hasText: /2 changes are waiting/ })).toBeVisible()

  await goTo(page, 'Pending')
  await choose(app, { filePath: file })
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(page.getByText(/2 changes were exported/)).toBeVisible()
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ format: 'siteward-pending', version: 1, edits: [{}, {}] })
  expect(text).not.toContain(planted.sealedPassword)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  for (const left of [2, 1]) {
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(left)
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  }
  await expect(page.getByText('Nothing is waiting').first()).toBeVisible()

  // Escape changes nothing.
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('Nothing is waiting').first()).toBeVisible()

  await choose(app, { filePaths: [file] })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText(/2 changes were added/)).toBeVisible()
  await expect(page.getByTitle('Needs you')).toHaveCount(1)

  const back = await startSampleService({ websites: count, port, key: service.apiKey, rate: 0 })
  await page.getByRole('button', { name: 'Send now', exact: true }).first().click()
  await expect.poll(() => back.store.byDomain(domain)?.exclude_ips, { timeout: 30_000 }).toBe('192.0.2.1')
  expect(back.store.byDomain('kept.example')).toBeUndefined()
  await back.close()
})

test('a file that is no export, and one of another account, are refused', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await goTo(page, 'Pending')
  const other = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'other.json')
  const connection = { id: 'x', address: 'https://elsewhere.example', account: '1' }
  writeFileSync(other, JSON.stringify({ format: 'siteward-pending', version: 1, connection, websites: [], edits: [] }))
  for (const [file, words] of [
    [join(import.meta.dirname, 'transfer.spec.ts'), /export/i],
    [other, /another|other/i],
  ] as const) {
    await choose(app, { filePaths: [file] })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('main').getByText(words).first()).toBeVisible()
  }
})
