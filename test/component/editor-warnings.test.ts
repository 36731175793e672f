import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp, openWebsite } from './support/app.ts'
import { anAccountView, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'kestrel-press.example'

test('warns of a line that is no IP address, and still saves it', async () => {
  const { bridge, form } = await openWebsite()
  const f = form()
  await f.ips.fill('203.0.113.7\nmy office')
  await expect.element(f.ips).toHaveAccessibleDescription(/“my office” isn’t an IP address or a range/)
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite')[0]?.changes.exclude_ips)
    .toEqual(['203.0.113.7', 'my office'])
})

test('says beside Save how many lines may have no effect', async () => {
  const { form } = await openWebsite()
  const f = form()
  await f.ips.fill('203.0.113.7\nmy office\n300.1.1.1')
  await expect.element(f.form.getByText('2 lines may have no effect')).toBeVisible()
  await f.ips.fill('203.0.113.7')
  await expect.element(f.form.getByText(/may have no effect/)).not.toBeInTheDocument()
})

test('says that no password is set if the service says so', async () => {
  const { form } = await openWebsite({ privacy: 2, password: false })
  await expect.element(form().password).toHaveAccessibleDescription(/No password is set/)
})

test('counts a new password and its privacy as two changes', async () => {
  const { form } = await openWebsite({ privacy: 2, password: true })
  await form().password.fill('open sesame')
  await expect.element(form().form.getByText('2 settings will be sent')).toBeVisible()
})

test('warns of a password that is longer than known services accept, and allows it', async () => {
  const { bridge, form } = await openWebsite({ privacy: 2, password: true })
  const f = form()
  const text = /longer than 128 characters/
  // The owl is one character for the user, but two UTF-16 code units.
  await f.password.fill('🦉'.repeat(128))
  await expect.element(f.password).toHaveAccessibleDescription(/stored encrypted/)
  await expect.element(f.password).not.toHaveAccessibleDescription(text)
  await f.password.fill('x'.repeat(129))
  await expect.element(f.password).toHaveAccessibleDescription(text)
  await expect.element(f.password).not.toBeInvalid()
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')[0]?.changes.password).toBe('x'.repeat(129))
})

test('warns of email reports that the plan does not include, and allows them', async () => {
  const { bridge, screen, row, form } = await openApp({ websites: [aWebsite()], account: anAccountView() })
  await row(domain).click()
  const f = form()
  const text = /plan doesn’t include email reports/
  await expect.element(f.email).not.toHaveAccessibleDescription(text)
  await f.email.click()
  await expect.element(f.email).toHaveAccessibleDescription(text)
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes)).toEqual([{ email: true }])
  await screen.getByRole('button', { name: 'Add website' }).click()
  await expect.element(f.email).not.toHaveAccessibleDescription(text)
  await f.email.click()
  await expect.element(f.email).toHaveAccessibleDescription(text)
})

test('shows no warning about email reports if the plan does not mention them', async () => {
  const plan = { name: 'Agency', features: { websites: 500 }, extra: {} }
  const { row, form } = await openApp({ websites: [aWebsite()], account: anAccountView({ plan }) })
  await row(domain).click()
  await form().email.click()
  await expect.element(form().button('Save')).toBeEnabled()
  await expect.element(form().email).not.toHaveAccessibleDescription(/plan/)
})
