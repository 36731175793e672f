import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAccountView, anAppState, anEdit, aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const error = { code: 'unreachable', message: '' } as const
const offline = { state: 'offline', since: Date.now(), error } as const

test('connect: plain, with errors, without a keychain', async () => {
  const { screen, far } = await openApp({ state: anAppState({ connection: null }) })
  const connect = screen.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await expectAccessible()
  far.answer('connect', () => fail('keychain-missing'))
  await screen.getByRole('textbox', { name: 'Service address' }).fill('http://stats.example')
  await screen.getByLabelText('API key', { exact: true }).fill('key')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expectAccessible()
})

test('the list with rows in every state, and its offline status', async () => {
  const states = ['synced', 'new', 'changed', 'deleting', 'sending', 'checking', 'held', 'parked'] as const
  const { screen } = await openApp({
    websites: states.map((state) => aWebsite({ key: state, domain: `${state}.example`, state, pending: ['email'] })),
    state: anAppState({ reach: offline, waiting: 2, parked: 1, connection: aConnection({ insecure: true }) }),
  })
  await expect.element(screen.getByText('8 websites')).toBeVisible()
  await expectAccessible()
})

test('the empty list, and the list that failed', async () => {
  const { screen, far } = await openApp({})
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expectAccessible()
  far.answer('listWebsites', () => fail('storage'))
  far.emit('websitesChanged', { keys: null })
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expectAccessible()
})

test('the editor: opened, with errors, with its delete dialog', async () => {
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
  await f.button('Delete').click()
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  await expectAccessible()
})

test('pending, account and settings', async () => {
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
  await expect.element(screen.getByText('Checking')).toBeVisible()
  await expectAccessible()
  await goTo('Account')
  await expect.element(screen.getByRole('meter')).toBeVisible()
  await screen.getByRole('button', { name: 'Replace key' }).click()
  await expectAccessible()
  await goTo('Settings')
  await expect.element(screen.getByText('Data folder')).toBeVisible()
  await expectAccessible()
})

test('a window 480 wide', async () => {
  await page.viewport(480, 700)
  const { screen, row } = await openApp({ websites: websites(30), state: anAppState({ reach: offline, waiting: 2 }) })
  await expect.element(screen.getByText('1–25 of 30')).toBeVisible()
  await expectAccessible()
  await row('harbour-bakery.example').click()
  await expect.element(screen.getByRole('form', { name: 'Website' })).toBeVisible()
  await expectAccessible()
})
