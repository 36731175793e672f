import type { Page } from '@playwright/test'
import { expectClean } from './support/axe.ts'
import { expect, test } from './support/app.ts'
import { command, press } from './support/keyboard.ts'
import { connect, editor, goTo, openWebsite, websiteTable } from './support/screens.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Named addresses' })

test('names the addresses of an office, replaces them in all websites after a move, and undoes that, by keyboard', async ({
  launch,
  service,
}) => {
  const [one, two, other] = service.store.all()
  if (!one || !two || !other) return expect(one && two && other).toBeTruthy()
  service.store.update(one.id, { exclude_ips: '192.0.2.7\n2001:db8::/32\n10.0.0.1' })
  service.store.update(two.id, { exclude_ips: '2001:DB8::/32\n192.0.2.7/32' })
  service.store.update(other.id, { exclude_ips: '192.0.2.8' })
  const lists = () => [one, two, other].map(({ id }) => service.store.get(id)?.exclude_ips?.split('\n') ?? [])
  const before = lists()
  const first = await launch()
  await connect(first.page, service)
  await openWebsite(first.page, two.domain)
  await press(first.page, editor(first.page).form.getByRole('button', { name: 'Named addresses' }))
  await first.page.keyboard.press('Enter')
  const form = first.page.getByRole('dialog', { name: 'New named address' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await first.page.keyboard.insertText('Office Berlin')
  await press(first.page, form.getByRole('button', { name: 'Save' }))
  const chips = editor(first.page).form.getByRole('list', { name: 'Named addresses in this list' })
  await expect(chips.getByRole('listitem')).toHaveText(['Office Berlin'])
  await first.quit()

  const { page } = await launch()
  await websiteTable(page).waitFor()
  await goTo(page, 'Settings')
  await expect(section(page)).toContainText('2001:DB8::/32, 192.0.2.7/32')
  await press(page, section(page).getByRole('button', { name: 'Edit Office Berlin' }))
  const edit = page.getByRole('dialog', { name: 'Edit named address' })
  await edit.getByLabel('Addresses and ranges').fill('2001:db8::/32\n198.51.100.0/28')
  await press(page, edit.getByRole('button', { name: 'Save' }))
  const bulk = page.getByRole('dialog', { name: 'Edit 2 websites' })
  await expect(bulk.getByText('2 websites will change.')).toBeVisible()
  await expectClean(page, 'the replacement of an address')
  await press(page, bulk.getByRole('button', { name: 'Change 2 websites' }))
  await expect
    .poll(lists)
    .toEqual([['2001:db8::/32', '10.0.0.1', '198.51.100.0/28'], ['2001:DB8::/32', '198.51.100.0/28'], before[2]])
  await command(page, 'Undo the last change')
  await expect.poll(() => lists().map((list) => list.toSorted())).toEqual(before.map((list) => list.toSorted()))
  await expect(section(page)).toContainText('2001:db8::/32, 198.51.100.0/28')
  await command(page, 'Undo the last change')
  await expect(section(page)).toContainText('2001:DB8::/32, 192.0.2.7/32')
})
