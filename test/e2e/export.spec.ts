import type { Page } from '@playwright/test'
import { mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { press } from './support/keyboard.ts'
import { planted } from './support/planted.ts'
import { connect, saveProtected, search, websiteTable } from './support/screens.ts'

async function exportAs(page: Page, menu: string, format: 'CSV' | 'JSON'): Promise<void> {
  const item = (name: RegExp) => page.getByRole('menuitem', { name })
  await press(page, page.getByRole('button', { name: menu, exact: true }))
  await expect(item(/CSV…/)).toBeFocused()
  if (format === 'JSON') await page.keyboard.press('End')
  await expect(item(new RegExp(`${format}…`))).toBeFocused()
  await page.keyboard.press('Enter')
}

const folder = () => mkdtempSync(join(tmpdir(), 'siteward-'))

test.describe('with 300 websites', () => {
  test.use({ websites: 300 })

  test('exports the found websites without passwords, and “Add multiple” reads the file', async ({
    siteward: { app, page },
    service,
  }) => {
    const first = service.store.all()[0]
    service.store.update(first?.id ?? 0, { exclude_ips: '10.0.0.1\n2001:db8::/48', privacy: 0, exclude_bots: 0 })
    await connect(page, service)
    await saveProtected(page, 'kept.example', planted.sealedPassword)

    const csv = join(folder(), 'all.csv')
    await choose(app, { filePath: csv })
    await exportAs(page, 'Export the list', 'CSV')
    await expect(page.getByText('301 websites exported.')).toBeVisible()
    const text = readFileSync(csv, 'utf8')
    expect(text.split('\r\n')).toHaveLength(303)
    expect(text).not.toContain(planted.sealedPassword)
    expect(text).not.toContain(planted.apiKey)
    expect(statSync(csv).mode & 0o777).toBe(0o600)

    const json = join(folder(), 'one.json')
    await search(page, first?.domain ?? '-')
    await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', '2')
    await choose(app, { filePath: json })
    await exportAs(page, 'Export the list', 'JSON')
    await expect(page.getByText('1 website exported.')).toBeVisible()
    const { websites } = JSON.parse(readFileSync(json, 'utf8')) as { websites: { domain: string }[] }
    expect(websites).toMatchObject([
      { domain: first?.domain, exclude_ips: ['10.0.0.1', '2001:db8::/48'], privacy: 0, exclude_bots: 0 },
    ])

    // The settings are imported under other domains, as for another account.
    await page.keyboard.press('Control+Shift+N')
    const adding = page.getByRole('dialog', { name: 'Add multiple websites' })
    await expect(adding.getByRole('textbox', { name: 'Domains' })).toBeFocused()
    const moved = readFileSync(json, 'utf8').replaceAll(first?.domain ?? '-', 'moved.example')
    await page.keyboard.insertText(moved)
    await press(page, adding.getByRole('button', { name: 'Add 1 website' }))
    await expect
      .poll(() => service.store.byDomain('moved.example'), { timeout: 30_000 })
      .toMatchObject({ exclude_ips: '10.0.0.1\n2001:db8::/48', privacy: 0, exclude_bots: 0 })
  })
})

test('reports that the file of an export can’t be written, and leaves no file behind', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  const place = folder()
  await choose(app, { filePath: join(place, 'no-such-folder', 'list.csv') })
  await exportAs(page, 'Export the list', 'CSV')
  await expect(page.getByRole('alert')).toContainText(/Couldn’t save the file in this folder/)
  expect(readdirSync(place)).toEqual([])
})
