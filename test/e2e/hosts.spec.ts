import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startBareHost } from '../unit/service/hosts/bare-host.ts'
import { startProxiedHost } from '../unit/service/hosts/proxied-host.ts'
import { KEY, type Listen, type TestHost } from '../unit/service/hosts/test-host.ts'
import { expect, sharedTest as base } from './support/app.ts'
import { sendNow } from './support/clock.ts'
import {
  addWebsite,
  askToConnect,
  confirmation,
  connect,
  connectForm,
  openWebsite,
  websiteRow,
  websiteTable,
} from './support/screens.ts'

const test = base.extend<{ listen: Listen }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  listen: async ({}, use) => {
    const servers: Server[] = []
    await use(async (server) => {
      servers.push(server)
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return (server.address() as AddressInfo).port
    })
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  },
})

const WEBSITES = 23

for (const [name, start] of Object.entries({ bare: startBareHost, proxied: startProxiedHost })) {
  test(`lists and edits the websites of a host that answers in its own shape (${name})`, async ({ page, listen }) => {
    const host = await start(WEBSITES, listen)
    const there = (domain: string) => host.all().find((website) => website.domain === domain)
    await connect(page, { address: host.address, apiKey: host.key })
    await expectList(page, host)

    const changed = await openWebsite(page, 'n7.example')
    await changed.excludedIps.fill('203.0.113.7\n2001:db8::/32')
    await changed.emailReports.click()
    await changed.save.click()
    await expect
      .poll(() => there('n7.example'))
      .toMatchObject({ exclude_ips: '203.0.113.7\n2001:db8::/32', email: true, privacy: 0 })

    const added = await addWebsite(page)
    await added.domain.fill('https://www.Added.example/')
    await added.privacy('Password').click()
    await added.password.fill('open sesame, please')
    await added.save.click()
    await expect.poll(() => there('added.example')).toMatchObject({ privacy: 2, password: 'open sesame, please' })
    await expect(websiteRow(page, 'added.example')).toBeVisible()

    const removed = await openWebsite(page, 'n9.example')
    await removed.choose('Delete…')
    await confirmation(page).getByRole('button', { name: 'Delete' }).click()
    // Deletes at once, without the ten seconds in which a delete can be undone.
    const deleted = async () => {
      await sendNow(page)
      return there('n9.example')
    }
    await expect.poll(deleted, { timeout: 30_000 }).toBeUndefined()
    await expect(websiteRow(page, 'n9.example')).toHaveCount(0)
    expect(host.all()).toHaveLength(WEBSITES)
  })
}

async function expectList(page: Parameters<typeof websiteTable>[0], host: TestHost): Promise<void> {
  await expect(page.getByText(`${String(host.all().length)} websites`).first()).toBeVisible()
  for (const { domain } of host.all().slice(-10)) await expect(websiteRow(page, domain)).toBeVisible()
}

const answering =
  (status: number, type: string, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body)

test('says that the network may require a sign-in if its sign-in page answers instead of the service, and does not connect', async ({
  page,
  listen,
}) => {
  const html = '<!doctype html><title>Welcome</title><img src=x onerror="window.broken=1"><p>Log in</p>'
  const port = await listen(createServer(answering(200, 'text/html', html)))
  await connectForm(page)
  await askToConnect(page, { address: `http://127.0.0.1:${String(port)}`, apiKey: KEY })
  const form = page.getByRole('form', { name: 'Connect' })
  await expect(form).toContainText('A different service responded at this address.')
  await expect(form).toContainText('whether this network requires you to sign in')
  await form.getByText('Details').click()
  await expect(form).toContainText('HTTP status 200')
  await expect(websiteTable(page)).toHaveCount(0)
  await expect(page.getByLabel('API key', { exact: true })).toHaveValue(KEY)
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
})

test('keeps the list and queues changes while a sign-in page replaces the service, and sends them afterwards', async ({
  page,
  listen,
}) => {
  let signedIn = true
  const host = await startBareHost(WEBSITES, (server) => {
    const [serve] = server.listeners('request') as RequestListener[]
    const portal = answering(200, 'text/html', '<!doctype html><title>Welcome</title>')
    server.removeAllListeners('request').on('request', (...args) => (signedIn ? serve : portal)?.(...args))
    return listen(server)
  })
  await connect(page, { address: host.address, apiKey: host.key })
  await expectList(page, host)
  signedIn = false
  await page.keyboard.press('F5')
  const status = page.getByRole('status').filter({ hasText: 'A different service responded at this address' })
  await expect(status).toContainText('This network may require you to sign in.')
  await expectList(page, host)
  const changed = await openWebsite(page, 'n20.example')
  await changed.excludedIps.fill('203.0.113.7')
  await changed.save.click()
  await expect(status).toContainText('1 change pending')
  expect(host.all()[20]?.exclude_ips).toBe('')
  signedIn = true
  // The app notices by itself that the service answers again.
  await expect.poll(() => host.all()[20]?.exclude_ips, { timeout: 45_000 }).toBe('203.0.113.7')
  await expect(status).toHaveCount(0)
})
