import { createServer, request as forward } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { search } from './canary/search.ts'
import { expect, test as base } from './support/app.ts'
import { socksServer } from '../unit/service/socks-server.ts'
import { planted } from './support/planted.ts'
import { askToConnect, connect, goTo, websiteTable } from './support/screens.ts'
import { useApp } from './support/use-app.ts'

/** A name that no resolver knows, so only the proxy reaches it. */
const ADDRESS = 'http://stats.invalid'

interface ProxyFixtures {
  /** The proxy that the environment names, with the requested targets and the number of connections accepted so far. */
  proxied: { port: number; requested: string[]; connected: () => number }
  scheme: string
  variables: readonly string[]
  /** The `name:password` that the proxy requires. Empty: none. */
  login: string
  loginNamed: boolean
}

const test = base.extend<ProxyFixtures>({
  scheme: ['http', { option: true }],
  variables: [['http_proxy', 'https_proxy'], { option: true }],
  login: ['', { option: true }],
  loginNamed: [true, { option: true }],

  proxied: async ({ service, scheme, login }, use) => {
    const requested: string[] = []
    let connected = 0
    const web = createServer((request, response) => {
      const { method, url = '' } = request
      const { 'proxy-authorization': given = '', ...headers } = request.headers
      if (login !== '' && given !== `Basic ${Buffer.from(login).toString('base64')}`) {
        return void response.writeHead(407).end()
      }
      requested.push(url)
      const onwards = forward(`${service.address}${url.slice(ADDRESS.length)}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onwards)
    })
    web.on('connect', ({ url = '' }, socket) => {
      requested.push(url)
      socket.destroy()
    })
    const to = { host: '127.0.0.1', port: Number(new URL(service.address).port) }
    const socks = socksServer({ to })
    const server = scheme === 'socks5' ? socks.server : web
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      connected += 1
      sockets.add(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await use({ port, requested: scheme === 'socks5' ? socks.targets : requested, connected: () => connected })
    for (const socket of sockets) socket.destroy()
    server.close()
  },

  keychain: async ({ keychain, proxied, scheme, variables, login, loginNamed }, use) => {
    const named = `${scheme}://${login === '' || !loginNamed ? '' : `${login}@`}127.0.0.1:${String(proxied.port)}`
    await use({ ...keychain, ...Object.fromEntries(variables.map((name) => [name, named])), no_proxy: '' })
  },
})

test('shows the websites of a service that only the system’s proxy reaches', async ({ page, service, proxied }) => {
  await connect(page, { ...service, address: ADDRESS })
  await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12)
  expect(proxied.requested).toContain(`${ADDRESS}/api/v1/account`)
  await goTo(page, 'Settings')
  const network = page.getByRole('region', { name: 'Network' })
  await expect(network).toContainText(`HTTP proxy 127.0.0.1:${String(proxied.port)}`)
})

test('from start to quit, the proxy is asked only for the service', async ({ siteward, service, proxied }) => {
  await useApp(siteward.app, siteward.page, { address: ADDRESS, service })
  await siteward.quit()
  expect(new Set(proxied.requested.map((url) => url.slice(0, ADDRESS.length + 1)))).toEqual(new Set([`${ADDRESS}/`]))
})

test('does not use the proxy for a service on this computer', async ({ page, service, proxied }) => {
  await connect(page, service)
  await expect(websiteTable(page)).toBeVisible()
  expect(proxied.requested).toEqual([])
})

test.describe('a proxy that requires a name and a password', () => {
  test.use({ login: 'Ada:proxy-secret' })

  test('gets the login of the environment, which no file contains', async ({
    siteward: { page, quit },
    service,
    proxied,
    userData,
  }) => {
    await connect(page, { ...service, address: ADDRESS })
    await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12)
    expect(proxied.requested).toContain(`${ADDRESS}/api/v1/account`)
    const shown = await page.evaluate(() => window.siteward?.listNetwork())
    const route = { kind: 'proxy', protocol: 'http', host: '127.0.0.1', port: proxied.port, login: 'environment' }
    expect(shown).toMatchObject({ ok: true, value: [{ route }] })
    await quit()
    expect(search(userData, ['proxy-secret'])).toEqual([])
  })
})

test.describe('a proxy whose login the environment doesn’t contain', () => {
  test.use({ login: `Ada:${planted.proxyPassword}`, loginNamed: false })

  test('gets the sign-in that the user enters, also after a restart, and no file has it', async ({
    launch,
    service,
    proxied,
    userData,
  }) => {
    const { page, quit } = await launch()
    await askToConnect(page, { ...service, address: ADDRESS })
    await expect(page.getByRole('alert')).toContainText('Your proxy requires a user name and password')
    await page.getByRole('button', { name: 'Enter…' }).click()
    await page.getByLabel('User name').fill('Ada')
    await page.getByLabel('Password', { exact: true }).fill(planted.proxyPassword)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Entered in Siteward')).toBeVisible()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12)
    await quit()
    expect(search(userData, [planted.proxyPassword])).toEqual([])

    const again = await launch()
    const before = proxied.requested.length
    await goTo(again.page, 'Settings')
    const network = again.page.getByRole('region', { name: 'Network' })
    await network.getByRole('button', { name: 'Test connection' }).click()
    const step = (name: string) => network.getByRole('listitem').filter({ hasText: name })
    await expect(step('API key')).toContainText('OK')
    await expect(step('Proxy sign-in')).toContainText('OK')
    expect(proxied.requested.length).toBeGreaterThan(before)

    await network.getByRole('button', { name: 'Remove' }).click()
    await expect(network).not.toContainText('Entered in Siteward')
    await network.getByRole('button', { name: 'Test connection' }).click()
    await expect(step('Service response')).toContainText('Not checked')
    await expect(step('Proxy sign-in')).toContainText('Failed')
  })
})

test.describe('a SOCKS 5 proxy', () => {
  test.use({ scheme: 'socks5' })

  for (const variables of [['all_proxy'], ['http_proxy', 'https_proxy']]) {
    test.describe(`named by ${variables.join(' and ')}`, () => {
      test.use({ variables })

      test('reaches the service, whose name it looks up', async ({ page, service, proxied }) => {
        await connect(page, { ...service, address: ADDRESS })
        await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12)
        expect(new Set(proxied.requested)).toEqual(new Set([`${new URL(ADDRESS).host}:80`]))
      })
    })
  }
})

test.describe('a SOCKS 4 proxy', () => {
  test.use({ scheme: 'socks4', variables: ['ALL_PROXY'] })

  test('is refused with a message, nothing is sent to its port, and it is not used for a service on this computer', async ({
    page,
    service,
    proxied,
  }) => {
    await askToConnect(page, { address: ADDRESS, apiKey: planted.wrongKey })
    await expect(page.getByRole('alert')).toContainText('SOCKS')
    await connect(page, service)
    expect(proxied.connected()).toBe(0)
  })
})
