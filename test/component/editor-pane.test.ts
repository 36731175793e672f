import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail } from '../../src/shared/result.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp } from './support/app.ts'
import { aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const row = (n: number): string => websites(60)[n]?.domain ?? ''

async function openRow(n: number) {
  const app = await openApp({ websites: websites(60) })
  await app.row(row(n)).click()
  await expect.element(app.form().form).toBeVisible()
  const heading = (domain: string) => app.form().form.getByRole('heading', { name: domain })
  return { ...app, heading }
}

test('saves with Ctrl+Enter, wherever the focus is', async () => {
  const { bridge, form, keys, row: rowOf } = await openRow(2)
  await form().params.fill('ref')
  await keys('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes))
    .toEqual([{ exclude_params: ['ref'] }])
  await expect.element(form().params).toHaveFocus()
  await form().email.click()
  ;(rowOf(row(2)).element() as HTMLElement).focus()
  await keys('{Control>}{Enter}{/Control}')
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(2)
})

test('moves to the next and previous website within the open editor, at the same field and across pages', async () => {
  const { form, keys, heading, screen, view, row: rowOf } = await openRow(2)
  await view('25 per page')
  await rowOf(row(24)).click()
  await form().ips.click()
  await keys('{Alt>}{ArrowUp}{/Alt}')
  await expect.element(heading(row(23))).toBeVisible()
  await expect.element(form().ips).toHaveFocus()
  await keys('{Alt>}{ArrowDown}{/Alt}')
  await expect.element(heading(row(24))).toBeVisible()
  await keys('{Alt>}{ArrowDown}{/Alt}')
  await expect.element(heading(row(25))).toBeVisible()
  await expect.element(screen.getByText('26–50 of 60')).toBeVisible()
  await expect.element(form().ips).toHaveFocus()
  await form().button('Previous website').click()
  await expect.element(heading(row(24))).toBeVisible()
  await expect.element(screen.getByText('1–25 of 60')).toBeVisible()
})

test('the time of creation in the head of the editor ends without a full stop, like other labels', async () => {
  const { screen } = await openRow(0)
  expect(screen.getByText(/^Created .*\d/).element().textContent).not.toContain('.')
})

test('the head of the editor shows the start and end of a long domain, and the field shows the whole domain', async () => {
  const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`
  const { row: rowOf, form } = await openApp({ websites: [aWebsite({ domain })] })
  await rowOf(domain).click()
  const heading = form().form.getByRole('heading', { level: 2 })
  await expect.element(heading).toMatchTextContent(/^a-long-label-.*…[a-z-]*end-of-it\.example$/)
  await expect.element(form().domain).toHaveValue(domain)
})

test('keeps the buttons on one line, whatever the note beside them says', async () => {
  const { form } = await openRow(0)
  await form().ips.fill('203.0.113.7\n10.0.0.300')
  await expect.element(form().form.getByText('1 line may have no effect')).toBeVisible()
  const top = (name: string) => form().button(name).element().getBoundingClientRect().top
  expect(top('Save')).toBe(top('Cancel'))
})

test('does not move past the ends of the list', async () => {
  const { form, keys, heading } = await openRow(0)
  await expect.element(form().button('Previous website')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(form().button('Next website')).not.toHaveAttribute('aria-disabled')
  await keys('{Alt>}{ArrowUp}{/Alt}')
  await expect.element(heading(row(0))).toBeVisible()
})

test('asks about unsaved text before it opens the next website, and “Save” in the question saves it first', async () => {
  const { bridge, form, keys, heading, screen } = await openRow(0)
  await form().params.fill('ref')
  await keys('{Alt>}{ArrowDown}{/Alt}')
  const dialog = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  // An open dialog keeps this shortcut from the form behind it.
  await keys('{Control>}{Enter}{/Control}')
  await expect.element(dialog).toBeVisible()
  expect(bridge.requests('updateWebsite')).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(heading(row(1))).toBeVisible()
  expect(bridge.requests('updateWebsite').map(({ changes }) => changes)).toEqual([{ exclude_params: ['ref'] }])
})

test('stays at the invalid field if “Save” in the question before leaving is refused', async () => {
  const { bridge, form, keys, screen } = await openRow(0)
  bridge.answer('updateWebsite', () => fail('invalid-input', { fields: { exclude_params: ['Too long.'] } }))
  await form().params.fill('ref')
  await keys('{Escape}')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await expect.element(form().params).toHaveAccessibleDescription(/Too long\./)
  await expect.element(form().params).toHaveFocus()
  await expect.element(form().params).toHaveValue('ref')
})

test('marks a changed field with the text “Not saved”, and “Revert” restores its saved value', async () => {
  const { row: rowOf, form } = await openApp({ websites: [aWebsite()] })
  await rowOf(aWebsite().domain).click()
  const f = form()
  await expect.element(f.email).not.toHaveAccessibleDescription(/Not saved/)
  await f.email.click()
  await f.privacy('Public').click()
  await f.params.fill('ref')
  await expect.element(f.email).toHaveAccessibleDescription(/Not saved/)
  await expect.element(f.params).toHaveAccessibleDescription(/Not saved/)
  await expect.element(f.form.getByText('3 settings will be sent')).toBeVisible()
  await f.form.getByRole('button', { name: 'Revert' }).last().click()
  await expect.element(f.params).toHaveValue('')
  await expect.element(f.params).toHaveFocus()
  await expect.element(f.params).not.toHaveAccessibleDescription(/Not saved/)
  await expect.element(f.form.getByText('2 settings will be sent')).toBeVisible()
})

test('previews the request before saving, without the password crossing the bridge', async () => {
  const { bridge, form } = await openRow(0)
  const f = form()
  await f.privacy('Password').click()
  await f.password.fill('open sesame')
  await f.ips.fill('203.0.113.7')
  await f.form.getByText('3 settings will be sent').click()
  await expect.element(f.form.getByText(/^PUT \/api\/v1\/websites\//)).toBeVisible()
  await expect.element(f.form.getByText(/privacy=2 & password=•+ & exclude_ips=203\.0\.113\.7/)).toBeVisible()
  await f.ips.fill('203.0.113.8')
  await expect.element(f.form.getByText(/exclude_ips=203\.0\.113\.8/)).toBeVisible()
  expect(JSON.stringify(bridge.requests('previewSave'))).not.toContain('sesame')
  expect(bridge.requests('updateWebsite')).toEqual([])
})

test.each([
  [920, true],
  [860, false],
])('shows the list beside the pane if the window is wide enough (%i px wide: %s)', async (width, stays) => {
  await page.viewport(width, 700)
  const { screen, form, row: rowOf } = await openRow(0)
  const table = screen.getByRole('grid', { name: 'Websites' })
  if (!stays) return expect.element(table).not.toBeInTheDocument()
  await expect.element(table).toBeVisible()
  await rowOf(row(1)).click()
  await expect.element(form().form.getByRole('heading', { name: row(1) })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(width)
})

test('reports a remote change of a field that the user has changed, and the user can take the new value or keep their own', async () => {
  const was = aWebsite({ exclude_ips: ['203.0.113.7'], privacy: 1 })
  const { bridge, row: rowOf, form } = await openApp({ websites: [was] })
  await rowOf(was.domain).click()
  const f = form()
  await f.ips.fill('203.0.113.8')
  await f.privacy('Public').click()
  bridge.world.websites = [{ ...was, exclude_ips: ['203.0.113.7', '::1'], privacy: 2, password: true }]
  bridge.emit('websitesChanged', { keys: [was.key] })
  const ipsNote = f.form.getByText('Changed while you were editing. The list now has 2 lines.')
  await expect.element(ipsNote).toBeVisible()
  await expect.element(f.form.getByRole('listitem').filter({ hasText: '::1' })).toMatchTextContent(/Added:/)
  await expect.element(f.form.getByText('Changed while you were editing. New value: Password.')).toBeVisible()
  await f.form.getByRole('button', { name: 'Use the new value' }).first().click()
  await expect.element(f.privacy('Password')).toBeChecked()
  await f.form.getByRole('button', { name: 'Keep mine' }).click()
  await expect.element(ipsNote).not.toBeInTheDocument()
  await expect.element(f.ips).toHaveFocus()
  await f.button('Save').click()
  // The remote value is the new base of the edit. Therefore the service reports no conflict with it.
  const seen = { exclude_ips: ['203.0.113.7', '::1'], privacy: 2 }
  await expect
    .poll(() => bridge.requests('updateWebsite'))
    .toMatchObject([{ key: was.key, changes: { exclude_ips: ['203.0.113.8'] }, seen }])
})

test('reports another pending change of a field that the service does not show, and keeps the report when that change is sent', async () => {
  const was = aWebsite({ privacy: 2, password: true, exclude_ips: ['203.0.113.7'] })
  const { bridge, row: rowOf, form } = await openApp({ websites: [was] })
  const become = (more: Partial<WebsiteView>) => {
    bridge.world.websites = [{ ...was, ...more }]
    bridge.emit('websitesChanged', { keys: [was.key] })
  }
  await rowOf(was.domain).click()
  const f = form()
  await f.params.fill('ref')
  await f.password.fill('mine')
  become({ state: 'changed', pending: ['password', 'exclude_params'], exclude_params: ['utm_source'] })
  const note = (text: string) => f.form.getByText(text)
  const passwordNote = note('Changed while you were editing. A different password was set.')
  await expect.element(passwordNote).toBeVisible()
  await expect.element(note('Changed while you were editing. The list now has 1 line.')).toBeVisible()
  await expect.element(f.form.getByRole('listitem').filter({ hasText: 'utm_source' })).toMatchTextContent(/Added:/)
  become({})
  const paramsNote = note('Changed while you were editing. The service doesn’t show the new value.')
  await expect.element(paramsNote).toBeVisible()
  await expect.element(passwordNote).toBeVisible()
  await f.form.getByRole('button', { name: 'Use the new value' }).first().click()
  await expect.element(f.password).toHaveValue('')
  await expect.element(passwordNote).not.toBeInTheDocument()
  await f.form.getByRole('button', { name: 'Keep mine' }).click()
  await expect.element(paramsNote).not.toBeInTheDocument()
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes))
    .toEqual([{ exclude_params: ['ref'] }])
})

test('does not report the user’s own change of a field that the service does not show once the change is sent', async () => {
  const was = aWebsite()
  const { bridge, row: rowOf, form } = await openApp({ websites: [was] })
  await rowOf(was.domain).click()
  await form().params.fill('ref')
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(1)
  bridge.world.websites = [{ ...was, state: 'changed', pending: ['exclude_params'], exclude_params: ['ref'] }]
  bridge.emit('websitesChanged', { keys: [was.key] })
  await form().params.fill('ref\nutm_source')
  bridge.world.websites = [was]
  bridge.emit('websitesChanged', { keys: [was.key] })
  await expect.element(form().form.getByTitle('Pending', { exact: true })).not.toBeInTheDocument()
  await expect.element(form().params).toHaveValue('ref\nutm_source')
  await expect.element(form().form.getByText(/Changed while you were editing/)).not.toBeInTheDocument()
})

test('reports that the website is gone while the user types, and can add it again with all values', async () => {
  const was = aWebsite({ exclude_ips: ['203.0.113.7'], email: true })
  const { bridge, row: rowOf, form } = await openApp({ websites: [was] })
  await rowOf(was.domain).click()
  await form().params.fill('ref')
  bridge.world.websites = []
  bridge.emit('websitesChanged', { keys: [was.key] })
  await expect.element(form().form.getByRole('alert')).toMatchTextContent(/no longer exists.*unsaved changes are kept/)
  await expect.element(form().button('Save')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(form().button('More actions')).not.toBeInTheDocument()
  await form().button('Add as a new website').click()
  await expect.element(form().domain).toHaveFocus()
  await form().button('Save').click()
  const settings = {
    privacy: 1,
    email: true,
    exclude_bots: true,
    exclude_ips: ['203.0.113.7'],
    exclude_params: ['ref'],
  }
  await expect.poll(() => bridge.requests('createWebsite')).toEqual([{ domain: was.domain, ...settings }])
})
