import { freeze, lock, thaw, unlock } from '../../scripts/keyring-states.mjs'
import { expect, test, type Fixtures } from './support/app.ts'
import { endWait } from './support/clock.ts'
import {
  askToConnect,
  connect,
  goTo,
  goToAdvancedSettings,
  saveWebsite,
  search,
  websiteRow,
  websiteTable,
} from './support/screens.ts'

test.skip(process.platform !== 'linux', 'The keychains of other systems can’t be locked or frozen by a test')

test.use({ endsWaits: true })

/** In milliseconds: how long the app waits for the keychain. */
const TIME_LIMIT = 15_000

/** Starts an app that was connected before, and whose key is in a keychain that is now locked. */
async function startLocked({ launch, service, keychain }: Pick<Fixtures, 'launch' | 'service' | 'keychain'>) {
  const first = await launch()
  await connect(first.page, service)
  await first.quit()
  lock(keychain)
  return (await launch()).page
}

test('while the keychain doesn’t answer, the list and edits work, and once it answers, the key is read without a click', async ({
  launch,
  service,
  keychain,
}) => {
  const first = await launch()
  await connect(first.page, service)
  await first.quit()
  const domain = service.store.all().at(-1)?.domain ?? '-'
  const known = service.store.requests().length
  freeze(keychain)
  try {
    const { app, page, quit } = await launch()
    // Until the app gives up on the keychain, the list can be read and searched, and an edit is stored on disk.
    await expect(page.getByRole('status').filter({ hasText: 'Waiting for the keychain' })).toBeVisible()
    await expect(websiteRow(page, domain)).toBeVisible()
    await search(page, domain.slice(0, 5))
    await expect(websiteRow(page, domain)).toBeVisible()
    await search(page, '')
    await saveWebsite(page, 'while-it-asks.example')
    await expect(websiteRow(page, 'while-it-asks.example')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Waiting for the keychain' })).toBeVisible()
    // Nothing goes out without the key.
    expect(service.store.requests()).toHaveLength(known)

    // Our own time limit ends the wait, and the user sees an error.
    await endWait(app, TIME_LIMIT)
    await expect(page.getByRole('status').filter({ hasText: 'The keychain isn’t responding' })).toBeVisible({
      timeout: 30_000,
    })
    thaw(keychain)
    await expect.poll(() => service.store.byDomain('while-it-asks.example')).toBeTruthy()
    await expect(page.getByRole('status').filter({ hasText: 'All changes sent' })).toBeVisible()
    await quit()
  } finally {
    thaw(keychain)
  }
})

test('a locked keychain is shown as locked, and once unlocked gives the key when the user tries again', async ({
  launch,
  service,
  keychain,
}) => {
  const page = await startLocked({ launch, service, keychain })
  await expect(page.getByRole('status').filter({ hasText: 'The keychain is locked' })).toBeVisible()
  await expect(websiteTable(page)).toBeVisible()
  await goTo(page, 'Account')
  await page.getByRole('button', { name: 'Try the keychain again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The keychain is locked' })).toBeVisible()
  await unlock(keychain)
  // The keychain may still be asked by the first try, which then gives the key by itself.
  const again = page.getByRole('button', { name: 'Try the keychain again' })
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 })
    await expect(page.getByRole('status').filter({ hasText: 'All changes sent' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

test('with a locked keychain a key is accepted without being stored, and is gone at the next start', async ({
  launch,
  keychain,
  service,
}) => {
  lock(keychain)
  const first = await launch()
  await askToConnect(first.page, service)
  await first.page.getByRole('button', { name: /without storing/ }).click()
  await expect(websiteTable(first.page)).toBeVisible()
  await first.quit()
  await unlock(keychain)
  const second = await launch()
  await expect(second.page.getByText('The API key is missing')).toBeVisible()
})

test('with a locked keychain the check of the set-up still reports on the service, and that the key is unknown', async ({
  launch,
  keychain,
  service,
}) => {
  const page = await startLocked({ launch, service, keychain })
  await goToAdvancedSettings(page)
  const check = page.getByRole('button', { name: 'Check setup' })
  const parts = page.getByRole('list', { name: 'Setup' }).getByRole('listitem')
  const part = (name: string) => parts.filter({ has: page.getByText(name, { exact: true }) })
  await check.click()
  await expect(part('Keychain')).toContainText('Problem')
  await expect(part('Address')).toContainText('OK')
  await expect(part('API key')).toContainText('Unknown')
  await expect(part('API key')).toContainText('The keychain is locked.')

  await service.close()
  await check.click()
  await expect(part('Address')).toContainText('Couldn’t reach the service.')
  await expect(part('API key')).toContainText('Unknown')
})
