import { search } from './canary/search.ts'
import { expect, test as base } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { startMutualTls, type MutualTls } from './support/mutual-tls.ts'
import { planted } from './support/planted.ts'
import { askToConnect, goTo, websiteTable } from './support/screens.ts'

const test = base.extend<{ secured: MutualTls }>({
  secured: async ({ service }, use) => {
    const secured = await startMutualTls(service.address, planted.passphrase)
    await use(secured)
    await secured.close()
  },
})

test('reaches a service with a private authority and a client certificate, also after a restart', async ({
  launch,
  secured,
  userData,
}) => {
  const { app, page, quit } = await launch()
  const connectAgain = () => page.getByRole('button', { name: 'Connect', exact: true }).click()
  await askToConnect(page, { address: secured.address, apiKey: planted.apiKey })
  await expect(page.getByRole('alert')).toContainText('certificate isn’t trusted')

  const [client, authority] = [0, 1].map((nth) => page.getByRole('button', { name: 'Choose file…' }).nth(nth))
  await choose(app, { filePaths: [secured.authority] })
  await authority?.click()
  await expect(page.getByText('Acme CA').first()).toBeVisible()
  await connectAgain()
  await expect(page.getByRole('alert')).toContainText('The service requires a client certificate')

  await choose(app, { filePaths: [secured.authority] })
  await client?.click()
  await expect(page.getByText('The certificate’s private key is missing.')).toBeVisible()
  await choose(app, { filePaths: [secured.client] })
  await client?.click()
  const passphrase = page.getByRole('textbox', { name: 'Passphrase' })
  await passphrase.fill(planted.wrongKey)
  await page.keyboard.press('Enter')
  await expect(page.getByText('This passphrase is incorrect.')).toBeVisible()
  await passphrase.fill(planted.passphrase)
  await page.keyboard.press('Enter')
  await expect(passphrase).toBeHidden()
  await connectAgain()
  await expect(websiteTable(page).getByRole('row')).toHaveCount(1 + 12)
  await quit()
  expect(search(userData, [planted.passphrase])).toEqual([])

  const again = await launch()
  await goTo(again.page, 'Settings')
  const network = again.page.getByRole('region', { name: 'Network' })
  await expect(network).toContainText('Ada')
  await network.getByRole('button', { name: 'Test connection' }).click()
  const step = (name: string) => network.getByRole('listitem').filter({ hasText: name })
  await expect(step('API key')).toContainText('OK')
  for (const name of ['Service certificate', 'Client certificate', 'Service response']) {
    await expect(step(name)).toContainText('OK')
  }

  await network.getByRole('button', { name: 'Remove' }).first().click()
  await expect(network).not.toContainText('Ada')
  await network.getByRole('button', { name: 'Test connection' }).click()
  await expect(step('Client certificate')).toContainText('Failed')
  await expect(step('Service certificate')).toContainText('OK')
})
