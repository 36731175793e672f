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

test('the status says in words since when it’s offline and what waits', async () => {
  const { screen, far } = await openApp({ state: anAppState({ waiting: 3 }) })
  const status = screen.getByRole('status')
  await expect.element(status).toMatchTextContent(/^Online/)
  far.setState({ reach: offline })
  await expect.element(status).toMatchTextContent(/Offline since .*02/)
  await expect.element(status).toMatchTextContent('3 changes pending until you’re back online.')
  far.setState({ connection: aConnection({ key: 'refused' }) })
  await expect.element(status).toMatchTextContent(/The API key was rejected/)
})

test('the status leads to where a refused key is put in, and to the changes that need the person', async () => {
  const { screen, far, goTo } = await openApp({ state: anAppState({ connection: aConnection({ key: 'refused' }) }) })
  await screen.getByRole('status').getByRole('button', { name: 'Enter API key' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveFocus()
  await goTo('Websites')
  await goTo('Account')
  await expect.element(screen.getByRole('button', { name: 'Replace key' })).toBeVisible()
  far.setState({ connection: aConnection(), parked: 2 })
  await screen.getByRole('status').getByRole('button', { name: 'Show pending changes' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
})

test('where the account answers and the list doesn’t, the status says so', async () => {
  const refresh = { ...anAppState({}).refresh, error: { code: 'timeout', message: '' } } as const
  const { screen, far } = await openApp({ state: anAppState({ waiting: 2, refresh }) })
  const status = screen.getByRole('status')
  await expect.element(status).toMatchTextContent(/^Couldn’t refresh the list .*2 changes pending\./)
  far.setState({ refresh: { ...refresh, error: null } })
  await expect.element(status).toMatchTextContent(/^Online/)
})

test('main’s wish for a screen is followed, and the window’s own hint of being offline is passed on', async () => {
  const { screen, far } = await openApp({})
  await expect.element(screen.getByRole('status')).toBeVisible()
  far.leadTo({ to: 'screen', screen: 'pending' })
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  window.dispatchEvent(new Event('offline'))
  await expect.poll(() => far.requests('hintOnline').length).toBe(1)
})

test('pending shows each edit: what it does, its request, why it waits', async () => {
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
  await expect.element(first).toMatchTextContent(/fjordline-tickets\.example Waiting for the connection/)
  await expect.element(first).toMatchTextContent(/privacy Password, a new statistics password, 2 excluded addresses/)
  await expect.element(first).not.toMatchTextContent('PUT')
  await first.getByText('Details').click()
  await expect.element(first).toMatchTextContent('PUT /api/v1/websites/2177')
  await expect.element(first).toMatchTextContent(/password=••••.*exclude_ips=203\.0\.113\.7⏎198\.51\.100\.0\/24/)
  await expect.element(second).toMatchTextContent(/Needs attention/)
  await expect.element(second).toMatchTextContent(/The service says: “Domain: already taken”/)
  await expect.element(second.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('pending edits are sent, undone and discarded by their buttons', async () => {
  const can = { undo: true, discard: true, sendNow: true }
  const { screen, far, goTo } = await openApp({
    edits: [anEdit({ can }), anEdit({ id: 'e2', domain: 'b.example', can })],
  })
  await goTo('Pending')
  const item = screen.getByRole('listitem').filter({ hasText: 'b.example' })
  await screen.getByRole('button', { name: 'Send now' }).click()
  await expect.poll(() => far.requests('sendNow')).toEqual([{}])
  await item.getByRole('button', { name: 'Discard' }).click()
  const dialog = screen.getByRole('alertdialog', { name: 'Discard the change to b.example?' })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(far.requests('discardEdit')).toEqual([])
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect.element(item).not.toBeInTheDocument()
  far.answer('undoEdit', () => fail('edit-gone'))
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/no longer pending/)
})

test('pending says when nothing is waiting', async () => {
  const { screen, goTo } = await openApp({})
  await goTo('Pending')
  await expect.element(screen.getByText('All your changes are on the service.')).toBeVisible()
})

test('pending does not say that everything is on the service while a request may still take effect', async () => {
  const { screen, goTo } = await openApp({ state: anAppState({ unconfirmed: true }) })
  await goTo('Pending')
  await expect.element(screen.getByText(/an unconfirmed request may still take effect/)).toBeVisible()
  await expect.element(screen.getByText('All your changes are on the service.')).not.toBeInTheDocument()
})

test('the account shows what is known, what isn’t, and the use of the plan', async () => {
  const { screen, far, goTo } = await openApp({
    state: anAppState({ websites: 428 }),
    account: anAccountView({ extra: { two_factor: true } }),
  })
  await goTo('Account')
  await expect.element(screen.getByText('ada@northwind.example')).toBeVisible()
  await expect.element(screen.getByText('two_factor')).toBeVisible()
  await expect.element(screen.getByRole('meter', { name: '428 of 500 websites' })).toBeVisible()
  far.world.account = anAccountView({ plan: { features: { websites: -1 }, extra: {} } })
  far.emit('accountChanged', undefined)
  await expect.element(screen.getByText('428 websites, no limit')).toBeVisible()
})

test('while the list isn’t read to its end, the plan’s use is what the service says there are', async () => {
  const { refresh } = anAppState()
  const { screen, far, goTo } = await openApp({
    state: anAppState({ websites: 100, refresh: { ...refresh, read: 100, total: 428 } }),
    account: anAccountView(),
  })
  await goTo('Account')
  await expect.element(screen.getByRole('meter', { name: '428 of 500 websites' })).toBeVisible()
  far.setState({ websites: 427, refresh: { ...refresh, read: 428, total: 428 } })
  await expect.element(screen.getByRole('meter', { name: '427 of 500 websites' })).toBeVisible()
})

test('a key is replaced only by one of the same account', async () => {
  const { screen, far, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  await expect.element(screen.getByText('Stored in this computer’s keychain.')).toBeVisible()
  await screen.getByRole('button', { name: 'Replace key' }).click()
  far.answer('replaceKey', () => fail('other-account'))
  await screen.getByLabelText('API key', { exact: true }).fill('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/a different account/)
  expect(far.requests('replaceKey')).toEqual([{ apiKey: 'new-key', keep: 'keychain' }])
})

test('a locked keychain can be asked again', async () => {
  const { screen, far, goTo } = await openApp({ state: anAppState({ connection: aConnection({ key: 'locked' }) }) })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Try the keychain again' }).click()
  await expect.poll(() => far.requests('retryKeychain').length).toBe(1)
})

test('Settings shows the files of certificates that the environment adds', async () => {
  const { screen, goToAdvancedSettings } = await openApp({})
  await goToAdvancedSettings()
  await expect.element(screen.getByText('Also trusts the certificates in /etc/ssl/company.pem')).toBeVisible()
})

test('the theme is chosen by keyboard, and the app tells what it is', async () => {
  const { screen, far, goTo, keys } = await openApp({})
  await goTo('Settings')
  const theme = screen.getByRole('radiogroup', { name: 'Theme' })
  await expect.element(theme.getByRole('radio', { name: 'System' })).toBeChecked()
  theme.getByRole('radio', { name: 'System' }).element().focus()
  await keys('{ArrowRight}{ArrowRight}')
  await expect.element(theme.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(far.requests('setSettings').at(-1)).toEqual({ theme: 'dark' })
  await expect.element(screen.getByText('Electron 45.4.1')).toBeVisible()
})

test('sending is paused in the settings, and while it is the status says so and Pending resumes it', async () => {
  const can = { undo: true, discard: false, sendNow: false }
  const { screen, far, goTo } = await openApp({ edits: [anEdit({ reason: 'paused', can })] })
  await goTo('Settings')
  await screen.getByRole('switch', { name: 'Pause sending' }).click()
  expect(far.requests('setSettings').at(-1)).toEqual({ paused: true })
  far.setState({ paused: true, waiting: 1 })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/Sending is paused.*1 change pending/s)
  await goTo('Pending')
  await expect.element(screen.getByText('Paused', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Send now' })).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Resume sending' }).click()
  expect(far.requests('setSettings').at(-1)).toEqual({ paused: false })
})

test('another connection shows nothing of the one before', async () => {
  const { screen, far, row } = await openApp({ websites: websites(2) })
  await row('harbour-bakery.example').click()
  far.world.websites = []
  far.setState({ connection: aConnection({ id: 'other', name: 'Other' }), websites: 0 })
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expect.element(screen.getByRole('form')).not.toBeInTheDocument()
})

test('why a key can’t be had is said by what the keychain is able to', async () => {
  const locked = aConnection({ key: 'locked' })
  const { screen, far, goTo } = await openApp({ state: anAppState({ connection: locked, keychain: 'missing' }) })
  await expect.element(screen.getByRole('status')).toMatchTextContent(/No keychain found on this computer/)
  await goTo('Account')
  await expect.element(screen.getByText(/Not available. No keychain found on this computer/)).toBeVisible()
  far.setState({ keychain: 'frozen' })
  await expect.element(screen.getByText(/Not available. The keychain isn’t responding/)).toBeVisible()
  far.setState({ connection: aConnection({ key: 'loading' }), keychain: 'unknown' })
  await expect
    .element(screen.getByText('Waiting for the keychain. The keychain may be asking for its password.'))
    .toBeVisible()
})

test('what Disconnect is answered is said beside it, and a key that is left behind on the form', async () => {
  const { screen, far, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  far.answer('disconnect', () => fail('storage'))
  const disconnect = async () => {
    await screen.getByRole('button', { name: 'Disconnect' }).click()
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  }
  await disconnect()
  await expect.element(screen.getByRole('alert')).toBeInViewport()
  far.answer('disconnect', () => {
    far.setState({ connection: null })
    return ok({ keyLeft: true })
  })
  await disconnect()
  await expect.element(screen.getByText(/The API key is still in the keychain, which is locked/)).toBeVisible()
  await expect.element(screen.getByLabelText('Service address')).toHaveFocus()
})

test('what the plan grants is named', async () => {
  const features = { websites: 500, pageviews: 1_000_000, api: 1, data_export: 1 }
  const { screen, goTo } = await openApp({ account: anAccountView({ plan: { features, extra: {} } }) })
  await goTo('Account')
  const of = (name: string) => screen.getByText(name, { exact: true }).element().nextElementSibling?.textContent
  await expect.element(screen.getByText('Pageviews')).toBeVisible()
  expect(of('Pageviews')).toBe((1_000_000).toLocaleString())
  expect(of('Data export')).toBe('Included')
})

test('the new key’s form gives the focus back to the button that opened it', async () => {
  const { screen, goTo } = await openApp({ account: anAccountView() })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace key' }).click()
  await screen.getByLabelText('API key', { exact: true }).fill('new-key')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect.element(screen.getByText('API key replaced.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Replace key' })).toHaveFocus()
})

test('offline is said once, by the status, and a delete can be undone until it’s sent', async () => {
  const unreachable = { code: 'unreachable', message: '' } as const
  const { screen, far, goTo } = await openApp({
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
  await expect.element(region.getByText('Deleting', { exact: true })).toBeVisible()
  await expect.element(region.getByText(/still undo this/)).not.toBeInTheDocument()
  far.setState({ reach: { state: 'online' } })
  await expect.element(region.getByText(/still undo this/)).toBeVisible()
  far.setState({ paused: true })
  await expect.element(region.getByText(/still undo this/)).not.toBeInTheDocument()
})

test('the tag of a change to a long domain isn’t cut, nor is its end', async () => {
  const domain = `${'long-'.repeat(40)}name.example`
  const { screen, goTo } = await openApp({ edits: [anEdit({ domain })] })
  await goTo('Pending')
  const tag = screen.getByText('Waiting for the connection', { exact: true })
  await expect.element(tag).toBeVisible()
  expect(tag.element().scrollWidth).toBe(tag.element().clientWidth)
  const heading = screen.getByRole('heading', { level: 3, name: domain, exact: true })
  await expect.element(screen.getByText('-name.example', { exact: true })).toBeInViewport({ ratio: 1 })
  expect(heading.element().scrollWidth).toBe(heading.element().clientWidth)
})

test('a wish to see what was sent is followed, once: whoever comes back finds what waits', async () => {
  const { screen, far, goTo } = await openApp({ edits: [anEdit({})] })
  await goTo('Websites')
  far.leadTo({ to: 'sent' })
  const sent = screen.getByRole('tab', { name: 'Sent changes' })
  await expect.element(sent).toHaveAttribute('aria-selected', 'true')
  await goTo('Account')
  await goTo('Pending')
  await expect.element(sent).toHaveAttribute('aria-selected', 'false')
})
