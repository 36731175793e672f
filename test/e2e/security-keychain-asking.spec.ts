import { lock } from '../../scripts/keyring-states.mjs'
import { expect, test as base } from './support/app.ts'
import { startAskingKeychain, type AskingKeychain } from './support/asking-keychain.ts'
import { endWait } from './support/clock.ts'
import { connect, goTo, saveWebsite, websiteRow } from './support/screens.ts'

/** The test function for tests with a keychain that asks the user for its password. `beforeEach` locks the keychain. */
const test = base.extend<{ asking: AskingKeychain }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  asking: async ({}, use) => {
    const asking = await startAskingKeychain()
    await use(asking)
    await asking.stop()
  },
  keychain: ({ asking }, use) => use(asking.env),
})

// The session of the asking keychain has no panel.
test.use({ panel: false, endsWaits: true })
test.skip(process.platform !== 'linux', 'The prompts of other systems can’t be answered by a test')

/** In milliseconds: how long the app waits for the keychain. */
const TIME_LIMIT = 15_000

test.beforeEach(async ({ launch, service, asking }) => {
  const { page, quit } = await launch()
  await connect(page, service)
  await quit()
  lock(asking.env)
})

test('while the keychain asks for its password, the window works and nothing is sent; once the user answers, the key is read', async ({
  launch,
  service,
  asking,
}) => {
  const known = service.store.requests().length
  const { page } = await launch()
  await asking.asks()
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })
  await expect(status('Waiting for the keychain')).toContainText('The keychain may be asking for its password')
  await saveWebsite(page, 'while-it-asks.example')
  await expect(websiteRow(page, 'while-it-asks.example')).toBeVisible()
  expect(service.store.requests()).toHaveLength(known)
  await asking.answer()
  await expect(status('All changes sent')).toBeVisible()
  await expect.poll(() => service.store.byDomain('while-it-asks.example')).toBeTruthy()
})

test('the app’s time limit ends the wait for the keychain’s prompt, and the user is told where to look and may still answer', async ({
  launch,
  asking,
}) => {
  const { app, page } = await launch()
  await asking.asks()
  await endWait(app, TIME_LIMIT)
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })
  await expect(status('The keychain isn’t responding')).toBeVisible({ timeout: 30_000 })
  await goTo(page, 'Account')
  await expect(page.getByText('Check whether the keychain is asking for a password').first()).toBeVisible()
  await asking.answer()
  await expect(status('All changes sent')).toBeVisible()
})

test('after its prompt is dismissed, the keychain is shown as locked and asks again only when the user tries again', async ({
  launch,
  asking,
}) => {
  const { page } = await launch()
  await asking.dismiss()
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })
  await expect(status('The keychain is locked')).toBeVisible()
  await goTo(page, 'Account')
  expect(await asking.isAsking()).toBe(false)
  await page.getByRole('button', { name: 'Try the keychain again' }).click()
  await asking.answer()
  await expect(status('All changes sent')).toBeVisible()
})

test('a prompt that is dismissed after our time limit is not shown again by itself', async ({ launch, asking }) => {
  const { app, page } = await launch()
  await asking.asks()
  await endWait(app, TIME_LIMIT)
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })
  await expect(status('The keychain isn’t responding')).toBeVisible({ timeout: 30_000 })
  await asking.dismiss()
  await expect(status('Couldn’t read the API key')).toBeVisible()
  expect(await asking.isAsking()).toBe(false)
  await goTo(page, 'Account')
  await page.getByRole('button', { name: 'Try the keychain again' }).click()
  await asking.answer()
  await expect(status('All changes sent')).toBeVisible()
})
