import { page } from 'vitest/browser'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp } from './support/app.ts'
import { anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

async function openPassword() {
  const website = aWebsite({ domain: 'kestrel-press.example', privacy: 2, password: true })
  const app = await openApp({ websites: [website] })
  await app.row(website.domain).click()
  const f = app.form()
  await expect.element(f.password).toBeVisible()
  const typed = () => (f.password.element() as HTMLInputElement).value
  return { ...app, f, typed }
}

test.each([null, '1'])(
  'asks to enter the password of a parked change again, and does not call it pending or set (website id %s)',
  async (id) => {
    const website = aWebsite({ id, privacy: 2, password: true, state: 'parked', pending: ['privacy', 'password'] })
    const edit = anEdit({ domain: website.domain, state: 'parked', reason: 'password', settings: { privacy: 2 } })
    const { row, form } = await openApp({ websites: [website], edits: [edit] })
    await row(website.domain).click()
    const f = form()
    await expect
      .element(f.form)
      .toMatchTextContent(/Enter the statistics password again\.\s*Then save to send this change, or discard it\./)
    await expect.element(f.password).toHaveAccessibleDescription('Enter the statistics password again.')
    await expect.element(f.password).not.toHaveAttribute('placeholder')
    await f.email.click()
    await f.form.getByText(/1 setting (will be sent|changed)/).click()
    await expect.element(f.form.getByText(/email=1/)).toBeVisible()
    await expect.element(f.form.getByText(/password=/)).not.toBeInTheDocument()
  },
)

test('generates a password, shows it, copies it and sends it once', async () => {
  const { bridge, f, typed } = await openPassword()
  await f.button('Generate').click()
  await expect.element(f.password).toHaveAttribute('type', 'text')
  const made = typed()
  expect(made).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/)
  await expect.element(f.password).toHaveAccessibleDescription(/Copy the password before you save/)
  const copied = vi.spyOn(DataTransfer.prototype, 'setData')
  await f.button('Copy').click()
  await expect.element(f.form.getByText('Password copied.')).toBeVisible()
  await expect.element(f.password).not.toHaveAccessibleDescription(/Copy the password before you save/)
  expect(copied).toHaveBeenCalledExactlyOnceWith('text/plain', made)
  copied.mockRestore()
  await f.button('Generate').click()
  expect(typed()).not.toBe(made)
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(1)
  expect(bridge.requests('updateWebsite')[0]?.changes.password).toMatch(/^.{24}$/)
  await expect.element(f.password).toHaveValue('')
})

test('calls a password pending, and not set, while it is not sent to the website', async () => {
  const website = aWebsite({ privacy: 2, password: true, state: 'held', pending: ['privacy', 'password'] })
  const { row, form } = await openApp({ websites: [website] })
  await row(website.domain).click()
  await expect
    .element(form().password)
    .toHaveAccessibleDescription(/^The password you entered before is still pending\./)
  await expect.element(form().password).toHaveAttribute('placeholder', 'A password is pending')
})

test('offers no Undo for a saved password once it is sent, because the earlier password is unknown', async () => {
  const { bridge, f } = await openPassword()
  await f.password.fill('a new password')
  await f.button('Save').click()
  await expect.element(f.button('Undo')).toBeVisible()
  bridge.world.websites = bridge.world.websites.map((each) => ({ ...each, state: 'synced', pending: [] }))
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.form.getByText('Saved.', { exact: true })).toBeVisible()
  await expect.element(f.button('Undo')).not.toBeInTheDocument()
  await expect.element(f.button('Cancel')).not.toBeInTheDocument()
})
