import type { Page } from '@playwright/test'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { expect, sharedTest as base } from './support/app.ts'
import { planted } from './support/planted.ts'
import { press, focusByTab } from './support/keyboard.ts'
import { editor, searchBox, websiteRow, websiteTable } from './support/screens.ts'

// Does by keyboard, among ten thousand websites, what takes one page load per website in a browser.
const test = base.extend<{ service: SampleService }>({
  websites: 10_000,
  // The service announces a high rate limit; without one the app sends at most 60 requests per minute.
  service: async ({ websites }, use) => {
    const service = await startSampleService({ websites, rate: 6000, key: planted.apiKey })
    await use(service)
    await service.close()
  },
})
test.describe.configure({ timeout: 240_000 })

const fifty = Array.from({ length: 50 }, (_, n) => `shop-${n}.pasted.example`)
const others = Array.from({ length: 150 }, (_, n) => `blog-${n}.pasted.example`)
const ips = ['192.0.2.1', '198.51.100.0/24', '2001:db8::/32']

/** The pasted list. Its fifty websites count bots as visitors. */
const pasted = ['domain,exclude bots', ...fifty.map((domain) => `${domain},no`), ...others].join('\n')

async function connect(page: Page, { address, apiKey, store }: SampleService): Promise<void> {
  const websites = store.all().length
  await expect(page.getByLabel('Service address')).toBeFocused()
  await page.keyboard.insertText(address)
  await page.keyboard.press('Tab')
  await page.keyboard.insertText(apiKey)
  await page.keyboard.press('Enter')
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(websites + 1), { timeout: 60_000 })
}

/** Adds the pasted websites, finds fifty of them, and changes these fifty in bulk, all by keyboard. Works offline too. */
async function workThrough(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+N')
  const adding = page.getByRole('dialog', { name: 'Add multiple websites' })
  await expect(adding.getByRole('textbox', { name: 'Domains' })).toBeFocused()
  await page.keyboard.insertText(pasted)
  await press(page, adding.getByRole('button', { name: 'Add 200 websites' }))
  await expect(adding).toHaveCount(0)
  await expect(page.getByText('200 websites will be added.')).toBeVisible()

  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.type('shop-')
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', '51')
  await focusByTab(
    page,
    websiteRow(page, 'shop-49.pasted.example').getByRole('button', { name: 'shop-49.pasted.example' }),
  )
  await page.keyboard.press('Control+a')
  await expect(page.getByText('50 selected')).toBeVisible()
  await page.keyboard.press('Control+e')
  const bulk = page.getByRole('dialog', { name: 'Edit 50 websites' })
  await focusByTab(
    page,
    bulk.getByRole('radiogroup', { name: 'Exclude bots' }).getByRole('radio', { name: 'Don’t change' }),
  )
  await page.keyboard.press('ArrowRight')
  await focusByTab(
    page,
    bulk.getByRole('radiogroup', { name: 'Excluded IP addresses' }).getByRole('radio', { name: 'Don’t change' }),
  )
  await page.keyboard.press('ArrowRight')
  await focusByTab(page, bulk.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }))
  await page.keyboard.insertText(ips.join('\n'))
  await press(page, bulk.getByRole('button', { name: 'Change 50 websites' }))
  await expect(bulk).toHaveCount(0)
  await expect(page.getByText('50 websites will be changed.')).toBeVisible()
}

async function findOne(page: Page, domain: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(domain)
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', '2')
  await focusByTab(page, websiteRow(page, domain).getByRole('button', { name: domain }))
  await page.keyboard.press('Enter')
  await expect(editor(page).form.getByRole('heading', { name: domain })).toBeVisible()
}

/** Undoes the change of all fifty websites with the palette, which works even if the toast is gone. */
async function undo(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('undo')
  await page.keyboard.press('Enter')
  await expect(page.getByText(text)).toBeVisible()
}

test('adds two hundred websites, finds one, and changes and restores fifty by keyboard, online', async ({
  page,
  service,
}) => {
  await connect(page, service)
  await workThrough(page)
  const there = () => fifty.map((domain) => service.store.byDomain(domain))
  await expect
    .poll(() => there().every((website) => website?.exclude_ips === ips.join('\n')), { timeout: 90_000 })
    .toBe(true)
  expect(there().every((website) => website?.exclude_bots === 1)).toBe(true)
  expect(others.some((domain) => service.store.byDomain(domain)?.exclude_ips)).toBe(false)

  await findOne(page, service.store.all()[0]?.domain ?? '-')
  await undo(page, 'The change will be undone on the service for 50 websites.')
  await expect
    .poll(() => there().every((website) => !website?.exclude_ips && website?.exclude_bots === 0), { timeout: 90_000 })
    .toBe(true)
})

test.describe('with a thousand websites', () => {
  test.use({ websites: 1_000 })

  test('adds two hundred websites, and changes and restores fifty by keyboard, offline: all changes are pending, shown, and undone as one', async ({
    page,
    service,
  }) => {
    await connect(page, service)
    const before = service.store.all().length
    await service.close()
    await workThrough(page)
    await findOne(page, service.store.all()[0]?.domain ?? '-')
    await undo(page, 'The change was undone for 50 websites.')
    await expect(page.getByRole('status').filter({ hasText: /200 changes pending/ })).toBeVisible()
    expect(service.store.all()).toHaveLength(before)
  })
})
