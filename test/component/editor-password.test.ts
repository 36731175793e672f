import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from './support/app.ts'
import { aWebsite } from './support/fixtures.ts'

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

test('a password is made, shown, copied and sent once', async () => {
  const { far, f, typed } = await openPassword()
  await f.button('Make one').click()
  await expect.element(f.password).toHaveAttribute('type', 'text')
  const made = typed()
  expect(made).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/)
  await expect.element(f.password).toHaveAccessibleDescription(/Hard to guess/)
  await expect.element(f.password).toHaveAccessibleDescription(/Copy it before you save/)
  let copied = ''
  const listen = (event: ClipboardEvent) => (copied = event.clipboardData?.getData('text/plain') ?? '')
  window.addEventListener('copy', listen, true)
  await f.button('Copy').click()
  await expect.element(f.form.getByText('Copied.')).toBeVisible()
  await expect.element(f.password).not.toHaveAccessibleDescription(/Copy it before you save/)
  window.removeEventListener('copy', listen, true)
  void copied
  await f.button('Make one').click()
  expect(typed()).not.toBe(made)
  await f.button('Save').click()
  await expect.poll(() => far.requests('updateWebsite')).toHaveLength(1)
  expect(far.requests('updateWebsite')[0]?.changes.password).toMatch(/^.{24}$/)
  // Nothing of it is left in the page.
  await expect.element(f.password).toHaveValue('')
})

test('how a typed one stands up is said in words, and what makes it less', async () => {
  const { f } = await openPassword()
  await expect.element(f.password).not.toHaveAccessibleDescription(/guess/)
  await f.password.fill('kestrel-press1')
  await expect.element(f.password).toHaveAccessibleDescription(/Easy to guess\. It has the domain in it/)
  await f.password.fill('P4ssw0rd2024!')
  await expect
    .element(f.password)
    .toHaveAccessibleDescription(/Easy to guess\. It has a word in it that is tried first/)
  await f.password.fill('plum-otter-quilt-harbor')
  await expect.element(f.password).toHaveAccessibleDescription(/Hard to guess\./)
  await expect.element(f.password).not.toBeInvalid()
})
