import { expect, sharedTest as test } from './support/app.ts'
import { planted } from './support/planted.ts'
import { addWebsite, confirmation, connect, goTo, openWebsite, saveWebsite, websiteRow } from './support/screens.ts'

test('add, edit and delete in the window change the service’s records', async ({ page, service }) => {
  await connect(page, service)

  const added = await addWebsite(page)
  await added.domain.fill('https://www.Harbour-Light.example/')
  await added.privacy('Password').click()
  await added.password.fill(planted.password)
  await added.emailReports.click()
  await added.excludedIps.fill(' 203.0.113.7 \n\n198.51.100.0/24')
  await added.excludedParams.fill('utm_source')
  await added.save.click()
  await expect
    .poll(() => service.store.byDomain('harbour-light.example'))
    .toMatchObject({
      privacy: 2,
      email: 1,
      exclude_bots: 1,
      exclude_ips: '203.0.113.7\n198.51.100.0/24',
      exclude_params: 'utm_source',
    })
  expect(service.store.byDomain('harbour-light.example')?.password).not.toBeNull()

  await expect(websiteRow(page, 'harbour-light.example')).toBeVisible()
  await page.keyboard.press('Escape')
  const edited = await openWebsite(page, 'harbour-light.example')
  await expect(edited.domain).toHaveAttribute('readonly')
  await edited.privacy('Public').click()
  await edited.excludeBots.click()
  await edited.save.click()
  await expect
    .poll(() => service.store.byDomain('harbour-light.example'))
    .toMatchObject({ privacy: 0, exclude_bots: 0, email: 1, exclude_params: 'utm_source' })
  const put = service.store.requests().findLast(({ method }) => method === 'PUT')
  expect(Object.keys(put?.form ?? {}).sort()).toEqual(['exclude_bots', 'privacy'])

  await edited.choose('Delete…')
  await expect(confirmation(page)).toContainText('harbour-light.example')
  await expect(confirmation(page)).toContainText(/statistics/)
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => service.store.byDomain('harbour-light.example'), { timeout: 20_000 }).toBeUndefined()
  await expect(websiteRow(page, 'harbour-light.example')).toHaveCount(0)
})

test('a delete can be undone before it is sent', async ({ page, service }) => {
  await connect(page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  const form = await openWebsite(page, domain)
  await form.choose('Delete…')
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await goTo(page, 'Pending')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  expect(service.store.requests().some(({ method }) => method === 'DELETE')).toBe(false)
})

test('sends a field that the service does not show only if the user changed it', async ({ page, service }) => {
  const kept = service.store.all().at(-1)
  service.store.update(kept?.id ?? 0, { exclude_params: 'gclid', privacy: 2, password: 'x:y' })
  await connect(page, service)
  const form = await openWebsite(page, kept?.domain ?? '-')
  await expect(form.excludedParams).toHaveAttribute('placeholder', /service doesn.t show/i)
  await form.emailReports.click()
  await form.save.click()
  await expect.poll(() => service.store.requests().filter(({ method }) => method === 'PUT')).toHaveLength(1)
  const put = service.store.requests().find(({ method }) => method === 'PUT')
  expect(Object.keys(put?.form ?? {})).toEqual(['email'])
  expect(service.store.get(kept?.id ?? 0)).toMatchObject({ exclude_params: 'gclid', password: 'x:y' })
})

test('shows invalid input at its field, sends nothing, and keeps the text', async ({ page, service }) => {
  await connect(page, service)
  const form = await addWebsite(page)
  await form.domain.fill('not a domain')
  await form.privacy('Password').click()
  await form.save.click()
  await expect(form.domain).toHaveAttribute('aria-invalid', 'true')
  await expect(form.password).toHaveAttribute('aria-invalid', 'true')
  await expect(form.domain).toHaveValue('not a domain')
  await expect(form.domain).toBeFocused()
  expect(service.store.requests().some(({ method }) => method === 'POST')).toBe(false)
})

test('shows a rejection in the service’s words, and the change needs attention', async ({ page, service }) => {
  await connect(page, service)
  // Another account of the service has the domain.
  await saveWebsite(page, 'taken.example')
  await goTo(page, 'Pending')
  await expect(page.getByText('The domain has already been taken.').first()).toBeVisible()
  await expect(page.getByText('Needs attention').first()).toBeVisible()
  await page.getByRole('button', { name: 'Discard…' }).first().click()
  await confirmation(page).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Needs attention')).toHaveCount(0)
})

test('sends a rejected website with all its values after only its domain was corrected in the form', async ({
  page,
  service,
}) => {
  await connect(page, service)
  const form = await addWebsite(page)
  await form.domain.fill('taken.example')
  await form.excludedIps.fill('203.0.113.9')
  await form.save.click()
  await expect(form.form.getByText('The domain has already been taken.').first()).toBeVisible()
  await expect(form.domain).toBeEditable()
  await form.domain.fill('free-to-take.example')
  await form.save.click()
  await expect.poll(() => service.store.byDomain('free-to-take.example')).toMatchObject({ exclude_ips: '203.0.113.9' })
  await expect(websiteRow(page, 'taken.example')).toHaveCount(0)
})
