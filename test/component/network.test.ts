import { tick } from 'svelte'
import { page } from 'vitest/browser'
import { describe, expect, test } from 'vitest'
import type { CertificateSummary, NetworkEntry } from '../../src/shared/network.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { openConnect } from './support/connect.ts'
import { anAppState } from './support/fixtures.ts'
import { expectOnePrimary } from './support/primary.ts'

const ada: CertificateSummary = { subject: 'Ada', issuer: 'Acme CA', until: Date.UTC(2030, 2, 3), expired: false }
const anAccount: NetworkEntry = {
  ...{ id: 'a', name: 'Acme', address: 'https://stats.acme.example' },
  route: { kind: 'proxy', protocol: 'http', host: 'gate.acme.example', port: 3128, login: 'none' },
  ...{ client: null, authorities: [] },
}

async function openNetwork(entry: Partial<NetworkEntry> = {}) {
  const app = await openApp({})
  const shown = { ...anAccount, ...entry }
  app.bridge.answer('listNetwork', () => ok([shown]))
  await app.goTo('Settings')
  const account = app.screen.getByRole('group', { name: 'Acme' })
  await expect.element(account).toBeVisible()
  const setting = (name: string) => account.getByText(name, { exact: true }).element().closest('div') as HTMLElement
  const button = (name: string, label: string) =>
    page.elementLocator(setting(name)).getByRole('button', { name: label, exact: true })
  return { ...app, account, button, shown }
}

describe('Settings > Network', () => {
  test.for([1180, 480])(
    'shows the proxy, client certificate and authorities of an account in a window %i wide',
    async (width) => {
      await page.viewport(width, 900)
      const { account } = await openNetwork({
        client: ada,
        authorities: [{ ...ada, subject: 'Old CA', expired: true }],
      })
      await expect.element(account).toMatchTextContent(/HTTP proxy .*gate\.acme\.example:3128/)
      await expect.element(account).toMatchTextContent(/Ada.*, issued by .*Acme CA.*, valid until .*2030/)
      await expect.element(account).toMatchTextContent(/Old CA.*expired on .*2030.*no longer trusted/)
      await expectAccessible()
    },
  )

  test('sends the entered sign-in of a proxy to main once, and keeps no copy in the form', async () => {
    const { bridge, screen, account, button, shown, keys } = await openNetwork()
    await button('Proxy sign-in', 'Enter…').click()
    await expect.element(account.getByLabelText('User name')).toHaveFocus()
    expectOnePrimary()
    await expect.element(account.getByRole('button', { name: 'Save' })).toHaveClass('primary')
    await keys('Ada:x{Enter}')
    await expect.element(account.getByText('An HTTP proxy doesn’t accept a colon in the user name.')).toBeVisible()
    await account.getByLabelText('User name').fill('Ada')
    await account.getByLabelText('Password', { exact: true }).fill('proxy-password')
    await expectAccessible()
    bridge.answer('listNetwork', () =>
      ok([{ ...shown, route: { ...anAccount.route, login: 'stored' } as NetworkEntry['route'] }]),
    )
    await account.getByRole('button', { name: 'Save' }).click()
    expect(bridge.requests('setProxyLogin')).toEqual([
      { host: 'gate.acme.example', port: 3128, name: 'Ada', password: 'proxy-password' },
    ])
    await expect.element(account).toMatchTextContent('Entered in Siteward')
    await expect.element(button('Proxy sign-in', 'Replace…')).toHaveFocus()
    await button('Proxy sign-in', 'Replace…').click()
    const name = account.getByLabelText('User name')
    await expect.element(name).toHaveValue('')
    // During the composition of an input method, Escape doesn't close the form.
    name.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }))
    await tick()
    await expect.element(name).toBeVisible()
    await keys('{Escape}')
    await expect.element(name).not.toBeInTheDocument()
    await button('Proxy sign-in', 'Remove').click()
    expect(bridge.requests('removeProxyLogin')).toEqual([{ host: 'gate.acme.example', port: 3128 }])
    await expect.element(screen.getByText('Saved.')).toBeVisible()
  })

  test('without a keychain, says before saving that the sign-in and the passphrase are kept only until Siteward quits', async () => {
    const { bridge, account, button, keys } = await openNetwork()
    bridge.setState({ keychain: 'missing' })
    bridge.answer('chooseCertificate', () => ok('passphrase'))
    await button('Proxy sign-in', 'Enter…').click()
    await expect
      .element(account.getByText(/^The keychain isn’t available, so the password is kept only until/))
      .toBeVisible()
    await keys('{Escape}')
    await button('Client certificate', 'Choose file…').click()
    await expect
      .element(account.getByText(/The keychain isn’t available, so the passphrase is kept only until/))
      .toBeVisible()
  })

  test('Escape closes the forms for a sign-in and a passphrase, also with the focus on one of their buttons', async () => {
    const { bridge, account, button, keys } = await openNetwork()
    bridge.answer('chooseCertificate', () => ok('passphrase'))
    for (const [setting, label] of [
      ['Proxy sign-in', 'Enter…'],
      ['Client certificate', 'Choose file…'],
    ] as const) {
      const open = button(setting, label)
      for (const name of [/^Show/, 'Save', 'Cancel']) {
        await open.click()
        ;(account.getByRole('button', { name }).element() as HTMLElement).focus()
        await keys('{Escape}')
        await expect.element(open).toHaveFocus()
      }
    }
  })

  test('asks for the passphrase of a client certificate until it is right', async () => {
    const { bridge, account, button, shown } = await openNetwork()
    bridge.answer('chooseCertificate', () => ok('passphrase'))
    bridge.answer('enterPassphrase', ({ passphrase }) =>
      passphrase === 'right' ? ok('saved') : fail('wrong-passphrase'),
    )
    await button('Client certificate', 'Choose file…').click()
    expect(bridge.requests('chooseCertificate')).toEqual([{ connection: 'a', use: 'client' }])
    const passphrase = account.getByRole('textbox', { name: 'Passphrase' })
    await expect.element(passphrase).toHaveFocus()
    await passphrase.fill('wrong')
    await account.getByRole('button', { name: 'Save' }).click()
    await expect
      .element(account.getByText('This passphrase is incorrect. Enter the passphrase that protects the file.'))
      .toBeVisible()
    await expectAccessible()
    bridge.answer('listNetwork', () => ok([{ ...shown, client: ada }]))
    await passphrase.fill('right')
    await account.getByRole('button', { name: 'Save' }).click()
    await expect.element(account).toMatchTextContent(/Ada.*, issued by/)
    await expect.element(button('Client certificate', 'Replace…')).toHaveFocus()
    expect(bridge.requests('enterPassphrase').at(-1)).toEqual({ connection: 'a', passphrase: 'right' })
  })

  test.for([
    ['no-certificate', 'This file contains no certificate.'],
    ['certificate-too-large', 'This file is too large for a certificate.'],
    ['no-private-key', 'The certificate’s private key is missing.'],
    ['key-mismatch', 'The private key doesn’t belong to this certificate.'],
  ] as const)('says at the field why a file is refused (%s)', async ([code, text]) => {
    const { bridge, account, button } = await openNetwork()
    bridge.answer('chooseCertificate', () => fail(code))
    await button('Client certificate', 'Choose file…').click()
    await expect.element(account.getByText(text)).toBeVisible()
  })

  test.for([1180, 480])('tells which step of a connection failed in a window %i wide', async (width) => {
    await page.viewport(width, 900)
    const { bridge, account } = await openNetwork()
    bridge.answer('testConnection', () =>
      ok([
        { step: 'lookup', found: 'unneeded', code: null },
        { step: 'proxy', found: 'good', code: null },
        { step: 'proxyLogin', found: 'bad', code: 'proxy-login' },
        { step: 'connect', found: 'unknown', code: null },
        { step: 'service', found: 'bad', code: 'not-found' },
      ]),
    )
    await account.getByRole('button', { name: 'Test connection' }).click()
    expect(bridge.requests('testConnection')).toEqual([{ id: 'a' }])
    const step = (name: string) => account.getByRole('listitem').filter({ hasText: name })
    await expect.element(step('Name lookup')).toMatchTextContent('Not needed')
    await expect.element(step('Proxy sign-in')).toMatchTextContent(/Failed.*requires a user name.*Settings > Network/)
    await expect.element(step('Connection')).toMatchTextContent('Not checked')
    await expect.element(account.getByText('No service found at this address.')).toBeVisible()
    await expectAccessible()
  })
})

test('removes the results of a connection test when another test begins or the settings of the account change', async () => {
  const { bridge, account, button } = await openNetwork({ client: ada })
  bridge.answer('testConnection', () => ok([{ step: 'service', found: 'bad', code: 'not-found' }]))
  const test = account.getByRole('button', { name: 'Test connection' })
  const failed = account.getByRole('listitem').filter({ hasText: 'Failed' })
  await test.click()
  await expect.element(failed).toBeVisible()
  bridge.answer('listNetwork', () => ok([anAccount]))
  await button('Client certificate', 'Remove').click()
  await expect.element(failed).not.toBeInTheDocument()

  await test.click()
  await expect.element(failed).toBeVisible()
  bridge.answer('testConnection', () => new Promise(() => undefined))
  await test.click()
  await expect.element(failed).not.toBeInTheDocument()
})

test('removes the results of a connection test when the stored proxy sign-in is replaced', async () => {
  const route = { ...anAccount.route, login: 'stored' } as NetworkEntry['route']
  const { bridge, account, button, keys } = await openNetwork({ route })
  bridge.answer('testConnection', () => ok([{ step: 'service', found: 'bad', code: 'not-found' }]))
  const test = account.getByRole('button', { name: 'Test connection' })
  const failed = account.getByRole('listitem').filter({ hasText: 'Failed' })
  await test.click()
  await expect.element(failed).toBeVisible()
  await button('Proxy sign-in', 'Replace…').click()
  await keys('Ada')
  await account.getByLabelText('Password', { exact: true }).fill('proxy-password')
  await account.getByRole('button', { name: 'Save' }).click()
  await expect.element(failed).not.toBeInTheDocument()
})

test('says how long to wait if the app refuses another test of a connection', async () => {
  const { bridge, account } = await openNetwork()
  bridge.answer('testConnection', () => fail('rate-limited', { retryAfter: 5 }))
  await account.getByRole('button', { name: 'Test connection' }).click()
  await expect
    .element(account.getByRole('alert'))
    .toMatchTextContent(/^Too many requests.*Wait 5\ssec, then try again\./)
})

test('the test of a connection explains, by the state of the keychain, why the key can’t be read', async () => {
  const { bridge, account } = await openNetwork()
  bridge.setState({ keychain: 'frozen' })
  bridge.answer('testConnection', () => ok([{ step: 'key', found: 'unknown', code: 'keychain-locked' }]))
  await account.getByRole('button', { name: 'Test connection' }).click()
  await expect.element(account.getByText(/^Not available. The keychain isn’t responding/)).toBeVisible()
})

test('the connect form asks for the sign-in of the proxy when the proxy requires one', async () => {
  const { screen, bridge, connect } = await openConnect()
  bridge.answer('connect', () => fail('proxy-login'))
  bridge.answer('getNewNetwork', () => ok(anAccount))
  await screen.getByRole('textbox', { name: 'Service address' }).fill('stats.example')
  await screen.getByLabelText('API key', { exact: true }).fill('key')
  await connect.click()
  await expect.element(screen.getByText('Enter them under “Proxy and certificates”, then connect again.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Enter…' })).toBeVisible()
  expect(bridge.requests('getNewNetwork').at(-1)).toEqual({ address: 'stats.example' })
  await expectAccessible()
})

test('the connect form shows the proxy on the way to an address once the address was checked', async () => {
  const { screen, bridge } = await openConnect()
  let checked = false
  bridge.answer('getNewNetwork', () => ok({ ...anAccount, route: checked ? anAccount.route : null }))
  bridge.answer('checkAddress', () => {
    checked = true
    return ok(undefined)
  })
  await screen.getByText('Proxy and certificates').click()
  const address = screen.getByRole('textbox', { name: 'Service address' })
  await address.fill('stats.example')
  await expect.element(screen.getByText('Shown after you enter an address')).toBeVisible()
  await screen.getByLabelText('API key', { exact: true }).click()
  await expect.element(screen.getByText(/gate\.acme\.example/)).toBeVisible()
})

test('a certificate that was chosen in a canceled form is not used for the next account', async () => {
  const { bridge, screen, goTo } = await openApp({})
  let authorities: CertificateSummary[] = []
  bridge.answer('getNewNetwork', () => ok({ ...anAccount, authorities }))
  bridge.answer('chooseCertificate', () => {
    authorities = [ada]
    return ok('saved')
  })
  bridge.answer('removeCertificate', ({ connection, use }) => {
    if (connection === 'new' && use === 'authority') authorities = []
    return ok(undefined)
  })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await screen.getByText('Proxy and certificates').click()
  await screen.getByRole('button', { name: 'Choose file…' }).last().click()
  await expect.element(screen.getByText(/Ada.*, issued by/)).toBeVisible()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await screen.getByText('Proxy and certificates').click()
  await expect.element(screen.getByText('Additional certificate authority')).toBeVisible()
  await expect.element(screen.getByText(/Ada.*, issued by/)).not.toBeInTheDocument()
})

test('the status leads to the network settings when the proxy requires a sign-in', async () => {
  const { screen, bridge } = await openApp({})
  bridge.answer('listNetwork', () => ok([anAccount]))
  bridge.setState({ reach: { state: 'offline', since: 0, error: { code: 'proxy-login', message: '' } } })
  const status = screen.getByRole('status').filter({ hasText: 'Offline' })
  await expect.element(status).toMatchTextContent('Your proxy requires a user name and password')
  await status.getByRole('button', { name: 'Open network settings' }).click()
  const heading = screen.getByRole('heading', { name: 'Network' })
  await expect.element(heading).toBeInViewport()
  await expectAccessible()
})

test.each(['de', 'fr', 'es'] as const)(
  'the button in the status is not wider than the sidebar (language: %s)',
  async (shown) => {
    await page.viewport(1180, 740)
    const language = { shown, system: shown, formats: shown }
    const { bridge } = await openApp({ state: anAppState({ language }) })
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const offline = { state: 'offline', since: 0, error: { code: 'proxy-login', message: '' } } as const
    for (const [tone, state] of [
      ['wait', { reach: offline }],
      ['bad', { reach: { state: 'online' }, parked: 1 }],
    ] as const) {
      bridge.setState(state)
      await expect.poll(() => box(`[data-tone=${tone}] button`).width).toBeGreaterThan(0)
      expect(box('[role=status] button').right).toBeLessThanOrEqual(box('[role=status]').right)
    }
  },
)
