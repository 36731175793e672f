import type { Page } from '@playwright/test'
import { expectClean } from './support/axe.ts'
import { expect, test } from './support/app.ts'
import { press } from './support/keyboard.ts'
import { connect, editor, goToPresets, openWebsite, searchBox, websiteTable } from './support/screens.ts'

const ip = '192.0.2.77'
const card = (page: Page) => page.getByRole('article', { name: 'Client default' })
const standing = (page: Page) => card(page).getByText(/ websites (?:differ|match)\.$/)

test('creates a preset, compares it, applies it offline and undoes that, by keyboard, and keeps it over a restart', async ({
  launch,
  service,
}) => {
  const first = await launch()
  const { page } = first
  await connect(page, service)
  await goToPresets(page)
  await press(page, page.getByRole('button', { name: 'New preset…' }))
  const form = page.getByRole('dialog', { name: 'New preset' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.insertText('Client default')
  const ways = form.getByRole('radiogroup', { name: 'Excluded IP addresses' })
  await ways.getByRole('radio', { name: 'Don’t change' }).focus()
  await page.keyboard.press('ArrowRight')
  await form.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).focus()
  await page.keyboard.insertText(ip)
  await press(page, form.getByRole('button', { name: 'Save' }))
  await expect(standing(page)).toHaveText('12 of 12 websites differ.')
  await expectClean(page, 'presets')
  await first.quit()

  await service.close()
  const second = await launch()
  const again = second.page
  await websiteTable(again).waitFor()
  await goToPresets(again)
  await expect(standing(again)).toHaveText('12 of 12 websites differ.')
  await card(again).getByText('Differences').click()
  await expect(card(again).getByRole('listitem').first()).toContainText(`+\u00a0${ip}`)
  await press(
    again,
    card(again).getByRole('button', { name: 'Apply preset “Client default” to the websites that differ…' }),
  )
  const bulk = again.getByRole('dialog', { name: 'Edit 12 websites' })
  await press(again, bulk.getByRole('button', { name: 'Change 12 websites' }))
  await expect(standing(again)).toHaveText('All 12 websites match.')
  await press(again, again.getByRole('button', { name: 'Undo' }))
  await expect(standing(again)).toHaveText('12 of 12 websites differ.')
})

test('saves an open website as a preset, and filters the list by what differs from it', async ({ page, service }) => {
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await connect(page, service)
  await openWebsite(page, domain)
  await editor(page).choose('Save as preset…')
  const form = page.getByRole('dialog', { name: 'New preset' })
  await form.getByLabel('Name', { exact: true }).fill('As that one')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The preset “As that one” was saved.')).toBeVisible()
  await page.keyboard.press('Escape')
  await searchBox(page).fill('-differs:"as that one"')
  await expect(websiteTable(page).getByRole('button', { name: domain })).toBeVisible()
  await searchBox(page).fill('differs:"as that one"')
  await expect(websiteTable(page).getByRole('button', { name: domain })).toHaveCount(0)
  await expect(websiteTable(page).getByRole('row').nth(1)).toBeVisible()
})
