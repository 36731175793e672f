import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fullErrorText } from '../../src/messages/errors.ts'
import { discardToast } from '../../src/renderer/features/shared/edit-text.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aConnection, aHistoryEntry, anAppState, anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'kestrel-press.example'
const refused = { code: 'invalid', message: '', fields: { domain: ['already taken'] } } as const
const uncreated = aWebsite({ id: null, state: 'parked', privacy: 2, password: true, pending: ['domain', 'password'] })

async function openRefused() {
  const edit = anEdit({
    kind: 'create',
    domain,
    state: 'parked',
    reason: 'domain-taken',
    error: { ...refused, fields: { domain: [...refused.fields.domain] } },
    can: { undo: false, discard: true, sendNow: false },
  })
  const app = await openApp({ websites: [uncreated], edits: [edit] })
  await app.row(domain).click()
  return app
}

test('corrects a website that isn’t created yet, including its domain, and keeps its password', async () => {
  const { bridge, form } = await openRefused()
  const f = form()
  await expect.element(f.domain).not.toHaveAttribute('readonly')
  await expect.element(f.domain).toHaveAccessibleDescription(/already taken/)
  await expect.element(f.password).toHaveAccessibleDescription(/Enter a new one to replace it/)
  await f.domain.fill('kestrel-books.example')
  await f.button('Save').click()
  const seen = { privacy: 2, email: false, exclude_bots: true, exclude_ips: [] }
  const draft = { ...seen, exclude_params: [] }
  await expect
    .poll(() => bridge.requests('correctWebsite'))
    .toEqual([{ key: 'w1', draft: { domain: 'kestrel-books.example', ...draft }, seen }])
  await expect.element(f.form.getByText('Saved. Sending…')).toBeVisible()
})

async function openRefusedChange(open: string) {
  const error = { code: 'invalid' as const, message: '', fields: { exclude_ips: ['The format is invalid.'] } }
  const app = await openApp({
    websites: [
      aWebsite({ state: 'parked', pending: ['exclude_ips'] }),
      aWebsite({ key: 'w2', domain: 'other.example' }),
    ],
    edits: [anEdit({ domain, state: 'parked', reason: 'refused', error })],
  })
  await app.row(open).click()
  return { ...app, edit: app.screen.getByRole('button', { name: 'Edit', exact: true }) }
}

test('“Edit” under Pending leads to the rejected field of a website whose history is open', async () => {
  const { screen, form, goTo, edit } = await openRefusedChange(domain)
  await screen.getByRole('tab', { name: 'History' }).click()
  await goTo('Pending')
  await edit.click()
  await expect.element(form().ips).toHaveFocus()
})

test('“Edit” under Pending leads to the rejected field after the unsaved text of another website is given up', async () => {
  const { screen, form, goTo, edit } = await openRefusedChange('other.example')
  await form().params.fill('ref')
  const question = screen.getByRole('alertdialog')
  for (const answer of ['Keep editing', 'Leave without saving']) {
    await goTo('Pending')
    await edit.click()
    await question.getByRole('button', { name: answer }).click()
  }
  await expect.element(form().domain).toHaveValue(domain)
  await expect.element(form().ips).toHaveFocus()
})

test.each([
  ['domain-taken', /Correct the domain/],
  ['website-limit', /If you delete a website in Siteward, this change is sent automatically\./],
] as const)(
  'the editor says what the user can do about an edit that is parked with the reason “%s”',
  async (reason, text) => {
    const edit = anEdit({ state: 'parked', reason, domain })
    const { row, form } = await openApp({ websites: [aWebsite({ state: 'parked' })], edits: [edit] })
    await row(domain).click()
    await expect.element(form().form).toMatchTextContent(text)
  },
)

test.each(['refused', 'failing'] as const)(
  'the editor says that a parked delete with the reason “%s” deletes the website, and advises no correction',
  async (reason) => {
    const edit = anEdit({ kind: 'delete', settings: {}, fields: [], state: 'parked', reason, domain })
    const { row, form } = await openApp({ websites: [aWebsite({ state: 'parked' })], edits: [edit] })
    await row(domain).click()
    await expect
      .element(form().form)
      .toMatchTextContent(
        /needs attention\.\s*Your change: delete the website and its statistics\..*Send this change again, or discard it\./,
      )
    await expect.element(form().form).not.toMatchTextContent(/Correct the values/)
  },
)

test('keeps the input of a correction that is refused', async () => {
  const { bridge, form } = await openRefused()
  bridge.answer('correctWebsite', () => fail('invalid-input', { fields: { domain: ['It’s here already.'] } }))
  await form().domain.fill('other.example')
  await form().button('Save').click()
  await expect.element(form().domain).toHaveAccessibleDescription(/It’s here already/)
  await expect.element(form().domain).toHaveValue('other.example')
  await expect.element(form().domain).toHaveFocus()
})

test('the form of a website that will be deleted is read-only with an Undo button, and closes when the website is gone', async () => {
  const edit = anEdit({ id: 'e9', kind: 'delete', domain, settings: {}, fields: [], reason: 'undo' })
  const { bridge, row, form } = await openApp({ websites: [aWebsite({ state: 'deleting' })], edits: [edit] })
  await row(domain).click()
  const f = form()
  await expect.element(f.params).toBeDisabled()
  await expect.element(f.email).toBeDisabled()
  await expect.element(f.button('Save')).not.toBeInTheDocument()
  await f.button('Undo').click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e9' }])
  await expect.element(f.button('Close').first()).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  bridge.world.websites = []
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.form).not.toBeInTheDocument()
})

test('undoes a delete that was applied after its Undo button was shown', async () => {
  const entry = aHistoryEntry({ id: 'e9', kind: 'delete', domain, settings: {}, before: { privacy: 1 } })
  const { bridge, screen, row, form } = await openApp({ websites: [aWebsite({ state: 'deleting' })], edits: [] })
  await row(domain).click()
  await expect.element(form().button('Undo')).toBeVisible()
  bridge.world.history = [entry]
  await form().button('Undo').click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Add again' }).click()
  await expect.poll(() => bridge.requests('revertEdit')).toEqual([{ id: 'e9', action: 'undo' }])
  await expect.element(screen.getByText(/will be added again/)).toBeVisible()
})

test('the Undo button of a delete that is no longer pending says so, and undoes no earlier save', async () => {
  const { bridge, screen, row, form } = await openApp({ websites: [aWebsite({ state: 'deleting' })], edits: [] })
  await row(domain).click()
  await expect.element(form().button('Undo')).toBeVisible()
  bridge.world.history = [aHistoryEntry({ id: 'e8', domain })]
  await form().button('Undo').click()
  await expect.element(screen.getByText(/^This change is no longer pending/)).toBeVisible()
  expect(bridge.requests('revertEdit')).toEqual([])
})

test('“Clear list” marks a list that the service does not show for clearing, and “Keep list” takes that back', async () => {
  const { bridge, row, form } = await openApp({ websites: [aWebsite()] })
  await row(domain).click()
  const f = form()
  await f.button('Clear list').click()
  await expect.element(f.form.getByText('Will be cleared', { exact: true })).toBeVisible()
  await f.button('Keep list').click()
  await expect.element(f.button('Save')).toBeDisabled()
  await f.button('Clear list').click()
  await f.button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes))
    .toEqual([{ exclude_params: [] }])
})

test('says while offline that a saved change will be sent later, not that it is being sent', async () => {
  const error = { code: 'unreachable', message: '' } as const
  const state = anAppState({ reach: { state: 'offline', since: Date.now(), error } })
  const { row, form } = await openApp({ websites: [aWebsite()], state })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  await expect
    .element(form().form.getByText('Saved. The change will be sent when the service can be reached.'))
    .toBeVisible()
})

const held = 'Saved. Open Pending to see when the change will be sent.'
const enterKey = 'Saved. The change will be sent when you enter an API key.'
const readKey = 'Saved. The change will be sent when the API key can be read.'
const blocked = [
  ['stored', 'ready', held],
  ['run', 'missing', held],
  ['missing', 'ready', enterKey],
  ['refused', 'ready', enterKey],
  ['locked', 'locked', readKey],
  ['locked', 'ready', enterKey],
  ['loading', 'unknown', readKey],
] as const

test.each(blocked)(
  'says after saving what a held change waits for while the key is “%s” and the keychain “%s”',
  async (key, keychain, text) => {
    const state = anAppState({ connection: aConnection({ key }), keychain })
    const { bridge, row, form } = await openApp({ websites: [aWebsite()], state })
    await row(domain).click()
    await form().email.click()
    await form().button('Save').click()
    await expect.element(form().form.getByText('Saved. Sending…')).toBeVisible()
    bridge.world.websites = [aWebsite({ state: 'held' })]
    bridge.emit('websitesChanged', { keys: ['w1'] })
    await expect.element(form().form.getByText(text)).toBeVisible()
  },
)

test('the editor offers the actions that fit the reason why an edit is parked, as the Pending screen does', async () => {
  const can = { undo: false, discard: true, sendNow: true }
  const edit = anEdit({ domain, state: 'parked', reason: 'unread', can })
  const { bridge, row, form } = await openApp({ websites: [aWebsite({ state: 'parked' })], edits: [edit] })
  await row(domain).click()
  const f = form()
  await expect.element(f.form.getByText('Choose “Check again” or “Discard”.')).toBeVisible()
  await expect.element(f.button('Discard…')).toBeVisible()
  await f.button('Check again').click()
  await expect.poll(() => bridge.requests('sendNow')).toEqual([{ id: edit.id }])
  await expect.element(f.button('Send again')).not.toBeInTheDocument()
  bridge.world.edits = [{ ...edit, reason: 'gone', ways: ['recreate'] }]
  bridge.emit('editsChanged', undefined)
  await expect.element(f.button('Discard…')).toBeVisible()
  await expect.element(f.button('Resolve')).toBeVisible()
  await expect.element(f.button('Send again')).not.toBeInTheDocument()
  await expect.element(f.button('Check again')).not.toBeInTheDocument()
})

test('in the editor, a toast shows whether an edit was discarded, and why it can’t be sent again', async () => {
  const can = { undo: false, discard: true, sendNow: true }
  const edit = anEdit({ domain, state: 'parked', reason: 'failing', can })
  const { screen, bridge, row, form, goTo } = await openApp({
    websites: [aWebsite({ state: 'parked' })],
    edits: [edit],
  })
  bridge.answer('sendNow', () => fail('disk-full'))
  await row(domain).click()
  await form().button('Send again').click()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toasts.getByText(/^The disk is full/)).toBeVisible()
  bridge.answer('discardEdit', () => fail('storage'))
  const discard = async () => {
    await form().button('Discard…').click()
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  }
  await discard()
  await expect.element(toasts.getByText(/^The disk is full/)).not.toBeInTheDocument()
  await expect.element(toasts.getByText(fullErrorText(fail('storage').error))).toBeVisible()
  await goTo('Pending')
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()

  await goTo('Websites')
  bridge.answer('discardEdit', () => ok(undefined))
  await discard()
  await expect.element(toasts.getByText(discardToast(edit))).toBeVisible()
})

test('keeps the domain that was typed while the website was created, and offers to add it', async () => {
  const { bridge, form } = await openRefused()
  const f = form()
  await f.domain.fill('other.example')
  await f.email.click()
  bridge.world.websites = [aWebsite({ state: 'synced', privacy: 2, password: true })]
  bridge.world.edits = []
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.domain).toHaveValue(domain)
  const error = new RegExp(`This website was just added as ${domain}\\. Its domain can’t be changed anymore`)
  await expect.element(f.domain).toHaveAccessibleDescription(error)
  await expect.element(f.form.getByText('The website changed while you were editing.')).not.toBeInTheDocument()
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite').map(({ changes }) => changes)).toEqual([{ email: true }])
  await expect.element(f.domain).toHaveAccessibleDescription(error)
  await f.button('Add other.example as another website').click()
  await expect.element(form().domain).toHaveValue('other.example')
  await expect.element(form().email).toBeChecked()
  await expect.element(form().domain).toHaveFocus()
  await form().password.fill('secret')
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('createWebsite')).toMatchObject([{ domain: 'other.example', email: true }])
})

test('removes the error “The answer hasn’t arrived yet.” once the service has refused the website', async () => {
  const sending = aWebsite({ id: null, state: 'sending', pending: ['domain'] })
  const { bridge, row, form } = await openApp({
    websites: [sending],
    edits: [anEdit({ kind: 'create', domain, state: 'sending' })],
  })
  await row(domain).click()
  await form().domain.fill('other.example')
  const error = { fields: { domain: ['The answer hasn’t arrived yet.'] } }
  bridge.answer('correctWebsite', () => fail('invalid-input', error))
  await form().button('Save').click()
  await expect.element(form().domain).toHaveAccessibleDescription(/hasn’t arrived yet/)
  bridge.world.websites = [{ ...sending, state: 'parked' }]
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(form().domain).not.toHaveAccessibleDescription(/hasn’t arrived yet/)
  await expect.element(form().domain).toHaveValue('other.example')
})

test('says nothing at the domain field when the website is created, if no other domain was typed', async () => {
  const { bridge, form } = await openRefused()
  const f = form()
  await f.email.click()
  bridge.world.websites = [aWebsite({ state: 'synced' })]
  bridge.world.edits = []
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(f.domain).toHaveAttribute('readonly')
  await expect.element(f.domain).not.toHaveAccessibleDescription(/just added/)
})
