import { expect, sharedTest as test, test as ownTest } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { connect, search, searchBox, websiteRow, websiteTable } from './support/screens.ts'

test.describe('with 230 websites', () => {
  test.use({ websites: 230 })

  test('pages, sorts and searches like the service itself', async ({ page, service }) => {
    await connect(page, service)
    const rows = websiteTable(page).getByRole('row')
    const newest = service.store.all().at(-1)
    await expect(rows.nth(1)).toContainText(newest?.domain ?? '-')

    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitemradio', { name: '100 per page' }).click()
    await expect(rows).toHaveCount(101)
    await page.getByRole('button', { name: /next page/i }).click()
    await page.getByRole('button', { name: /next page/i }).click()
    await expect(rows).toHaveCount(31)

    await websiteTable(page).getByRole('button', { name: 'Domain' }).click()
    const first = service.store.sortedByDomain()[0]
    await expect(rows.nth(1)).toContainText(first?.domain ?? '-')

    const wanted = service.store.all()[100]?.domain ?? '-'
    await search(page, wanted.slice(1, -8).toUpperCase())
    await expect(websiteRow(page, wanted)).toBeVisible()
    await search(page, 'no-such-website-anywhere')
    await expect(page.getByRole('heading', { name: /No domain contains/ })).toBeVisible()
  })

  test('filters become chips, by typing and in the panel, and stay when the page reloads', async ({
    page,
    service,
  }) => {
    const { store } = service
    const isWanted = ({ privacy, exclude_bots: bots }: { privacy: unknown; exclude_bots: unknown }) =>
      privacy === 0 && bots === 1
    const total = async (count: number) =>
      expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(count + 1))
    await connect(page, service)
    await total(230)
    await searchBox(page).focus()
    await page.keyboard.type('privacy:public ')
    await total(store.all().filter(({ privacy }) => privacy === 0).length)
    await page.getByRole('button', { name: 'Filter (1 active)' }).click()
    const panel = page.getByRole('dialog', { name: 'Filter' })
    await panel.getByRole('radiogroup', { name: 'Exclude bots' }).getByRole('radio', { name: 'On' }).click()
    await total(store.all().filter(isWanted).length)
    await expectClean(page, 'the filters')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Filter (2 active)' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Remove filter: Exclude bots: On' })).toBeVisible()

    await page.reload()
    await total(store.all().filter(isWanted).length)
    await searchBox(page).focus()
    await page.keyboard.press('Backspace')
    await total(store.all().filter(({ privacy }) => privacy === 0).length)
    await page.getByRole('button', { name: 'Remove filter: Privacy: Public' }).click()
    await total(230)
    await expect(searchBox(page)).toBeFocused()
  })

  test('shows remote changes after F5', async ({ page, service }) => {
    await connect(page, service)
    service.store.create({ domain: 'made-elsewhere.example' })
    await page.keyboard.press('F5')
    await expect(websiteRow(page, 'made-elsewhere.example')).toBeVisible()
    const gone = service.store.byDomain('made-elsewhere.example')
    service.store.delete(gone?.id ?? 0)
    await page.keyboard.press('F5')
    await expect(websiteRow(page, 'made-elsewhere.example')).toHaveCount(0)
  })
})

ownTest(
  'shows the list that was read last if the app is started while the service can’t be reached',
  async ({ launch, service }) => {
    const first = await launch()
    await connect(first.page, service)
    const domain = service.store.all().at(-1)?.domain ?? '-'
    await expect(websiteRow(first.page, domain)).toBeVisible()
    await first.quit()
    await service.close()
    const second = await launch()
    await expect(websiteRow(second.page, domain)).toBeVisible()
    await expect(second.page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()
  },
)

test.describe('with 2,000 websites', () => {
  test.use({ websites: 2000 })

  test('shows all websites on one page, which the keyboard reaches from end to end', async ({ page, service }) => {
    await connect(page, service)
    await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', '2001')
    const all = service.store.all()
    const newest = all.at(-1)?.domain ?? '-'
    const oldest = all[0]?.domain ?? '-'
    await websiteRow(page, newest).getByRole('button').focus()
    await page.keyboard.press('End')
    await expect(websiteRow(page, oldest).getByRole('button')).toBeFocused()
    await expect(websiteRow(page, oldest)).toBeInViewport({ ratio: 0.9 })
    await page.keyboard.press('Home')
    await expect(websiteRow(page, newest).getByRole('button')).toBeFocused()
    expect(await websiteTable(page).getByRole('row').count()).toBeLessThan(80)
  })
})
