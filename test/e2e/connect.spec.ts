import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { search } from './canary/search.ts'
import { expect, sharedTest as test, test as ownTest } from './support/app.ts'
import { planted } from './support/planted.ts'
import { askToConnect, connect, goTo, websiteTable } from './support/screens.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

test('connects with address and key, and shows the websites and the account', async ({ page, service }) => {
  await connect(page, service)
  await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12) // the head and all rows
  await expect(page.getByText('Northwind Agency').first()).toBeVisible()
  await goTo(page, 'Account')
  await expect(page.getByText(/12 of 500 websites/)).toBeVisible()
})

test('treats a pasted address with /api/v1 and a trailing slash as the same address', async ({ page, service }) => {
  await connect(page, { ...service, address: `${service.address}/api/v1/` })
  await expect(websiteTable(page)).toBeVisible()
})

test('connects by keyboard, and sends the pasted key only on Enter', async ({ page, service }) => {
  const [address, apiKey] = [page.getByLabel('Service address'), page.getByLabel('API key', { exact: true })]
  const cut = async (text: string): Promise<void> => {
    await page.keyboard.insertText(text)
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Control+X')
    await expect(address).toHaveValue('')
  }
  await expect(address).toBeFocused()
  await cut(service.apiKey)
  await page.keyboard.insertText(`${service.address}/api/v1/websites?page=1`)
  await expect(page.getByText('“/api/v1/websites?page=1” is ignored.')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByText(`The service responds at ${service.address}`)).toBeVisible()
  await page.keyboard.press('Control+V')
  await expect(apiKey).toHaveValue(service.apiKey)
  expect(service.store.requests().map(({ status }) => status)).toEqual([401])
  await page.keyboard.press('Enter')
  await websiteTable(page).waitFor()
})

test('reports an address without a server, or with another server, before there is a key', async ({ page }) => {
  const address = page.getByLabel('Service address')
  await address.fill(`http://127.0.0.1:${await freePort()}`)
  await page.keyboard.press('Tab')
  await expect(page.getByText('Couldn’t reach the service.')).toBeVisible()
  const other = createHttpServer((_request, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  await address.fill(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  await expect(page.getByText('Couldn’t reach the service.')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByText('A different service responded at this address.')).toBeVisible()
  other.close()
})

test('explains a wrong key, and keeps the input', async ({ page, service }) => {
  await askToConnect(page, { address: service.address, apiKey: planted.wrongKey })
  await expect(page.getByText('This API key was rejected.').first()).toBeVisible()
  await expect(page.getByLabel('Service address')).toHaveValue(service.address)
  await expect(page.getByLabel('API key')).toHaveValue(planted.wrongKey)
})

test('explains an address without a listener and an invalid address differently', async ({ page }) => {
  await page.getByLabel('API key').fill(planted.wrongKey)
  await page.getByLabel('Service address').fill('not an address')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Service address').fill(`http://127.0.0.1:${String(await freePort())}`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByLabel('Service address')).toHaveAccessibleDescription(/Couldn’t reach the service/)
})

test('opens the sample data with one click, and marks it as such', async ({ page }) => {
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await expect(websiteTable(page)).toBeVisible()
  await expect(page.getByText(/sample data/i).first()).toBeVisible()
})

ownTest(
  'the key is in the keychain and in no file, and the next start needs no input',
  async ({ launch, service, userData }) => {
    const first = await launch()
    await connect(first.page, service)
    await first.quit()
    expect(search(userData, [service.apiKey])).toEqual([])
    const second = await launch()
    await expect(websiteTable(second.page)).toBeVisible()
    await goTo(second.page, 'Account')
    await expect(second.page.getByText(/keychain/i).first()).toBeVisible()
  },
)

ownTest(
  'shows the connect form after a disconnect, and the next start asks for a key',
  async ({ siteward, page, launch, service }) => {
    await connect(page, service)
    await goTo(page, 'Account')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('button', { name: 'Try with sample data' })).toBeVisible()
    await siteward.quit()
    const next = await launch()
    await expect(next.page.getByLabel('API key')).toHaveValue('')
    await expect(websiteTable(next.page)).toHaveCount(0)
  },
)

test.describe('without a keychain', () => {
  ownTest.use({ keychain: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }, panel: false })

  ownTest(
    'says what to install, and connects without storing the key, which is missing at the next start',
    async ({ launch, service, userData }) => {
      const { page, quit } = await launch()
      await askToConnect(page, service)
      await expect(page.getByText('apt-get install gnome-keyring')).toBeVisible()
      await page.getByRole('button', { name: /without storing/ }).click()
      await expect(websiteTable(page)).toBeVisible()
      await quit()
      expect(search(userData, [service.apiKey])).toEqual([])
      const next = await launch()
      await expect(next.page.getByText('The API key is missing')).toBeVisible()
    },
  )
})
