import { passwordMatches } from '../../src/main/sample/password.ts'
import { expect, sharedTest as test } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { connect, editor, openWebsite, websiteTable, searchBox } from './support/screens.ts'

test('checks, tidies and saves the lists of one website after another by keyboard', async ({ page, service }) => {
  await connect(page, service)
  const [second, first] = service.store.all().slice(-2)
  await websiteTable(page).getByRole('button', { name: first?.domain }).focus()
  await page.keyboard.press('Enter')
  const { form, excludedIps } = editor(page)
  await excludedIps.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('203.0.113.7\nmy office\n203.0.113.7')
  await expect(form.getByText('“my office” isn’t an IP address or a range and will have no effect.')).toBeVisible()
  await form.getByRole('button', { name: 'Clean up (removes 1 line)' }).focus()
  await page.keyboard.press('Enter')
  await expect(excludedIps).toHaveValue('203.0.113.7\nmy office')
  await expect(excludedIps).toBeFocused()
  await page.keyboard.press('Control+Z')
  await expect(excludedIps).toHaveValue('203.0.113.7\nmy office\n203.0.113.7')
  await page.keyboard.press('Control+Y')
  await expectClean(page, 'editor with findings')
  await form.getByText('1 setting will be sent').press('Enter')
  await expect(form.getByText(/^PUT \/api\/v1\/websites\//)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  // Questionable lines can be saved, too, because the service may accept them.
  const ips = (domain = '-') => service.store.byDomain(domain)?.exclude_ips
  await expect.poll(() => ips(first?.domain)).toBe('203.0.113.7\nmy office')

  await excludedIps.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(form.getByRole('heading', { name: second?.domain })).toBeVisible()
  await expect(excludedIps).toBeFocused()
  await expect(websiteTable(page)).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('2001:db8::/48')
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByRole('heading', { name: first?.domain })).toBeVisible()
  await expect.poll(() => ips(second?.domain)).toBe('2001:db8::/48')
})

test('generates and copies a password that reaches the service', async ({ page, service }) => {
  await connect(page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  const { form, privacy, password } = await openWebsite(page, domain)
  await privacy('Password').click()
  await form.getByRole('button', { name: 'Generate' }).click()
  const made = await password.inputValue()
  await form.getByRole('button', { name: 'Copy' }).click()
  await expect(form.getByText('Password copied.')).toBeVisible()
  const elsewhere = searchBox(page)
  await elsewhere.focus()
  await page.keyboard.press('Control+V')
  await expect(elsewhere).toHaveValue(made)
  await elsewhere.fill('')
  await password.focus()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => passwordMatches(made, service.store.byDomain(domain)?.password ?? null)).toBe(true)
  await expect(password).toHaveValue('')
})

test('shows another client’s change at its field while the user types, and reports no conflict if the user keeps their own value', async ({
  page,
  service,
}) => {
  await connect(page, service)
  const website = service.store.all().at(-1)
  const { form, excludedIps, save } = await openWebsite(page, website?.domain ?? '-')
  await excludedIps.fill('203.0.113.7')
  service.store.update(website?.id ?? 0, { exclude_ips: '198.51.100.1\n198.51.100.2' })
  await page.keyboard.press('F5')
  await expect(form.getByText('Changed while you were editing. The list now has 2 lines.')).toBeVisible()
  await form.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await save.click()
  await expect.poll(() => service.store.byDomain(website?.domain ?? '-')?.exclude_ips).toBe('203.0.113.7')
  await excludedIps.fill('203.0.113.9')
  service.store.update(website?.id ?? 0, { exclude_ips: '198.51.100.3' })
  await page.keyboard.press('F5')
  await form.getByRole('button', { name: 'Use the new value' }).press('Enter')
  await expect(excludedIps).toHaveValue('198.51.100.3')
  await expect(excludedIps).toBeFocused()
})
