import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import {
  aConflict,
  aConnection,
  aHistoryEntry,
  anAccountView,
  anAppState,
  anEdit,
  aParked,
  aWebsite,
  websites,
} from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const error = { code: 'unreachable', message: '' } as const
const offline = { state: 'offline', since: Date.now(), error } as const

test('the connect form is accessible when empty, with errors, and without a keychain', async () => {
  const { screen, bridge } = await openApp({ state: anAppState({ connection: null }) })
  const connect = screen.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await expectAccessible()
  bridge.answer('connect', () => fail('keychain-missing'))
  await screen.getByRole('textbox', { name: 'Service address' }).fill('http://stats.example')
  await screen.getByLabelText('API key', { exact: true }).fill('key')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expectAccessible()
})

test('the list with rows in every state and the offline status are accessible', async () => {
  const states = ['synced', 'new', 'changed', 'deleting', 'sending', 'checking', 'held', 'parked'] as const
  const { screen } = await openApp({
    websites: states.map((state) => aWebsite({ key: state, domain: `${state}.example`, state, pending: ['email'] })),
    state: anAppState({ reach: offline, waiting: 2, parked: 1, connection: aConnection({ insecure: true }) }),
  })
  await expect.element(screen.getByText('8 websites')).toBeVisible()
  await expectAccessible()
})

test('the empty list and a list that could not be read are accessible', async () => {
  const { screen, bridge } = await openApp({})
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expectAccessible()
  bridge.answer('listWebsites', () => fail('storage'))
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expectAccessible()
})

test('the editor is accessible when open, with errors, and with its delete dialog', async () => {
  const { screen, form, row } = await openApp({ websites: websites(3) })
  await screen.getByRole('button', { name: 'Add website' }).click()
  const f = form()
  await f.privacy('Password').click()
  await f.ips.fill('nonsense')
  await f.button('Save').click()
  await expect.element(f.domain).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible()
  await f.button('Cancel').click()
  await row('lumen-dental.example').click()
  await f.params.fill('ref')
  await expectAccessible()
  await f.choose('Delete…')
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  await expectAccessible()
})

test.each([1180, 480])(
  'the editor with warnings about its lists, a generated password and a remote change is accessible in a window %i wide',
  async (width) => {
    await page.viewport(width, 740)
    const was = aWebsite({ exclude_ips: ['203.0.113.7'], privacy: 2, password: true })
    const { screen, bridge, form, row } = await openApp({ websites: [was] })
    await row(was.domain).click()
    const f = form()
    await f.button('Generate').click()
    await f.email.click()
    await f.ips.fill('my office\n198.51.100.*\n::1\n::1\n10.0.0.1\n10.0.0.0/8')
    await f.params.fill('ref\n&')
    await f.form.getByText('5 settings will be sent').click()
    bridge.world.websites = [{ ...was, exclude_ips: [], email: true }]
    bridge.emit('websitesChanged', { keys: [was.key] })
    await expect.element(screen.getByText(/The list is now empty/)).toBeVisible()
    await expectAccessible()
    await f.button('Close').click()
    await expect.element(screen.getByRole('alertdialog')).toBeVisible()
    await expectAccessible()
  },
)

test('the connect form with an address that ends in /api/v1 and a typed key is accessible', async () => {
  const { screen } = await openApp({ state: anAppState({ connection: null }) })
  await screen.getByRole('textbox', { name: 'Service address' }).fill('stats.example/api/v1')
  const key = screen.getByLabelText('API key', { exact: true })
  await key.fill('key')
  ;(key.element() as HTMLElement).blur()
  await expectAccessible()
})

test('the screens Pending, Account and Settings are accessible', async () => {
  const refused = { code: 'invalid', message: 'No.' } as const
  const { screen, goTo } = await openApp({
    edits: [
      anEdit({}),
      anEdit({ id: 'e2', state: 'parked', reason: 'refused', error: refused }),
      anEdit({ id: 'e3', state: 'inDoubt', reason: null }),
    ],
    account: anAccountView({ extra: { two_factor: true } }),
    state: anAppState({ reach: offline, waiting: 2, parked: 1 }),
  })
  await goTo('Pending')
  await expect.element(screen.getByText('Unconfirmed')).toBeVisible()
  await expectAccessible()
  await goTo('Account')
  await expect.element(screen.getByRole('meter')).toBeVisible()
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await expectAccessible()
  await goTo('Settings')
  await expect.element(screen.getByText('Data folder')).toBeVisible()
  await screen.getByText('Advanced', { exact: true }).click()
  await expect.element(screen.getByRole('button', { name: 'Check setup' })).toBeVisible()
  await expectAccessible()
})

test('the list and the editor are accessible in a window 480 wide', async () => {
  await page.viewport(480, 700)
  const { screen, row } = await openApp({ websites: websites(30), state: anAppState({ reach: offline, waiting: 2 }) })
  await expect.element(screen.getByText('30 websites')).toBeVisible()
  await expectAccessible()
  await row('harbour-bakery.example').click()
  await expect.element(screen.getByRole('form', { name: 'Website' })).toBeVisible()
  await expectAccessible()
})

const parked = () => [
  aParked(),
  aParked({ id: 'p2', domain: 'adopt.example', reason: 'adopt', ways: ['adopt'], conflict: aConflict({ units: [] }) }),
  aParked({
    id: 'p3',
    domain: 'gone.example',
    reason: 'gone',
    ways: ['recreate'],
    conflict: null,
    needsPassword: true,
  }),
  aParked({
    id: 'p4',
    kind: 'delete',
    settings: {},
    domain: 'delete.example',
    ways: ['delete', 'keep'],
    conflict: aConflict({ units: [] }),
  }),
  aParked({
    ...{ id: 'p5', domain: 'appeared.example', kind: 'create', reason: 'appeared', ways: ['adopt', 'delete'] },
    conflict: aConflict({ base: {}, units: [] }),
  }),
  aParked({
    id: 'p6',
    domain: 'vanished.example',
    kind: 'delete',
    reason: 'vanished',
    ways: ['recreate'],
    conflict: null,
  }),
  aParked({
    ...{ id: 'p7', domain: 'failing.example', reason: 'failing', ways: [], conflict: null },
    error: { code: 'unavailable', message: 'Server Error', status: 500 },
  }),
  aParked({ id: 'p8', domain: 'unread.example', reason: 'unread', ways: [], conflict: null }),
]

test.each([1180, 480])('changes that need attention are accessible in a window %i wide', async (width) => {
  await page.viewport(width, 740)
  const state = anAppState({ waiting: 1, parked: 4, delivery: { done: 2, total: 7, seconds: 9 } })
  const { screen, goTo } = await openApp({ edits: [...parked(), anEdit({})], state })
  await goTo('Pending')
  await screen.getByRole('radio', { name: 'Keep mine' }).first().click()
  await screen.getByRole('button', { name: 'Resolve' }).click()
  await screen.getByText('Details').first().click()
  await expectAccessible()
  await screen.getByRole('button', { name: 'Delete anyway…' }).click()
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  await expectAccessible()
})

test('the activity and the question before an undo are accessible', async () => {
  const entry = aHistoryEntry({ kind: 'delete', before: { privacy: 2 }, lost: ['password'] })
  const { screen, goTo } = await openApp({
    history: [aHistoryEntry({ id: 'h0', overwritten: { email: true } }), entry],
  })
  await goTo('Activity')
  await screen.getByRole('button', { name: 'Add again…' }).click()
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  await expectAccessible()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
  await expectAccessible()
})

test('the Pending screen with a restored backup, the result of an import and read-only data is accessible', async () => {
  const salvaged = {
    at: Date.now(),
    why: 'damaged' as const,
    of: 'connection' as const,
    backupAt: Date.now(),
    quarantined: '/data/northwind.damaged',
    websites: 4,
    edits: 1,
  }
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ salvaged, parked: 1 }), edits: [aParked()] })
  await goTo('Pending')
  const refused = [{ domain: 'taken.example', error: { code: 'website-gone' as const, message: '' } }]
  bridge.answer('finishImport', () => ok({ added: 1, skipped: 0, parked: 0, refused }))
  await screen.getByRole('button', { name: 'Import…' }).click()
  await screen.getByRole('button', { name: 'Import changes' }).click()
  await expect.element(screen.getByText('Import finished')).toBeVisible()
  await expectAccessible()
  bridge.setState({ readOnly: true })
  await expectAccessible()
})

test('the dialogs about unsent changes, and about a new key whose account is unknown, are accessible', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ waiting: 1, parked: 1 }), edits: parked() })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await screen.getByRole('button', { name: 'Discard…' }).click()
  await screen.getByRole('checkbox', { name: 'gone.example' }).click()
  await expectAccessible()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  bridge.answer('replaceKey', () => fail('account-unclear'))
  await screen.getByLabelText('API key', { exact: true }).fill('key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  await expectAccessible()
})
