import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { openConnect, paste } from './support/connect.ts'
import { aConnection, anAppState } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

test('connects with the normalized address, asks main to store the key in the keychain, and then shows the websites', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => {
    const connection = aConnection()
    bridge.setState({ connection })
    return ok(connection)
  })
  await expect.element(apiKey).toHaveAttribute('type', 'password')
  await address.fill('stats.northwind.example/api/v1/websites')
  await apiKey.fill(' k3y-of-ada ')
  await connect.click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  expect(bridge.requests('connect')).toEqual([
    { address: 'https://stats.northwind.example', apiKey: 'k3y-of-ada', keep: 'keychain' },
  ])
})

test('shows invalid input at its fields, sends nothing, and focuses the first field with an error', async () => {
  const { bridge, address, apiKey, connect } = await openConnect()
  await address.fill('ftp://stats.example')
  await connect.click()
  await expect.element(address).toHaveFocus()
  await expect.element(address).toHaveAccessibleDescription(/isn’t a valid address/)
  await expect.element(apiKey).toHaveAccessibleDescription(/Enter the API key/)
  await address.fill('stats.example')
  await expect.element(address).not.toHaveAttribute('aria-invalid')
  await apiKey.fill('two words')
  await connect.click()
  await expect.element(apiKey).toHaveFocus()
  await expect.element(apiKey).toHaveAccessibleDescription(/without spaces/)
  expect(bridge.requests('connect')).toEqual([])
})

test('shows a rejected key at its field, and keeps the input', async () => {
  const { bridge, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => fail('unauthenticated', { message: 'Unauthenticated.', status: 401 }))
  await address.fill('stats.example')
  await apiKey.fill('old-key')
  await connect.click()
  await expect.element(apiKey).toHaveAccessibleDescription(/API key was rejected/)
  await expect.element(apiKey).toHaveFocus()
  await expect.element(address).toHaveValue('stats.example')
  await expect.element(apiKey).toHaveValue('old-key')
})

test('announces a rejected key if its field has the focus already', async () => {
  const { bridge, screen, address, apiKey } = await openConnect()
  bridge.answer('connect', () => fail('unauthenticated'))
  await address.fill('stats.example')
  await apiKey.fill('old-key')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/API key was rejected/)
  await expect.element(apiKey).toHaveFocus()
})

test('shows the service’s own words among the details', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => fail('forbidden', { message: 'API access is off.', status: 403 }))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  const alert = screen.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/isn’t allowed to do this/)
  await expect.element(alert).not.toMatchTextContent(/API access is off/)
  await alert.getByText('Details').click()
  await expect.element(alert).toMatchTextContent(/“API access is off\.”.*HTTP status 403/)
})

test('without a keychain, says what to install, and uses the key until the app ends if the user chooses so', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', ({ keep }) => (keep === 'run' ? ok(aConnection({ key: 'run' })) : fail('keychain-missing')))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/On Debian and Ubuntu: sudo apt-get install gnome-keyring libsecret-1-0/)
  await screen.getByRole('button', { name: 'Use without storing' }).click()
  await expect.poll(() => bridge.requests('connect').at(-1)?.keep).toBe('run')
})

test('on macOS, says that the keychain can’t be accessed, and names no package to install', async () => {
  const userAgent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Macintosh; Intel Mac OS X 10_15_7')
  onTestFinished(() => userAgent.mockRestore())
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => fail('keychain-missing'))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  const alert = screen.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/Couldn’t access the keychain\..*allowed to use it, then try again/)
  await expect.element(alert).not.toMatchTextContent(/keyring|apt-get/)
})

test('opens the sample data with one click', async () => {
  const { bridge, screen } = await openConnect()
  bridge.answer('trySample', () => {
    const connection = aConnection({ sample: true })
    bridge.setState({ connection })
    return ok(connection)
  })
  await screen.getByRole('button', { name: 'Try with sample data' }).click()
  await expect.element(screen.getByRole('status')).toMatchTextContent('Sample data')
})

test('cancels connecting, keeps the input, and shows no error', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  const answer = Promise.withResolvers<ReturnType<typeof fail>>()
  bridge.answer('connect', () => answer.promise)
  bridge.answer('cancelConnect', () => {
    answer.resolve(fail('no-connection'))
    return ok(undefined)
  })
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Try with sample data' })).toBeDisabled()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(connect).toBeVisible()
  await expect.element(apiKey).toHaveValue('key')
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
  expect(document.activeElement).not.toBe(document.body)
})

test('fills in the last address, suggests all saved addresses, and focuses the field of the key', async () => {
  const saved = [
    { address: 'https://stats.northwind.example', name: 'Northwind' },
    { address: 'https://b.example', name: 'B' },
  ]
  const { screen } = await openApp({ state: anAppState({ connection: null, others: saved.toReversed() }) })
  const address = screen.getByLabelText('Service address')
  await expect.element(address).toHaveValue('https://stats.northwind.example')
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveFocus()
  const offered = (address.element() as HTMLInputElement).list?.options ?? []
  expect([...offered].map(({ value }) => value)).toEqual(saved.map((each) => each.address))
})

test('shows an error about the address at its field, and other errors below the key', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => fail('name-lookup'))
  await address.fill('stats.exmaple')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(address).toHaveFocus()
  await expect.element(address).toHaveAttribute('aria-invalid', 'true')
  await expect.element(address).toHaveAccessibleDescription(/Couldn’t find this server\..*Check the address/)
  // The field that has the focus is described by the error. A screen reader would read an alert in addition to it.
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
  bridge.answer('connect', () => fail('unavailable'))
  await connect.click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/The service reported an error/)
  await expect.element(address).not.toHaveAttribute('aria-invalid')
  await expect.element(address).not.toHaveAccessibleDescription(/service/)
})

test('says that a different service responded, and does not quote its answer', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  await expect.element(address).toHaveFocus()
  bridge.answer('connect', () => fail('not-the-service', { status: 200 }))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  const form = screen.getByRole('form', { name: 'Connect' })
  await expect.element(form).toMatchTextContent(/different service responded/)
  await expect.element(form).not.toMatchTextContent(/HTTP status/)
  await form.getByText('Details').click()
  await expect
    .element(form)
    .toMatchTextContent(/The response had HTTP status 200, but it didn’t come from the service\./)
  await expect.element(form).not.toMatchTextContent(/The service says/)
  await apiKey.fill('two words')
  await connect.click()
  await expect.element(form).not.toMatchTextContent(/different service responded/)
})

test('says “Waiting for the keychain” while connecting if the keychain may be asking for the key of another account', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => new Promise(() => undefined))
  bridge.setState({ keychain: 'unknown' })
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  const { accounts } = anAppState({ connection: null, others: [{ key: 'loading' }] })
  bridge.setState({ accounts })
  await expect.element(screen.getByRole('button', { name: 'Waiting for the keychain' })).toBeVisible()
  bridge.setState({ keychain: 'locked', accounts })
  await expect.element(screen.getByRole('button', { name: 'Connecting…' })).toBeVisible()
})

test('moves the focus to the list of websites after connecting', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => {
    bridge.setState({ connection: aConnection() })
    return ok(aConnection())
  })
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  await expect.poll(() => document.activeElement?.closest('main')).not.toBeNull()
})

test('reports a connection that can’t be opened on the connect form, or above the screen if another connection is open', async () => {
  const problem = { code: 'newer-version', message: '' } as const
  const { screen, bridge } = await openApp({ state: anAppState({ connection: null, problem }) })
  await expect.element(screen.getByText('Couldn’t open the last-used account')).toBeVisible()
  bridge.setState({ connection: aConnection(), problem: { code: 'storage', message: '' } })
  await expect.element(screen.getByText(/Couldn’t read or write Siteward’s data/)).toBeVisible()
})

test('sends a pasted key only when Connect is pressed, whatever the address is', async () => {
  const { bridge, screen, address, apiKey } = await openConnect()
  await paste(address, 'k3y', apiKey)
  await address.fill('https://stats.example')
  await apiKey.click()
  await userEvent.keyboard('{Control>}a{/Control}{Control>}v{/Control}{Tab}')
  await address.click()
  await expect.poll(() => bridge.requests('checkAddress')).toEqual([{ address: 'https://stats.example' }])
  expect(bridge.requests('connect')).toEqual([])
  await screen.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(() => bridge.requests('connect')).toHaveLength(1)
})

test('opens the service in the browser with a command that contains no address', async () => {
  const { bridge, screen, address } = await openConnect()
  await address.fill('https://stats.example')
  await screen.getByRole('button', { name: /stats\.example/ }).click()
  await expect.poll(() => bridge.requests('openService')).toEqual([undefined])
  expect(bridge.requests('checkAddress').at(-1)).toEqual({ address: 'https://stats.example' })
})

test('announces an error of the address, except when the focus moves to the field and a screen reader thereby reads the error out', async () => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  const alert = screen.getByRole('alert')
  await address.fill('https://')
  await apiKey.click()
  await expect.element(alert).toBeVisible()
  await expect.element(address).toHaveAttribute('aria-invalid', 'true')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(address).toHaveFocus()
  await expect.element(alert).not.toBeInTheDocument()

  bridge.answer('checkAddress', () => fail('name-lookup'))
  await address.fill('stats.exmaple')
  await apiKey.click()
  await expect.element(alert).toMatchTextContent(/Couldn’t find this server\./)

  bridge.answer('connect', () => fail('not-the-service'))
  await address.fill('stats.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(alert).toBeVisible()
  await expect.element(address).toHaveFocus()
})
