import { m } from '../../src/messages/index.ts'
import { page } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp, openWebsite } from './support/app.ts'
import { MemoryBridge } from './support/bridge.ts'
import { anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'kestrel-press.example'

test('adds a website with every field', async () => {
  const { screen, bridge, form } = await openApp({})
  await screen.getByRole('button', { name: 'Add website' }).first().click()
  const f = form()
  await f.domain.fill('https://www.Harbour-Bakery.example/')
  await expect.element(f.domain).toHaveAccessibleDescription(/will store it as harbour-bakery\.example/)
  await f.privacy('Password').click()
  await f.password.fill('open sesame')
  await f.email.click()
  await f.bots.click()
  await f.ips.fill(' 203.0.113.7 \n\n2001:db8::/48')
  await f.params.fill('utm_source\nref')
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('createWebsite'))
    .toEqual([
      {
        domain: 'https://www.Harbour-Bakery.example/',
        privacy: 2,
        password: 'open sesame',
        email: true,
        exclude_bots: false,
        exclude_ips: ['203.0.113.7', '2001:db8::/48'],
        exclude_params: ['utm_source', 'ref'],
      },
    ])
  await expect.element(f.form.getByTitle('New', { exact: true })).toBeVisible()
})

test('Alt+Down opens the list of presets in the form of a new website, and does not leave the form', async () => {
  const presets = [{ id: 'p1', name: 'Client', change: { email: true } }]
  const { screen, form, row } = await openApp({ websites: [aWebsite()], presets })
  await expect.element(row(domain)).toBeVisible()
  await screen.getByRole('button', { name: 'Add website' }).click()
  const list = form().form.getByRole('combobox', { name: 'Preset' })
  await expect.element(list).toBeVisible()
  const pressed = new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true, cancelable: true })
  list.element().dispatchEvent(pressed)
  // The browser opens the field's list only if the page doesn't prevent this key.
  expect(pressed.defaultPrevented).toBe(false)
  await form().domain.fill('harbour-bakery.example')
  await expect.element(form().domain).toHaveValue('harbour-bakery.example')
})

test('starts a new website with the documented defaults, and does not send a typed password if another privacy is chosen', async () => {
  const { screen, bridge, form } = await openApp({})
  await screen.getByRole('button', { name: 'Add website' }).first().click()
  const f = form()
  await expect.element(f.privacy('Private')).toBeChecked()
  await f.privacy('Password').click()
  await f.password.fill('typed and thought better of')
  await f.privacy('Public').click()
  await expect.element(f.password).not.toBeInTheDocument()
  await f.domain.fill('a.example')
  await f.button('Save').click()
  const defaults = { email: false, exclude_bots: true, exclude_ips: [], exclude_params: [] }
  await expect.poll(() => bridge.requests('createWebsite')).toEqual([{ domain: 'a.example', privacy: 0, ...defaults }])
})

test('validates before it sends anything, and focuses the first invalid field', async () => {
  const { screen, bridge, form } = await openApp({})
  await screen.getByRole('button', { name: 'Add website' }).first().click()
  const f = form()
  await f.domain.fill('not a domain')
  await f.privacy('Password').click()
  await f.button('Save').click()
  await expect.element(f.domain).toHaveFocus()
  await expect.element(f.domain).toHaveAttribute('aria-invalid', 'true')
  await expect.element(f.domain).toHaveAccessibleDescription(/isn’t a valid domain/)
  await expect.element(f.password).toHaveAccessibleDescription(/Enter a statistics password/)
  // A name without a dot can be saved, although some services reject it.
  await f.domain.fill('intranet')
  await expect.element(f.domain).toHaveAccessibleDescription(/may reject this domain/)
  await expect.element(f.domain).not.toHaveAttribute('aria-invalid')
  await f.domain.fill('fine.example')
  await f.button('Save').click()
  await expect.element(f.password).toHaveFocus()
  expect(bridge.requests('createWebsite')).toEqual([])
})

test('sends only the changed fields of an edit', async () => {
  const { bridge, form } = await openWebsite({ exclude_ips: ['203.0.113.7'] })
  const f = form()
  await expect.element(f.domain).toHaveAttribute('readonly')
  await expect.element(f.domain).toHaveAccessibleDescription(/can’t be changed\./)
  await expect.element(f.button('Save')).toBeDisabled()
  await f.email.click()
  await f.ips.fill('203.0.113.7\n198.51.100.0/24')
  await expect.element(f.form.getByText('2 settings will be sent')).toBeVisible()
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes))
    .toEqual([{ email: true, exclude_ips: ['203.0.113.7', '198.51.100.0/24'] }])
  await expect.element(f.form.getByText('Saved. Sending…')).toBeVisible()
  await expect.element(f.form.getByTitle('Pending', { exact: true })).toBeVisible()
})

test('does not send a field that is set back', async () => {
  const { form } = await openWebsite({ exclude_ips: ['203.0.113.7'] })
  const f = form()
  await f.email.click()
  await f.email.click()
  await f.ips.fill('203.0.113.7\n')
  await expect.element(f.button('Save')).toBeDisabled()
})

test('says that the service does not show a field, and sends it only if it was changed', async () => {
  const { bridge, form } = await openWebsite({ privacy: 2, password: true })
  const f = form()
  const unseen = 'The service doesn’t show this list. Type here to replace it.'
  await expect.element(f.params).toHaveAttribute('placeholder', unseen)
  await expect.element(f.password).toHaveAccessibleDescription(/A password is set\. The service doesn’t show it/)
  await f.params.fill('typed')
  await f.params.fill('')
  await f.bots.click()
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes))
    .toEqual([{ exclude_bots: false }])
})

test('applies a remote change to all fields except those in which the user has typed', async () => {
  const { bridge, form } = await openWebsite()
  const f = form()
  await f.params.fill('ref')
  bridge.world.websites = [aWebsite({ email: true, exclude_params: ['theirs'] })]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.email).toBeChecked()
  await expect.element(f.params).toHaveValue('ref')
  await expect.element(f.params).toHaveFocus()
  await expect.element(f.form.getByText('The website changed while you were editing.')).toBeVisible()
})

test('does not say that the website changed if only its tags and note are saved while there is unsaved text', async () => {
  const { bridge, form } = await openWebsite()
  const f = form()
  await f.params.fill('ref')
  bridge.world.websites = bridge.world.websites.map((website) => ({
    ...website,
    tags: ['Later'],
    note: 'Invoice in May',
  }))
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(f.form.getByText('Invoice in May')).toBeVisible()
  await expect.element(f.params).toHaveValue('ref')
  await expect.element(f.form.getByText('The website changed while you were editing.')).not.toBeInTheDocument()
})

test('does not say that the website changed when the user’s own save is delivered while there is unsaved text', async () => {
  const { bridge, form } = await openWebsite()
  const f = form()
  await f.email.click()
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(1)
  await f.params.fill('ref')
  const delivered = aWebsite({ email: true, updated_at: '2026-11-12T14:06:00Z' })
  bridge.world.websites = [delivered]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.form.getByTitle('Pending', { exact: true })).not.toBeInTheDocument()
  await expect.element(f.params).toHaveValue('ref')
  await expect.element(f.form.getByText('The website changed while you were editing.')).not.toBeInTheDocument()
})

test('sends the time of the record that the user saw when they began to type, also with a draft that was restored', async () => {
  const seen = { exclude_ips: [], updated_at: '2026-11-12T14:06:00Z' }
  const first = await openWebsite(seen)
  await first.form().params.fill('ref')
  await expect
    .poll(() => first.bridge.requests('keepFormDrafts').at(-1)?.form?.typed)
    .toEqual({ exclude_params: 'ref' })
  await first.screen.unmount()
  const later = aWebsite({ ...seen, updated_at: '2026-11-12T15:00:00Z' })
  const { bridge, form } = await openApp({ websites: [later], formDrafts: first.bridge.world.formDrafts })
  await expect.element(form().params).toHaveValue('ref')
  await form().params.fill('ref\nutm_source')
  bridge.world.websites = [{ ...later, updated_at: '2026-11-12T16:00:00Z' }]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite').at(-1)?.seenAt).toBe(seen.updated_at)
})

test('sends the time of the record that the user saw when they began to type, although another client has since made the change that was pending', async () => {
  const seen = '2026-11-12T14:06:00Z'
  const { bridge, form } = await openWebsite({ updated_at: seen })
  const f = form()
  await f.email.click()
  await f.button('Save').click()
  await expect.element(f.form.getByTitle('Pending', { exact: true })).toBeVisible()
  await f.params.fill('ref')
  bridge.world.websites = [aWebsite({ email: true, updated_at: '2026-11-12T14:07:00Z' })]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.form.getByTitle('Pending', { exact: true })).not.toBeInTheDocument()
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite').at(-1)?.seenAt).toBe(seen)
})

test('sends the time of the website’s creation, and not of a later remote change, if the user began to type before the website was created', async () => {
  const { bridge, form } = await openWebsite({ id: null, state: 'new' })
  await form().params.fill('ref')
  for (const updated_at of ['2026-11-12T14:06:00Z', '2026-11-12T15:00:00Z']) {
    const reads = bridge.requests('getWebsite').length
    bridge.world.websites = [aWebsite({ updated_at })]
    bridge.emit('websitesChanged', { keys: ['w1'] })
    await expect.poll(() => bridge.requests('getWebsite').length).toBeGreaterThan(reads)
  }
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite').at(-1)?.seenAt).toBe('2026-11-12T14:06:00Z')
})

test('sends with each changed field the value that the user saw when they began to type, even if no one else has changed the field', async () => {
  const { bridge, form } = await openWebsite({ exclude_ips: ['203.0.113.7'], exclude_params: ['ours'] })
  const f = form()
  await f.ips.fill('203.0.113.8')
  await f.params.fill('ref')
  bridge.world.websites = [aWebsite({ exclude_ips: ['203.0.113.7', '203.0.113.9'], exclude_params: ['ours'] })]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.form.getByText('The website changed while you were editing.')).toBeVisible()
  await f.button('Save').click()
  const changes = { exclude_ips: ['203.0.113.8'], exclude_params: ['ref'] }
  await expect
    .poll(() => bridge.requests('updateWebsite'))
    .toMatchObject([{ key: 'w1', changes, seen: { exclude_ips: ['203.0.113.7'], exclude_params: ['ours'] } }])
})

test('keeps the input if it can’t be stored on disk', async () => {
  const { bridge, form } = await openWebsite()
  bridge.answer('updateWebsite', () => fail('disk-full'))
  const f = form()
  await f.params.fill('ref')
  await f.button('Save').click()
  await expect.element(f.form.getByRole('alert')).toMatchTextContent(/disk is full/)
  await expect.element(f.params).toHaveValue('ref')
})

test('shows at the field of a parked edit why the service rejected the value, in the service’s words', async () => {
  const error = { code: 'invalid', message: '', fields: { exclude_ips: ['The format is invalid.'] } } as const
  const fields = { exclude_ips: [...error.fields.exclude_ips] }
  const { row, form } = await openApp({
    websites: [aWebsite({ state: 'parked', pending: ['exclude_ips'] })],
    edits: [anEdit({ state: 'parked', reason: 'refused', error: { ...error, fields } })],
  })
  await row(domain).click()
  await expect.element(form().ips).toHaveAccessibleDescription(/The format is invalid\./)
})

test('asks before unsaved text is left, and keeps or discards it', async () => {
  const { screen, keys, form } = await openWebsite()
  const f = form()
  await f.params.fill('ref')
  await keys('{Escape}')
  const dialog = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(f.params).toHaveValue('ref')
  await keys('{Escape}')
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(f.form).not.toBeInTheDocument()
})

test('Cancel discards the unsaved text without a question', async () => {
  const { bridge, form, row } = await openWebsite()
  await form().params.fill('ref')
  await form().button('Cancel').click()
  await expect.element(form().form).not.toBeInTheDocument()
  await row(domain).click()
  await expect.element(form().params).toHaveValue('')
  expect(bridge.requests('updateWebsite')).toEqual([])
})

test('shows the fields of the service that the app does not know as read-only details', async () => {
  const { form } = await openWebsite({ updated_at: '2026-11-14T09:00:00Z', extra: { favorite: true, note: 'hello' } })
  await expect.element(form().form.getByText('Other details from the service')).toBeVisible()
  const names = () => [...document.querySelectorAll('form dt')].map(({ textContent }) => textContent)
  expect(names()).toEqual(['ID', 'Last changed on the service', 'favorite', 'note'])
  const note = form().form.getByText('hello')
  await expect.element(note).toBeVisible()
  // The form has exactly the fields of docs/interface.md.
  const controls = form()
    .form.getByRole('textbox')
    .or(form().form.getByRole('switch'))
    .or(form().form.getByRole('radio'))
  await expect.element(form().form.getByLabelText(/note|favorite/)).not.toBeInTheDocument()
  expect(controls.elements()).toHaveLength(8)
})

test('asks by name before a delete, mentions the statistics, and can undo it', async () => {
  const { screen, bridge, form } = await openWebsite()
  await form().choose('Delete…')
  const dialog = screen.getByRole('alertdialog', { name: `Delete ${domain}?` })
  await expect.element(dialog).toMatchTextContent(/permanently deletes.*all its statistics/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('deleteWebsite')).toEqual([])

  bridge.world.edits = [anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })]
  await form().choose('Delete…')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByText(`${domain} will be deleted.`)).toBeVisible()
  await expect.element(form().form).not.toBeInTheDocument()
  expect(bridge.requests('deleteWebsite')).toEqual([{ key: 'w1' }])
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e9' }])
})

test('keeps the unsaved text of a website that is deleted, and shows it again after the delete is undone', async () => {
  const { bridge, form } = await openWebsite()
  await form().params.fill('ref')
  bridge.world.edits = [anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })]
  await form().choose('Delete…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bridge.requests('deleteWebsite')).toHaveLength(1)
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await form().button('Undo').click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e9' }])
  bridge.world.websites = [aWebsite()]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(form().params).toBeEnabled()
  await expect.element(form().params).toHaveValue('ref')
})

/** Changes the fields of one of two websites without saving, and deletes the website. The delete can still be undone. */
async function deletedWithText() {
  const other = aWebsite({ key: 'w2', domain: 'other.example' })
  const app = await openApp({ websites: [aWebsite(), other] })
  const { screen, bridge, form, row } = app
  await row(domain).click()
  await form().params.fill('ref')
  await form().choose('Delete…')
  bridge.world.edits = [anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })]
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bridge.requests('deleteWebsite')).toHaveLength(1)
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(form().params).toBeDisabled()
  /** Ends the delete: the website is in the list again (`isBack`), or gone. */
  const end = (isBack: boolean) => {
    bridge.world.edits = []
    bridge.world.websites = isBack ? [aWebsite(), other] : [other]
    bridge.emit('websitesChanged', { keys: ['w1'] })
  }
  return { ...app, end, question: screen.getByRole('alertdialog') }
}

test('Ctrl+Z undoes the delete of a website with unsaved text', async () => {
  const { bridge, keys } = await deletedWithText()
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e9' }])
})

test.each(['Close', 'another website'])(
  'the unsaved text of a deleted website is left without a question (%s), and is there again after an undo',
  async (way) => {
    const { form, row, end, question } = await deletedWithText()
    await (way === 'Close' ? form().button('Close').last() : row('other.example')).click()
    if (way === 'Close') await expect.element(form().form).not.toBeInTheDocument()
    else await expect.element(form().domain).toHaveValue('other.example')
    expect(question.elements()).toEqual([])
    end(true)
    await row(domain).click()
    await expect.element(form().params).toHaveValue('ref')
  },
)

test('the unsaved text of a deleted website is kept only until the website is gone, and is not restored as a new website', async () => {
  const { bridge, row, end } = await deletedWithText()
  const kept = () => bridge.requests('keepFormDrafts').at(-1)
  // `values` is undefined, because a draft that has all values would be restored as a new website.
  const form = () => kept()?.form
  await expect.poll(() => [form()?.typed, form()?.values]).toEqual([{ exclude_params: 'ref' }, undefined])
  await row('other.example').click()
  await expect.poll(() => kept()?.aside).toHaveLength(1)
  end(false)
  await expect.poll(() => kept()?.aside).toBeUndefined()
})

test('says before and after the delete of a website that was never sent that it won’t be added', async () => {
  const { screen, form } = await openWebsite({ id: null, state: 'new', pending: ['domain'] })
  await form().choose('Delete…')
  const dialog = screen.getByRole('alertdialog', { name: `Delete ${domain}?` })
  await expect.element(dialog).toMatchTextContent(/won’t be added to the service/)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByText(`${domain} won’t be added.`)).toBeVisible()
})

test('offers no second Undo for a delete that was undone under Pending', async () => {
  const { screen, bridge, form, goTo } = await openWebsite()
  bridge.world.edits = [anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })]
  await form().choose('Delete…')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByText(`${domain} will be deleted.`)).toBeVisible()
  bridge.emit('editsChanged', undefined)
  await goTo('Pending')
  // The toast of the delete is still shown, but without Undo. The only Undo is that of the pending change.
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText('No pending changes')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Undo' }), { timeout: 3000 }).not.toBeInTheDocument()
})

test('says on the Pending screen too that a delete which needs attention can’t be undone yet', async () => {
  const { screen, bridge, form, goTo } = await openWebsite()
  const removal = anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })
  bridge.world.edits = [removal]
  await form().choose('Delete…')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByText(`${domain} will be deleted.`)).toBeVisible()
  const can = { undo: false, discard: true, sendNow: false }
  bridge.world.edits = [{ ...removal, state: 'parked', reason: 'conflict', can }]
  bridge.emit('editsChanged', undefined)
  await goTo('Pending')
  await screen.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText(/needs attention before it can be undone/)).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('offers no Undo for a delete that is being sent', async () => {
  const { screen, bridge, form, goTo } = await openWebsite()
  bridge.world.edits = [anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })]
  await form().choose('Delete…')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const toast = screen.getByText(`${domain} will be deleted.`)
  await expect.element(toast).toBeVisible()
  bridge.emit('editsChanged', undefined)
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Send now' }).click()
  // Three seconds are much less than the time that a toast stays.
  await expect.element(toast, { timeout: 3000 }).not.toBeInTheDocument()
})

test('the editor fills a narrow window, and the list is back after Close', async () => {
  await page.viewport(480, 700)
  const { form, screen } = await openWebsite()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).not.toBeInTheDocument()
  expect(form().form.element().getBoundingClientRect().width).toBe(480)
  await form().button('Close').click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
})

test('opens a website as it is now, although its row still shows it as not created', async () => {
  const row = aWebsite({ id: null, state: 'new' })
  const { bridge, form, row: rowOf } = await openApp({ websites: [row] })
  await expect.element(rowOf(row.domain)).toBeVisible()
  // Changes the website without an event, as if main had sent the event before the editor listened.
  bridge.world.websites = [aWebsite({ id: '7', state: 'synced' })]
  await rowOf(row.domain).click()
  await expect.element(form().domain).toHaveAttribute('readonly')
})

test('“Show this website” opens the website that already has the typed domain, after the user agrees to discard the text', async () => {
  const { screen, bridge, keys, form, row } = await openApp({ websites: [aWebsite()] })
  await expect.element(row('kestrel-press.example')).toBeVisible()
  const fields = { domain: [m.input_domain_listed({ domain: domain })] }
  bridge.answer('createWebsite', () => fail('invalid-input', { fields }))
  await keys('{Control>}n{/Control}')
  await form().domain.fill('https://Kestrel-Press.example/')
  await form().button('Save').click()
  await expect.element(form().domain).toHaveAccessibleDescription(/is already in this account/)
  await screen.getByRole('button', { name: 'Show this website' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(screen.getByRole('heading', { name: 'kestrel-press.example' })).toBeVisible()
})

test('a link to a website opens it, although the service spells its domain with “www.”', async () => {
  const { bridge, screen, row } = await openApp({ websites: [aWebsite({ domain: 'www.kestrel-press.example' })] })
  await expect.element(row('www.kestrel-press.example')).toBeVisible()
  bridge.leadTo({ to: 'website', domain: 'kestrel-press.example' })
  await expect.element(screen.getByRole('heading', { name: 'www.kestrel-press.example' })).toBeVisible()
})

test('still offers the website that already has the typed domain after the language is changed', async () => {
  const { bridge, keys, form, row } = await openApp({ websites: [aWebsite()] })
  await expect.element(row('kestrel-press.example')).toBeVisible()
  const fields = { domain: [m.input_domain_listed({ domain })] }
  bridge.answer('createWebsite', () => fail('invalid-input', { fields }))
  await keys('{Control>}n{/Control}')
  await form().domain.fill(domain)
  await form().button('Save').click()
  await expect.element(page.getByRole('button', { name: 'Show this website' })).toBeVisible()
  bridge.setState({ language: { shown: 'de', system: 'de', formats: 'de' } })
  await expect.element(page.getByRole('button', { name: 'Diese Website anzeigen' })).toBeVisible()
})

test('a restored draft of a new website is set aside for an empty form, and “Add website” brings it back', async () => {
  const chosen = { all: false, keys: [] }
  const place = { sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0, chosen } as const
  const bridge = new MemoryBridge({ websites: [aWebsite()] })
  const draft = { website: null, typed: { domain: 'half-typed.example' }, seen: {}, cleared: [] }
  bridge.world.formDrafts = { account: 'northwind', form: draft, list: { ...place, search: '' }, held: false }
  const { screen, form, row } = await openApp(bridge)
  const addWebsite = screen.getByRole('button', { name: 'Add website' })
  const aside = () => bridge.requests('keepFormDrafts').at(-1)?.aside
  await expect.element(form().domain).toHaveValue('half-typed.example')

  await addWebsite.click()
  await expect.element(form().domain).toHaveValue('')
  await expect.element(screen.getByText(m.editor_draft_kept_new())).toBeVisible()
  await expect.poll(aside).toEqual([draft])
  await addWebsite.click()
  await expect.element(form().domain).toHaveValue('half-typed.example')

  bridge.leadTo({ to: 'add', domain: '' })
  await expect.element(form().domain).toHaveValue('')
  bridge.leadTo({ to: 'add', domain: 'linked.example' })
  await expect.element(form().domain).toHaveValue('linked.example')
  await expect.poll(aside).toEqual([draft])
  await form().domain.fill('')
  await addWebsite.click()
  await expect.element(form().domain).toHaveValue('half-typed.example')

  await row(domain).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: m.website_duplicate() }).click()
  await expect.element(form().domain).toHaveValue('')
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.poll(aside).toEqual([draft])
})

test('keeps the typed text after a second, although the user types without a pause', async () => {
  const { bridge, form } = await openWebsite()
  const params = form().params.element() as HTMLTextAreaElement
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.form).toMatchObject({ typed: {} })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let keys = 1; keys <= 12; keys += 1) {
    params.value += 'x'
    params.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await tick()
    vi.advanceTimersByTime(100)
  }
  expect(bridge.requests('keepFormDrafts').map(({ form }) => form?.typed)).toContainEqual({
    exclude_params: 'x'.repeat(10),
  })
})

test('Ctrl+Q right after a key keeps the typed text before the app quits', async () => {
  const { bridge, form } = await openWebsite()
  const params = form().params.element() as HTMLTextAreaElement
  params.value = 'ref'
  params.dispatchEvent(new InputEvent('input', { bubbles: true }))
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'q', ctrlKey: true, bubbles: true }))
  expect(bridge.calls.slice(-2)).toMatchObject([
    { name: 'keepFormDrafts', request: { form: { typed: { exclude_params: 'ref' } } } },
    { name: 'quit' },
  ])
})

test('while the unsaved text is too long to be kept, reports to main the last draft that fitted and that the window must stay open', async () => {
  const { bridge, form } = await openWebsite()
  const held = () => expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held)
  await form().params.fill('own')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.form?.typed).toEqual({ exclude_params: 'own' })
  bridge.answer('keepFormDrafts', (given) =>
    (given.form?.typed.exclude_params ?? '').length > 3 ? fail('malformed-request') : ok(undefined),
  )
  await form().params.fill('long')
  await held().toBe(true)
  expect(bridge.requests('keepFormDrafts').at(-1)?.form?.typed).toEqual({ exclude_params: 'own' })
  await form().params.fill('ref')
  await held().toBe(false)
})

test('restores the unsaved text of a website that was deleted meanwhile as the text of a new website', async () => {
  const first = await openWebsite({ email: true, exclude_ips: ['192.0.2.1'] })
  await first.form().params.fill('ref')
  await expect
    .poll(() => first.bridge.requests('keepFormDrafts').at(-1)?.form?.typed)
    .toEqual({ exclude_params: 'ref' })
  await first.screen.unmount()

  const { screen, bridge, form } = await openApp({ formDrafts: first.bridge.world.formDrafts })
  await expect.element(screen.getByText(/^This website no longer exists\./)).toBeVisible()
  await expect.element(form().domain).toHaveValue(domain)
  await form().button('Save').click()
  await expect
    .poll(() => bridge.requests('createWebsite'))
    .toMatchObject([{ domain, email: true, exclude_ips: ['192.0.2.1'], exclude_params: ['ref'] }])
})
