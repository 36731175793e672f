import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp, openWebsite } from './support/app.ts'
import { anAccountView, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'kestrel-press.example'

test('lines that match nothing are warned of, not refused', async () => {
  const { far, form } = await openWebsite()
  const f = form()
  await f.ips.fill('203.0.113.7\nmy office')
  await expect.element(f.ips).toHaveAccessibleDescription(/“my office” isn’t an IP address or a range/)
  await f.button('Save').click()
  await expect.poll(() => far.requests('updateWebsite')[0]?.changes.exclude_ips).toEqual(['203.0.113.7', 'my office'])
})

test('how many lines may have no effect is said beside Save, wherever the pane is scrolled to', async () => {
  const { form } = await openWebsite()
  const f = form()
  await f.ips.fill('203.0.113.7\nmy office\n300.1.1.1')
  await expect.element(f.form.getByText('2 lines may have no effect')).toBeVisible()
  await f.ips.fill('203.0.113.7')
  await expect.element(f.form.getByText(/may have no effect/)).not.toBeInTheDocument()
})

test('as long as the service says that no password is set it is said, also once that was saved', async () => {
  const { form } = await openWebsite({ privacy: 2, password: false })
  await expect.element(form().password).toHaveAccessibleDescription(/No password is set/)
})

test('a new password goes with its privacy: both count', async () => {
  const { form } = await openWebsite({ privacy: 2, password: true })
  await form().password.fill('open sesame')
  await expect.element(form().form.getByText('2 fields will be sent')).toBeVisible()
})

test('a password longer than services were seen to take is warned of, not refused', async () => {
  const { far, form } = await openWebsite({ privacy: 2, password: true })
  const f = form()
  const words = /longer than 128 characters/
  // Each of these is one character to who types it, and two to a machine.
  await f.password.fill('🦉'.repeat(128))
  await expect.element(f.password).toHaveAccessibleDescription(/stored encrypted/)
  await expect.element(f.password).not.toHaveAccessibleDescription(words)
  await f.password.fill('x'.repeat(129))
  await expect.element(f.password).toHaveAccessibleDescription(words)
  await expect.element(f.password).not.toBeInvalid()
  await f.button('Save').click()
  await expect.poll(() => far.requests('updateWebsite')[0]?.changes.password).toBe('x'.repeat(129))
})

test('email reports that the plan doesn’t have are warned of, not refused', async () => {
  const { far, screen, row, form } = await openApp({ websites: [aWebsite()], account: anAccountView() })
  await row(domain).click()
  const f = form()
  const words = /plan doesn’t include email reports/
  await expect.element(f.email).not.toHaveAccessibleDescription(words)
  await f.email.click()
  await expect.element(f.email).toHaveAccessibleDescription(words)
  await f.button('Save').click()
  await expect.poll(() => far.requests('updateWebsite')).toEqual([{ key: 'w1', changes: { email: true } }])
  await screen.getByRole('button', { name: 'Add website' }).click()
  await expect.element(f.email).not.toHaveAccessibleDescription(words)
  await f.email.click()
  await expect.element(f.email).toHaveAccessibleDescription(words)
})

test('of a plan that says nothing of email reports nothing is said', async () => {
  const plan = { name: 'Agency', features: { websites: 500 }, extra: {} }
  const { row, form } = await openApp({ websites: [aWebsite()], account: anAccountView({ plan }) })
  await row(domain).click()
  await form().email.click()
  await expect.element(form().button('Save')).toBeEnabled()
  await expect.element(form().email).not.toHaveAccessibleDescription(/plan/)
})
