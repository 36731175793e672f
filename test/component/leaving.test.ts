import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp, openWebsite } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, anEdit, aParked } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const offline = { state: 'offline', since: Date.now(), error: { code: 'unreachable', message: '' } } as const

async function openDisconnect(state: Partial<ReturnType<typeof anAppState>> = {}) {
  const edits = [
    aParked({ domain: 'parked.example' }),
    anEdit({ id: 'e1', domain: 'waiting.example' }),
    anEdit({ id: 'e2', domain: 'leaving.example', state: 'sending', reason: null }),
  ]
  const app = await openApp({ edits, state: anAppState({ waiting: 2, parked: 1, ...state }) })
  await app.goTo('Account')
  await app.screen.getByRole('button', { name: 'Disconnect…' }).click()
  return { ...app, dialog: app.screen.getByRole('alertdialog') }
}

test('the Disconnect dialog counts the unsent changes, and keeps them by default', async () => {
  const { bridge, dialog } = await openDisconnect()
  await expect.element(dialog).toMatchTextContent(/3 changes haven’t been sent\. They stay on this computer until/)
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Disconnect and keep 3 changes' }).click()
  await expect.poll(() => bridge.requests('disconnect').length).toBe(1)
  expect(bridge.requests('discardEdit')).toEqual([])
})

test('only asks whether to disconnect if nothing is unsent, and shows no warning color because nothing is lost', async () => {
  const { dialog } = await openDisconnect({ waiting: 0, parked: 0 })
  const disconnect = dialog.getByRole('button', { name: 'Disconnect', exact: true })
  await expect.element(disconnect).toBeVisible()
  expect(disconnect.element().classList).toContain('primary')
  await expect.element(dialog.getByRole('button', { name: 'Export…' })).not.toBeInTheDocument()
})

test('offers to send the changes if the service can be reached, and to export them', async () => {
  const { bridge, dialog } = await openDisconnect({ reach: offline })
  await expect.element(dialog.getByRole('button', { name: 'Send now' })).toBeDisabled()
  bridge.setState({ reach: { state: 'online' } })
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await dialog.getByRole('button', { name: 'Export…' }).click()
  await expect.poll(() => bridge.requests('sendNow')).toEqual([{}])
  await expect.poll(() => bridge.requests('exportEdits').length).toBe(1)
  bridge.setState({ waiting: 0, parked: 0 })
  await expect.element(dialog.getByRole('button', { name: 'Disconnect', exact: true })).toBeVisible()
})

test('a failed export is not shown again when the Disconnect dialog is opened the next time', async () => {
  const { screen, bridge, dialog } = await openDisconnect()
  bridge.answer('exportEdits', () => fail('not-written'))
  await dialog.getByRole('button', { name: 'Export…' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Export…' })).toBeVisible()
  expect(dialog.getByRole('alert').elements()).toEqual([])
})

test('offers to resume sending while it is paused, because “Send now” would send nothing', async () => {
  const { bridge, dialog } = await openDisconnect({ paused: true })
  await expect.element(dialog.getByRole('button', { name: 'Send now' })).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Resume sending' }).click()
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ paused: false }])
})

test('the Disconnect dialog discards or undoes the chosen changes; a change that is being sent can’t be chosen', async () => {
  const { bridge, dialog } = await openDisconnect()
  bridge.answer('discardEdit', ({ id }) => (id === 'p1' ? ok(undefined) : fail('edit-gone')))
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  await expect.element(box('leaving.example')).toBeDisabled()
  await expect
    .element(box('leaving.example'))
    .toHaveAccessibleDescription(/This change is being sent or was already sent, so it can’t be discarded/)
  await expect.element(box('waiting.example')).toHaveAccessibleDescription(/Waiting for the service.*privacy/)
  await box('parked.example').click()
  await dialog.getByRole('button', { name: 'Discard 1 change' }).click()
  await expect.poll(() => bridge.requests('discardEdit')).toEqual([{ id: 'p1' }])
  expect(bridge.requests('undoEdit')).toEqual([])
  await box('waiting.example').click()
  await dialog.getByRole('button', { name: 'Discard 1 change' }).click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1', whole: true }])
  expect(bridge.requests('disconnect')).toEqual([])
})

test('the Disconnect dialog no longer counts a chosen change once that is being sent', async () => {
  const { bridge, dialog } = await openDisconnect()
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  await dialog.getByRole('checkbox', { name: 'All changes' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Discard 2 changes' })).toBeVisible()
  bridge.world.edits = bridge.world.edits.map((edit) => (edit.id === 'e1' ? { ...edit, state: 'sending' } : edit))
  bridge.emit('editsChanged', undefined)
  await expect.element(dialog.getByRole('button', { name: 'Discard 1 change' })).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: 'waiting.example' })).not.toBeChecked()
})

test('the Disconnect dialog does not discard a chosen change whose sending began while the others are discarded', async () => {
  const { bridge, dialog } = await openDisconnect()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('discardEdit', async () => {
    await held.promise
    return ok(undefined)
  })
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  await dialog.getByRole('checkbox', { name: 'All changes' }).click()
  await dialog.getByRole('button', { name: 'Discard 2 changes' }).click()
  await expect.poll(() => bridge.requests('discardEdit').length).toBe(1)
  const [first] = bridge.requests('discardEdit')
  bridge.world.edits = bridge.world.edits.map((edit) => (edit.id === first?.id ? edit : { ...edit, state: 'sending' }))
  bridge.emit('editsChanged', undefined)
  const chosen = dialog.getByRole('checkbox', { name: first?.id === 'e1' ? 'parked.example' : 'waiting.example' })
  await expect.element(chosen).not.toBeChecked()
  held.resolve(undefined)
  await expect.element(dialog.getByRole('button', { name: 'Discard', exact: true })).toBeVisible()
  expect(bridge.requests('discardEdit')).toHaveLength(1)
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('the Disconnect dialog does not offer to discard a new website that may have been created already', async () => {
  const maybe = { id: 'e1', domain: 'new.example', kind: 'create', possiblySent: true } as const
  const { screen, goTo } = await openApp({ edits: [anEdit(maybe)], state: anAppState({ waiting: 1 }) })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await screen.getByRole('button', { name: 'Discard…' }).click()
  const box = screen.getByRole('checkbox', { name: 'new.example' })
  await expect.element(box).toBeDisabled()
  await expect.element(box).toHaveAccessibleDescription(/so it can’t be discarded/)
})

test('the Disconnect dialog chooses all changes of a page at once, to discard them', async () => {
  const { dialog } = await openDisconnect()
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  await dialog.getByRole('checkbox', { name: 'All changes' }).click()
  await expectAccessible()
  await expect.element(dialog.getByRole('button', { name: 'Discard 2 changes' })).toBeVisible()
})

test.each([
  ['a saved change that is discarded before disconnecting is no longer called saved in the editor', 'undone'],
  ['a website that was created before it could be discarded is still called saved in the editor', 'asks'],
] as const)('%s', async (_, outcome) => {
  const { screen, bridge, form, goTo } = await openWebsite()
  const f = form()
  await f.email.click()
  await f.button('Save').click()
  await expect.element(f.button('Undo')).toBeVisible()
  bridge.world.edits = [anEdit({ website: 'w1' })]
  bridge.answer('discardEdit', () => fail('edit-gone'))
  bridge.answer('undoEdit', () => {
    bridge.world.edits = []
    return ok(outcome)
  })
  bridge.setState({ waiting: 1 })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await screen.getByRole('button', { name: 'Discard…' }).click()
  await screen.getByRole('checkbox').click()
  await screen.getByRole('button', { name: 'Discard 1 change' }).click()
  await expect.poll(() => bridge.requests('undoEdit')).toHaveLength(1)
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await goTo('Websites')
  await expect.element(f.form).toBeVisible()
  if (outcome === 'asks') return expect.element(f.form.getByText(/^Saved\./)).toBeVisible()
  await expect.element(f.form.getByText(/^Saved\./)).not.toBeInTheDocument()
  await expect.element(f.button('Undo')).not.toBeInTheDocument()
})

/** Enters a new key of a service that does not show the account, so the app asks whether the account is the same. */
async function replaceKey() {
  const app = await openApp({ state: anAppState({ waiting: 3, connection: aConnection({ key: 'refused' }) }) })
  await app.goTo('Account')
  await app.screen.getByRole('button', { name: 'Replace API key…' }).click()
  await app.screen.getByLabelText('API key', { exact: true }).fill('new-key')
  app.bridge.answer('replaceKey', ({ same }) => (same ? ok(aConnection()) : fail('account-unclear')))
  await app.screen.getByRole('button', { name: 'Use this key' }).click()
  return { ...app, dialog: app.screen.getByRole('alertdialog') }
}

test('asks the user whether a new key is of the same account if the service does not show the account', async () => {
  const { screen, bridge, dialog } = await replaceKey()
  await expect
    .element(dialog)
    .toMatchTextContent(/Is this the same account\?.*3 pending changes will be sent to the account/)
  await dialog.getByRole('button', { name: 'Yes, the same account' }).click()
  await expect.element(screen.getByText('API key accepted.')).toBeVisible()
  expect(bridge.requests('replaceKey')).toEqual([
    { apiKey: 'new-key', keep: 'keychain' },
    { apiKey: 'new-key', keep: 'keychain', same: true },
  ])
})

test('Escape closes the form for another API key, also with the focus on one of its buttons', async () => {
  const { screen, goTo, keys } = await openApp()
  await goTo('Account')
  const open = screen.getByRole('button', { name: 'Replace API key…' })
  for (const name of ['Show key', 'Use this key']) {
    await open.click()
    ;(screen.getByRole('button', { name, exact: true }).element() as HTMLElement).focus()
    await keys('{Escape}')
    await expect.element(open).toHaveFocus()
  }
})

test('does not accept a key that may be of another account without the user’s answer', async () => {
  const { screen, bridge, dialog } = await replaceKey()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveValue('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.poll(() => bridge.requests('replaceKey').every(({ same }) => same === undefined)).toBe(true)
})

test.each([
  ['Yes, the same account', true],
  ['No, a different account', false],
])(
  'asks on the connect form, too, whether a key is of the same account, and sends the answer: %s',
  async (answer, same) => {
    const { screen, bridge } = await openApp({ state: anAppState({ connection: null }) })
    bridge.answer('connect', (request) => (request.same === undefined ? fail('account-unclear') : ok(aConnection())))
    await screen.getByLabelText('Service address').fill('https://stats.northwind.example')
    await screen.getByLabelText('API key', { exact: true }).fill('key')
    await screen.getByRole('button', { name: 'Connect', exact: true }).click()
    await screen.getByRole('alertdialog').getByRole('button', { name: answer }).click()
    await expect.poll(() => bridge.requests('connect').at(-1)).toMatchObject({ apiKey: 'key', same })
  },
)

test('the Disconnect dialog discards all saves of a change at once', async () => {
  const { bridge, goTo, screen } = await openApp({
    edits: [anEdit({ id: 'e1', website: 'w1' }), anEdit({ id: 'e2', website: 'w2', kind: 'delete' })],
    state: anAppState({ waiting: 2 }),
  })
  bridge.answer('discardEdit', () => fail('edit-gone'))
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await screen.getByRole('button', { name: 'Discard…' }).click()
  await screen.getByRole('checkbox', { name: 'All changes' }).click()
  await screen.getByRole('button', { name: 'Discard 2 changes' }).click()
  await expect
    .poll(() => bridge.requests('undoEdit'))
    .toEqual([
      { id: 'e1', whole: true },
      { id: 'e2', whole: true },
    ])
})
