import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aConnection, anAccountView, anAppState, anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const offline = {
  state: 'offline',
  since: new Date().setHours(14, 2, 0, 0),
  error: { code: 'unreachable', message: '' },
} as const

test('shows in the status since when the app is offline, how many changes are pending, and that the key was rejected', async () => {
  const { screen, bridge } = await openApp({ state: anAppState({ waiting: 3 }) })
  const status = screen.getByRole('status')
  await expect.element(status).toMatchTextContent(/^3 changes pending/)
  bridge.setState({ reach: offline })
  await expect.element(status).toMatchTextContent(/Offline since .*02/)
  await expect.element(status).toMatchTextContent('3 changes pending until the service can be reached')
  bridge.setState({ connection: aConnection({ key: 'refused' }) })
  await expect.element(status).toMatchTextContent(/The API key was rejected/)
})

test('leads from the status to the rejected key, and to the changes that need attention', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ connection: aConnection({ key: 'refused' }) }) })
  await screen.getByRole('status').getByRole('button', { name: 'Enter API key…' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveFocus()
  await goTo('Websites')
  await goTo('Account')
  await expect.element(screen.getByRole('button', { name: 'Replace API key…' })).toBeVisible()
  bridge.setState({ connection: aConnection(), parked: 2 })
  await screen.getByRole('status').getByRole('button', { name: 'Show pending changes' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
})

test('says in the status that the list could not be refreshed, although the service is reachable', async () => {
  const refresh = { ...anAppState({}).refresh, error: { code: 'timeout', message: '' } } as const
  const { screen, bridge } = await openApp({ state: anAppState({ waiting: 2, refresh }) })
  const status = screen.getByRole('status')
  await expect.element(status).toMatchTextContent(/^Couldn’t refresh the list .*2 changes pending/)
  // A screen reader announces the error, but not the number of pending changes, which changes too often while they are sent.
  const live = (text: RegExp) => status.getByText(text).element().closest('[aria-live]')?.getAttribute('aria-live')
  expect([live(/^Couldn’t refresh/), live(/2 changes pending/)]).toEqual(['polite', 'off'])
  bridge.setState({ refresh: { ...refresh, error: null } })
  await expect.element(status).toMatchTextContent(/^2 changes pending/)
})

test('opens the screen that main asks for, and reports the window’s offline state to main', async () => {
  const { screen, bridge } = await openApp({})
  await expect.element(screen.getByRole('status')).toBeVisible()
  bridge.leadTo({ to: 'screen', screen: 'pending' })
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  window.dispatchEvent(new Event('offline'))
  await expect.poll(() => bridge.requests('hintOnline').length).toBe(1)
})

test('reports the network to main when the window gets the focus while offline, because the user may have signed in', async () => {
  const { screen, bridge } = await openApp({})
  await expect.element(screen.getByRole('status')).toBeVisible()
  window.dispatchEvent(new Event('focus'))
  const reach = { state: 'offline', since: 0, error: { code: 'redirected', message: '' } } as const
  bridge.setState({ reach })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/^Offline since/)
  expect(bridge.requests('hintOnline')).toEqual([])
  window.dispatchEvent(new Event('focus'))
  await expect.poll(() => bridge.requests('hintOnline')).toEqual([{ online: true }])
})

test('the keys of the screens work without an app menu', async () => {
  const { screen, keys } = await openApp({ websites: websites(3) })
  for (const [key, name] of [
    ['2', 'Pending changes'],
    ['5', 'Settings'],
    ['1', 'Websites'],
  ] as const) {
    await keys(`{Control>}${key}{/Control}`)
    await expect.element(screen.getByRole('heading', { name, level: 1 })).toBeInTheDocument()
  }
})

test('shows each pending edit with its effect, its request and why it is not sent yet', async () => {
  const { screen, goTo } = await openApp({
    edits: [
      anEdit({}),
      anEdit({
        id: 'e2',
        domain: 'taken.example',
        kind: 'create',
        state: 'parked',
        reason: 'domain-taken',
        error: { code: 'invalid', message: '', fields: { domain: ['already taken'] } },
        can: { undo: false, discard: true, sendNow: false },
      }),
    ],
  })
  await goTo('Pending')
  await expect.element(screen.getByText('2 changes: 1 will be sent, 1 needs attention')).toBeVisible()
  const first = screen.getByRole('list', { name: 'Will be sent' }).getByRole('listitem')
  const second = screen.getByRole('list', { name: 'Needs attention' }).getByRole('listitem')
  await expect.element(first).toMatchTextContent(/fjordline-tickets\.example Waiting for the service/)
  await expect
    .element(first)
    .toMatchTextContent(/privacy \(Password\), a new statistics password, excluded IP addresses \(2\)/)
  await expect.element(first).not.toMatchTextContent('PUT')
  await first.getByText('Details').click()
  await expect.element(first).toMatchTextContent('PUT /api/v1/websites/2177')
  await expect.element(first).toMatchTextContent(/password=••••.*exclude_ips=203\.0\.113\.7⏎198\.51\.100\.0\/24/)
  await expect.element(second).toMatchTextContent(/Needs attention/)
  await expect.element(second).toMatchTextContent(/The service says: “Domain: already taken”/)
  await expect.element(second.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('sends, undoes and discards pending edits by their buttons', async () => {
  const can = { undo: true, discard: true, sendNow: true }
  const { screen, bridge, goTo } = await openApp({
    edits: [anEdit({ can }), anEdit({ id: 'e2', domain: 'b.example', can })],
  })
  await goTo('Pending')
  const item = screen.getByRole('listitem').filter({ hasText: 'b.example' })
  await screen.getByRole('button', { name: 'Send now' }).click()
  await expect.poll(() => bridge.requests('sendNow')).toEqual([{}])
  await item.getByRole('button', { name: 'Discard…' }).click()
  const dialog = screen.getByRole('alertdialog', { name: 'Discard the change to b.example?' })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(bridge.requests('discardEdit')).toEqual([])
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect.element(item).not.toBeInTheDocument()
  bridge.answer('undoEdit', () => fail('edit-gone'))
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/no longer pending/)
})

test('says that nothing is pending', async () => {
  const { screen, goTo } = await openApp({})
  await goTo('Pending')
  await expect.element(screen.getByText('All your changes have been sent.')).toBeVisible()
})

test('does not say that everything is on the service while a request may still take effect', async () => {
  const { screen, goTo } = await openApp({ state: anAppState({ unconfirmed: true }) })
  await goTo('Pending')
  await expect.element(screen.getByText(/not all are confirmed/)).toBeVisible()
  await expect.element(screen.getByText('All your changes have been sent.')).not.toBeInTheDocument()
})

test('says that a sent change is unconfirmed also while another change needs attention, in the status and under Pending', async () => {
  const text = 'Not all sent changes are confirmed. Siteward will check again automatically.'
  const edits = [anEdit({ state: 'parked', reason: 'refused' })]
  const { screen, bridge, goTo } = await openApp({ edits, state: anAppState({ parked: 1, unconfirmed: true }) })
  await expect.element(screen.getByText(text)).toBeVisible()
  await goTo('Pending')
  await expect.element(screen.getByRole('main').getByText(text)).toBeVisible()
  bridge.setState({ unconfirmed: false })
  await expect.element(screen.getByText(text)).not.toBeInTheDocument()
})

test('shows the details of the account, also those that the app does not know, and the usage of the plan', async () => {
  const { screen, bridge, goTo } = await openApp({
    state: anAppState({ websites: 428 }),
    account: anAccountView({ extra: { two_factor: true } }),
  })
  await goTo('Account')
  await expect.element(screen.getByText('ada@northwind.example')).toBeVisible()
  await expect.element(screen.getByText('two_factor')).toBeVisible()
  await expect.element(screen.getByRole('meter', { name: '428 of 500 websites' })).toBeVisible()
  bridge.world.account = anAccountView({ plan: { features: { websites: -1 }, extra: {} } })
  bridge.emit('accountChanged', undefined)
  await expect.element(screen.getByText('428 websites, no limit')).toBeVisible()
})

test('counts the plan’s usage by the service’s total while the list is incomplete, and by the list once it is complete', async () => {
  const { refresh } = anAppState()
  const { screen, bridge, goTo } = await openApp({
    state: anAppState({ websites: 100, refresh: { ...refresh, read: 100, total: 428 } }),
    account: anAccountView(),
  })
  await goTo('Account')
  await expect.element(screen.getByRole('meter', { name: '428 of 500 websites' })).toBeVisible()
  bridge.setState({ websites: 427, refresh: { ...refresh, read: 428, total: 428 } })
  await expect.element(screen.getByRole('meter', { name: '427 of 500 websites' })).toBeVisible()
})

test('does not replace a key by one of a different account, and says so', async () => {
  const { screen, bridge, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  await expect.element(screen.getByText('Stored in this computer’s keychain.')).toBeVisible()
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  bridge.answer('replaceKey', () => fail('other-account'))
  await screen.getByLabelText('API key', { exact: true }).fill('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/a different account/)
  expect(bridge.requests('replaceKey')).toEqual([{ apiKey: 'new-key', keep: 'keychain' }])
})

test('the check of a new key can’t be canceled, and its answer does not close a form that was opened later', async () => {
  const { screen, bridge, goTo } = await openApp({ account: anAccountView() })
  const answered = Promise.withResolvers<undefined>()
  bridge.answer('replaceKey', () => answered.promise.then(() => ok(aConnection())))
  const apiKey = screen.getByLabelText('API key', { exact: true })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await apiKey.fill('wrong-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveAttribute('aria-disabled', 'true')

  await goTo('Settings')
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await apiKey.fill('right-key')
  answered.resolve(undefined)
  await expect.element(screen.getByText('The API key for Northwind Agency was accepted.')).toBeVisible()
  await expect.element(apiKey).toHaveValue('right-key')
})

test('asks a locked keychain again on request', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ connection: aConnection({ key: 'locked' }) }) })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Try the keychain again' }).click()
  await expect.poll(() => bridge.requests('retryKeychain').length).toBe(1)
})

test('the answer of a keychain that was asked for one account does not appear at another one', async () => {
  const others = [{ name: 'Studio Nord', address: 'https://nord.example' }]
  const state = anAppState({ connection: aConnection({ key: 'locked' }), others })
  const { screen, bridge, goTo } = await openApp({ state })
  const asked = Promise.withResolvers<undefined>()
  bridge.answer('retryKeychain', () => asked.promise.then(() => fail('keychain-timeout')))
  await goTo('Account')
  await screen.getByRole('button', { name: 'Try the keychain again' }).click()
  await expect.poll(() => bridge.requests('retryKeychain').length).toBe(1)
  bridge.setState({ connection: aConnection({ id: 'other-0', name: 'Studio Nord' }) })
  await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  await goTo('Account')
  asked.resolve(undefined)
  await asked.promise
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  await expect.element(screen.getByText(/keychain isn’t responding/)).not.toBeInTheDocument()
})

test('Settings names the file of trusted certificates that the environment adds', async () => {
  const { screen, goToAdvancedSettings } = await openApp({})
  await goToAdvancedSettings()
  await expect.element(screen.getByText('Siteward also trusts the certificates in /etc/ssl/company.pem.')).toBeVisible()
})

test('chooses the theme by keyboard, and shows it', async () => {
  const { screen, bridge, goTo, keys } = await openApp({})
  await goTo('Settings')
  const theme = screen.getByRole('radiogroup', { name: 'Theme' })
  await expect.element(theme.getByRole('radio', { name: 'System' })).toBeChecked()
  theme.getByRole('radio', { name: 'System' }).element().focus()
  await keys('{ArrowRight}{ArrowRight}')
  await expect.element(theme.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(bridge.requests('setSettings').at(-1)).toEqual({ theme: 'dark' })
  await expect.element(screen.getByText('Electron 45.4.1')).toBeVisible()
})

test('pauses sending in the settings, which the status shows and Pending resumes', async () => {
  const can = { undo: true, discard: false, sendNow: false }
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({ reason: 'paused', can })] })
  await goTo('Settings')
  await screen.getByRole('switch', { name: 'Pause sending' }).click()
  expect(bridge.requests('setSettings').at(-1)).toEqual({ paused: true })
  bridge.setState({ paused: true, waiting: 1 })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/Sending is paused.*1 change pending/s)
  await goTo('Pending')
  await expect.element(screen.getByText('Paused', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Send now' })).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Resume sending' }).click()
  expect(bridge.requests('setSettings').at(-1)).toEqual({ paused: false })
})

test('says on any screen that a setting was not saved, also while changes are sent', async () => {
  const { screen, bridge, goTo, keys } = await openApp({})
  bridge.answer('setSettings', () => fail('disk-full'))
  await goTo('Pending')
  await keys('{Control>}k{/Control}Pause sending')
  await expect.element(screen.getByRole('option', { name: 'Pause sending' })).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  const message = screen.getByRole('region', { name: 'Messages' }).getByText(/disk is full/)
  await expect.element(message).toBeVisible()
  bridge.setState({ waiting: 3 })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/3 changes pending/)
  await expect.element(message).toBeVisible()
})

test('a choice in Settings shows the value that is in use if the chosen one was not saved', async () => {
  const { screen, bridge, goTo } = await openApp({})
  bridge.answer('setSettings', () => fail('disk-full'))
  await goTo('Settings')
  const language = screen.getByRole('combobox', { name: 'Language' })
  await language.selectOptions('Deutsch')
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ language: 'de' }])
  await expect.element(language).toHaveValue('system')
})

test('a choice in Settings shows the chosen value while it is being stored', async () => {
  const { screen, bridge, goTo } = await openApp({})
  bridge.answer('setSettings', () => new Promise(() => undefined))
  await goTo('Settings')
  const language = screen.getByRole('combobox', { name: 'Language' })
  await language.selectOptions('Deutsch')
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ language: 'de' }])
  await new Promise((resolve) => void setTimeout(resolve, 100))
  await expect.element(language).toHaveValue('de')
})

test('shows nothing of the earlier connection after switching', async () => {
  const { screen, bridge, row } = await openApp({ websites: websites(2) })
  await row('harbour-bakery.example').click()
  bridge.world.websites = []
  bridge.setState({ connection: aConnection({ id: 'other', name: 'Other' }), websites: 0 })
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expect.element(screen.getByRole('form')).not.toBeInTheDocument()
})

test('closes the question before a delete of several websites when another connection is shown', async () => {
  const { screen, bridge } = await openApp({ websites: websites(2) })
  await screen.getByRole('checkbox', { name: 'Select harbour-bakery.example' }).click()
  await screen.getByRole('button', { name: 'Delete…' }).click()
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  bridge.setState({ connection: aConnection({ id: 'other', name: 'Other' }) })
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
})

test('says why the key is missing, by the state of the keychain', async () => {
  const locked = aConnection({ key: 'locked' })
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ connection: locked, keychain: 'missing' }) })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/Couldn’t access the keychain/)
  await goTo('Account')
  await expect.element(screen.getByText(/Not available. Couldn’t access the keychain/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Replace API key…' })).toBeVisible()
  bridge.setState({ keychain: 'frozen' })
  await expect.element(screen.getByText(/Not available. The keychain isn’t responding/)).toBeVisible()
  bridge.setState({ connection: aConnection({ key: 'loading' }), keychain: 'unknown' })
  await expect
    .element(screen.getByText('Waiting for the keychain. The keychain may be asking for its password.'))
    .toBeVisible()
})

test('asks for a key where there is none, and does not call that a replacement', async () => {
  const connection = aConnection({ key: 'missing' })
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ connection }) })
  await goTo('Account')
  await screen.getByRole('main').getByRole('button', { name: 'Enter API key…' }).click()
  await expect.element(screen.getByRole('form', { name: 'Enter API key' })).toBeVisible()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  bridge.setState({ connection: { ...connection, key: 'locked' }, keychain: 'ready' })
  await expect.element(screen.getByRole('main').getByRole('button', { name: 'Enter API key…' })).toBeVisible()
})

test('shows an error of Disconnect, and says on the connect form that the key couldn’t be deleted from the keychain', async () => {
  const { screen, bridge, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  bridge.answer('disconnect', () => fail('storage'))
  const disconnect = async () => {
    await screen.getByRole('button', { name: 'Disconnect…' }).click()
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  }
  await disconnect()
  await expect.element(screen.getByRole('alert')).toBeInViewport()
  bridge.answer('disconnect', () => {
    bridge.setState({ connection: null })
    return ok({ keyLeft: true })
  })
  await disconnect()
  await expect.element(screen.getByText(/Couldn’t delete the API key from the keychain/)).toBeVisible()
  await expect.element(screen.getByLabelText('Service address')).toHaveFocus()
})

test('an error of a new key leads to Settings > Network, because the Account screen has no network settings', async () => {
  const { screen, bridge, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  bridge.answer('replaceKey', () => fail('proxy-login'))
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await screen.getByLabelText('API key', { exact: true }).fill('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByText('Enter them in Settings > Network.')).toBeVisible()
})

test('names the features of the plan', async () => {
  const features = { websites: 500, pageviews: 1_000_000, api: 1, data_export: 1 }
  const { screen, goTo } = await openApp({ account: anAccountView({ plan: { features, extra: {} } }) })
  await goTo('Account')
  const of = (name: string) => screen.getByText(name, { exact: true }).element().nextElementSibling?.textContent
  await expect.element(screen.getByText('Pageview limit')).toBeVisible()
  expect(of('Pageview limit')).toBe((1_000_000).toLocaleString())
  expect(of('Data export')).toBe('Included')
})

test('returns the focus from the form for a new key to the button that opened it', async () => {
  const { screen, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await screen.getByLabelText('API key', { exact: true }).fill('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByText('API key accepted.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Replace API key…' })).toHaveFocus()
})

test('Escape closes the form for a new key, and returns the focus to the button that opened it', async () => {
  const { screen, goTo, keys } = await openApp({ account: anAccountView() })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveFocus()
  await keys('{Escape}')
  await expect.element(screen.getByRole('button', { name: 'Replace API key…' })).toHaveFocus()
  await expect.element(screen.getByRole('form')).not.toBeInTheDocument()
})

test('names the offline state in the status but not at the edits, and says “still undo” of a delete only while it will be sent soon', async () => {
  const unreachable = { code: 'unreachable', message: '' } as const
  const { screen, bridge, goTo } = await openApp({
    state: anAppState({ reach: offline, waiting: 2 }),
    edits: [
      anEdit({ error: unreachable }),
      anEdit({ id: 'e2', domain: 'b.example', error: unreachable }),
      anEdit({ id: 'e3', kind: 'delete', fields: [], settings: {}, reason: 'undo', nextAt: Date.now() + 60_000 }),
    ],
  })
  await goTo('Pending')
  const region = screen.getByRole('region', { name: 'Pending changes' })
  await expect.element(screen.getByText(/Offline since/)).toBeVisible()
  await expect.element(region.getByText('Couldn’t reach the service.')).not.toBeInTheDocument()
  await expect.element(region.getByText('Will be deleted', { exact: true })).toBeVisible()
  await expect.element(region.getByText(/still undo this/)).not.toBeInTheDocument()
  bridge.setState({ reach: { state: 'online' } })
  await expect.element(region.getByText(/still undo this/)).toBeVisible()
  bridge.setState({ paused: true })
  await expect.element(region.getByText(/still undo this/)).not.toBeInTheDocument()
})

test('on Pending, cuts off neither the state of an edit nor the end of its long domain', async () => {
  const domain = `${'long-'.repeat(40)}name.example`
  const { screen, goTo } = await openApp({ edits: [anEdit({ domain })] })
  await goTo('Pending')
  const tag = screen.getByText('Waiting for the service', { exact: true })
  await expect.element(tag).toBeVisible()
  expect(tag.element().scrollWidth).toBe(tag.element().clientWidth)
  const heading = screen.getByRole('heading', { level: 3, name: domain, exact: true })
  await expect.element(screen.getByText('-name.example', { exact: true })).toBeInViewport({ ratio: 1 })
  expect(heading.element().scrollWidth).toBe(heading.element().clientWidth)
})

test('opens the activity when main asks for it', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({})] })
  await goTo('Websites')
  bridge.leadTo({ to: 'screen', screen: 'activity' })
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
})
