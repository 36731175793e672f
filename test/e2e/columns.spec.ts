import { expect, test } from './support/app.ts'
import { connect, websiteTable } from './support/screens.ts'

test('keeps the columns of the list, their widths, its order and page size over a restart', async ({
  launch,
  service,
}) => {
  const first = await launch()
  await connect(first.page, service)
  const { keyboard } = first.page
  const menu = first.page.getByRole('button', { name: 'View', exact: true })
  await menu.focus()
  await keyboard.press('Enter')
  await expect(first.page.getByRole('menuitem', { name: 'Save view…' })).toBeFocused()
  await keyboard.press('End')
  const id = first.page.getByRole('menuitemcheckbox', { name: 'ID' })
  while (!(await id.evaluate((item) => item === document.activeElement))) await keyboard.press('ArrowUp')
  await keyboard.press('Space')
  await keyboard.press('Escape')
  await expect(menu).toBeFocused()
  const edge = first.page.getByRole('separator', { name: 'Width of State' })
  await edge.focus()
  for (let n = 0; n < 4; n++) await keyboard.press('ArrowLeft')
  const width = await edge.getAttribute('aria-valuenow')
  await websiteTable(first.page).getByRole('button', { name: 'Domain' }).focus()
  await keyboard.press('Enter')
  await menu.click()
  await first.page.getByRole('menuitemradio', { name: '10 per page' }).click()
  await expect(websiteTable(first.page).getByRole('row')).toHaveCount(11)
  const sorted = service.store.sortedByDomain().slice(0, 10)
  await expect(websiteTable(first.page).getByRole('row').nth(1)).toContainText(sorted[0]?.domain ?? '-')
  await first.quit()

  const { page } = await launch()
  await expect(websiteTable(page).getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('columnheader', { name: 'ID', exact: true })).toBeVisible()
  await expect(page.getByRole('separator', { name: 'Width of State' })).toHaveAttribute('aria-valuenow', width ?? '')
  await expect(page.getByRole('columnheader', { name: 'Domain' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(websiteTable(page).getByRole('row').nth(1)).toContainText(sorted[0]?.domain ?? '-')
})
