import { beforeEach, expect, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aConnection, anAppState, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

async function openConnect() {
  const far = new MemoryBridge({ websites: websites(3), state: anAppState({ connection: null, websites: 3 }) })
  const { screen, keys } = await openApp(far)
  return {
    far,
    screen,
    keys,
    address: screen.getByRole('textbox', { name: 'Service address' }),
    apiKey: screen.getByLabelText('API key', { exact: true }),
    connect: screen.getByRole('button', { name: 'Connect', exact: true }),
  }
}

test('connects with the normalised address and a key for the keychain, then shows the websites', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => {
    const connection = aConnection()
    far.setState({ connection })
    return ok(connection)
  })
  await expect.element(apiKey).toHaveAttribute('type', 'password')
  await address.fill('stats.northwind.example/api/v1/websites')
  await apiKey.fill(' k3y-of-ada ')
  await connect.click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  expect(far.requests('connect')).toEqual([
    { address: 'https://stats.northwind.example', apiKey: 'k3y-of-ada', keep: 'keychain' },
  ])
})

test('says at the field what is wrong, sends nothing, and goes to the first bad field', async () => {
  const { far, address, apiKey, connect } = await openConnect()
  await address.fill('ftp://stats.example')
  await connect.click()
  await expect.element(address).toHaveFocus()
  await expect.element(address).toHaveAccessibleDescription(/isn’t an address of a service/)
  await expect.element(apiKey).toHaveAccessibleDescription(/Type the API key/)
  await address.fill('stats.example')
  await expect.element(address).not.toHaveAttribute('aria-invalid')
  await apiKey.fill('two words')
  await connect.click()
  await expect.element(apiKey).toHaveFocus()
  await expect.element(apiKey).toHaveAccessibleDescription(/without spaces/)
  expect(far.requests('connect')).toEqual([])
})

test('an address is asked, once it is left, whether the service answers there; no key goes with it', async () => {
  const { far, screen, address, apiKey } = await openConnect()
  await address.fill('stats.example/docs')
  expect(far.requests('checkAddress')).toEqual([])
  await userEvent.tab()
  await expect.element(address).toHaveAccessibleDescription(/^The service answers at https:\/\/stats\.example\/docs$/)
  expect(far.requests('checkAddress')).toEqual([{ address: 'https://stats.example/docs' }])
  await address.click()
  await userEvent.tab()
  expect(far.requests('checkAddress')).toHaveLength(1)

  far.answer('checkAddress', () => fail('certificate'))
  await address.fill('old.example')
  await expect.element(address).not.toHaveAccessibleDescription(/service answers/)
  await userEvent.tab()
  await expect.element(screen.getByText('The service’s certificate can’t be trusted.')).toBeVisible()
  await expect.element(apiKey).toHaveFocus()

  await address.fill('new.example')
  await expect.element(screen.getByText('The service’s certificate can’t be trusted.')).not.toBeInTheDocument()
})

test('what is heard of an address that isn’t typed any more isn’t said', async () => {
  const { far, screen, address } = await openConnect()
  let answer: () => void = () => undefined
  const later = new Promise<void>((resolve) => (answer = resolve))
  far.answer('checkAddress', async () => {
    await later
    return fail('unreachable')
  })
  await address.fill('slow.example')
  await userEvent.tab()
  await address.fill('stats.example')
  far.answer('checkAddress', () => ok(undefined))
  answer()
  await userEvent.tab()
  await address.click()
  await userEvent.tab()
  await expect.element(address).toHaveAccessibleDescription(/service answers/)
  await expect.element(screen.getByText('The service can’t be reached.')).not.toBeInTheDocument()
})

test('a window that is left while the address is typed asks nothing; what is pasted is asked at once', async () => {
  const { far, address } = await openConnect()
  await address.fill('stats.exam')
  const field = address.element() as HTMLInputElement
  field.focus()
  // So it is for the field when the window goes: it stays the page's active element.
  field.dispatchEvent(new FocusEvent('blur'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(far.requests('checkAddress')).toEqual([])
  field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: new DataTransfer() }))
  await expect.poll(() => far.requests('checkAddress')).toEqual([{ address: 'https://stats.exam' }])
})

test('where another address is offered before there is a key, it is asked, and the key waited for', async () => {
  const { far, screen, address, apiKey } = await openConnect()
  far.answer('checkAddress', () => fail('not-found'))
  await address.fill('stats.example/dashboard')
  await userEvent.tab()
  far.answer('checkAddress', () => ok(undefined))
  await screen.getByRole('button', { name: 'Try https://stats.example' }).click()
  await expect.element(address).toHaveAccessibleDescription(/service answers/)
  await expect.element(apiKey).not.toHaveAttribute('aria-invalid')
  expect(far.requests('connect')).toEqual([])
})

test('warns of plain http outside this computer', async () => {
  const { address } = await openConnect()
  await address.fill('http://127.0.0.1:8080')
  await expect.element(address).not.toHaveAccessibleDescription(/isn’t encrypted/)
  await address.fill('http://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/isn’t encrypted/)
})

test('a refused key is told at the key; what was typed stays', async () => {
  const { far, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => fail('unauthenticated', { message: 'Unauthenticated.', status: 401 }))
  await address.fill('stats.example')
  await apiKey.fill('old-key')
  await connect.click()
  await expect.element(apiKey).toHaveAccessibleDescription(/refuses this API key/)
  await expect.element(apiKey).toHaveFocus()
  await expect.element(address).toHaveValue('stats.example')
  await expect.element(apiKey).toHaveValue('old-key')
})

test('shows the service’s own words where it said some', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => fail('forbidden', { message: 'API access is off.', status: 403 }))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/doesn’t allow this.*“API access is off\.”/)
})

test('without a keychain it tells what to install, and takes the key for this run', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', ({ keep }) => (keep === 'run' ? ok(aConnection({ key: 'run' })) : fail('keychain-missing')))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/sudo apt-get install gnome-keyring libsecret-1-0/)
  await screen.getByRole('button', { name: 'Use this key for this run only' }).click()
  await expect.poll(() => far.requests('connect').at(-1)?.keep).toBe('run')
})

test('sample data is one click away', async () => {
  const { far, screen } = await openConnect()
  far.answer('trySample', () => {
    const connection = aConnection({ sample: true })
    far.setState({ connection })
    return ok(connection)
  })
  await screen.getByRole('button', { name: 'Try with sample data' }).click()
  await expect.element(screen.getByRole('status')).toMatchTextContent('Looking at sample data')
})

test('connecting can be cancelled; what was typed stays, and nothing is told as an error', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  const asked = Promise.withResolvers<ReturnType<typeof fail>>()
  far.answer('connect', () => asked.promise)
  far.answer('cancelConnect', () => {
    asked.resolve(fail('no-connection'))
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

test('an address used before is filled in, others are offered, and the key is asked for', async () => {
  const known = [
    { address: 'https://stats.northwind.example', name: 'Northwind' },
    { address: 'https://b.example', name: 'B' },
  ]
  const { screen } = await openApp({ state: anAppState({ connection: null, known }) })
  const address = screen.getByLabelText('Service address')
  await expect.element(address).toHaveValue('https://stats.northwind.example')
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveFocus()
  const offered = (address.element() as HTMLInputElement).list?.options ?? []
  expect([...offered].map(({ value }) => value)).toEqual(known.map((each) => each.address))
})

test('what answers at the address but isn’t the service isn’t quoted as the service', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  await expect.element(address).toHaveFocus()
  far.answer('connect', () => fail('not-the-service', { status: 200 }))
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  const alert = screen.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/It answered with HTTP 200, but not as the service\./)
  await expect.element(alert).not.toMatchTextContent(/The service says/)
  await apiKey.fill('two words')
  await connect.click()
  await expect.element(alert).not.toBeInTheDocument()
})

test('the focus goes into the list once it is connected', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => {
    far.setState({ connection: aConnection() })
    return ok(aConnection())
  })
  await address.fill('stats.example')
  await apiKey.fill('key')
  await connect.click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  await expect.poll(() => document.activeElement?.closest('main')).not.toBeNull()
})

test('a connection that can’t be opened is told on the form, and over every screen while one is there', async () => {
  const problem = { code: 'newer-version', message: '' } as const
  const { screen, far } = await openApp({ state: anAppState({ connection: null, problem }) })
  await expect.element(screen.getByText('The last connection couldn’t be opened.')).toBeVisible()
  far.setState({ connection: aConnection(), problem: { code: 'storage', message: '' } })
  await expect.element(screen.getByText(/data on this computer can’t be read or written/)).toBeVisible()
})

/** Puts a text on the clipboard out of a field, and pastes it into another one. */
async function paste(from: Locator, text: string, into: Locator): Promise<void> {
  await from.fill(text)
  await userEvent.keyboard('{Control>}a{/Control}{Control>}x{/Control}')
  await into.click()
  await userEvent.keyboard('{Control>}v{/Control}')
}

test('says while it is typed what the address comes to, and what no more typing mends', async () => {
  const { address } = await openConnect()
  await address.fill('stats.example')
  await expect.element(address).toHaveAccessibleDescription(/Connects to https:\/\/stats\.example$/)
  await address.fill('stats.example/api/v1/websites?page=1')
  await expect.element(address).toHaveAccessibleDescription(/“\/api\/v1\/websites\?page=1” isn’t part of the address/)
  await address.fill('https://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/As in the browser/)
  await address.fill('ada:pass@stats.example')
  await expect.element(address).toBeInvalid()
  await expect.element(address).toHaveAccessibleDescription(/The API key goes below/)
  await address.fill('stats.')
  await expect.element(address).not.toHaveAccessibleDescription(/The API key goes below/)
})

test('out of an example of the documentation the address is taken, and Ctrl+Z takes that back', async () => {
  const { screen, address, apiKey, keys } = await openConnect()
  // Nothing is cut out of a field that hides what it has.
  await screen.getByRole('button', { name: 'Show key' }).click()
  await paste(apiKey, "curl 'https://stats.example/api/v1/account' --header 'Accept: application/json'", address)
  await expect.element(address).toHaveValue('https://stats.example/api/v1/account')
  await keys('{Control>}z{/Control}')
  await expect.element(address).toHaveValue('')
})

test('a pasted key is asked about at once, and whose it is is told before anything is kept', async () => {
  const { far, screen, address, apiKey } = await openConnect()
  await paste(address, 'k3y', apiKey)
  // There is nowhere to ask yet.
  expect(far.requests('checkKey')).toEqual([])
  await address.fill('https://stats.example')
  await apiKey.click()
  await userEvent.keyboard('{Control>}a{/Control}{Control>}v{/Control}')
  await expect.element(screen.getByText('The service takes this key: it’s Northwind Agency’s.')).toBeVisible()
  await expect.element(screen.getByText('ada@northwind.example. Plan: Agency.')).toBeVisible()
  expect(far.requests('checkKey')).toEqual([{ address: 'https://stats.example', apiKey: 'k3y' }])
  expect(far.requests('connect')).toEqual([])
  // It was said of this key at this address.
  await address.fill('https://stats.example/other')
  await expect.element(screen.getByText(/The service takes this key/)).not.toBeInTheDocument()
})

test('what is wrong with a pasted key is told at its field; over plain http it goes nowhere by itself', async () => {
  const { far, address, apiKey, keys } = await openConnect()
  far.answer('checkKey', () => fail('unauthenticated', { status: 401 }))
  await paste(address, 'k3y', apiKey)
  await address.fill('http://stats.example')
  await apiKey.click()
  await keys('{Control>}a{/Control}{Control>}v{/Control}')
  await address.fill('stats.example')
  expect(far.requests('checkKey')).toEqual([])
  await apiKey.click()
  await keys('{Control>}a{/Control}{Control>}v{/Control}')
  await expect.element(apiKey).toHaveAccessibleDescription(/The service refuses this API key/)
  expect(far.requests('checkKey')).toHaveLength(1)
})

test('where something else answers under a path, the same is tried without it at a click', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => fail('not-the-service', { status: 200 }))
  await address.fill('stats.example/dashboard')
  await apiKey.fill('k3y')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  // What was said of one address isn't said of another.
  await address.fill('stats.example/dashboards')
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
  await address.fill('stats.example/dashboard')
  await connect.click()
  await screen.getByRole('button', { name: 'Try https://stats.example', exact: true }).click()
  await expect
    .poll(() => far.requests('connect').map((each) => each.address))
    .toEqual(['https://stats.example/dashboard', 'https://stats.example/dashboard', 'https://stats.example'])
  await expect.element(screen.getByRole('button', { name: /^Try https/ })).not.toBeInTheDocument()
})
