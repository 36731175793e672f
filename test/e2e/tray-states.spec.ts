import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lock, unlock } from '../../scripts/keyring-states.mjs'
import { expect, sharedTest, test, type Siteward } from './support/app.ts'
import { startFaultyService, type Fault } from './support/faulty.ts'
import { askToConnect, connect, saveWebsite, websiteRow } from './support/screens.ts'
import type { Tray } from './support/tray.ts'

/** Returns the expected menu, group by group. `choices`: the entries that differ from those of the normal state. */
const menu = (standing: string, choices: { send?: string; pause?: string; add?: string; settings?: string } = {}) => {
  const { send = '(Send now)', pause = 'Pause sending', add = 'Add website', settings = 'Settings' } = choices
  return ['Open Siteward', `(${standing}) | ${send} | ${pause}`, `${add} | ${settings}`, 'Quit Siteward']
}

const fileOf = (userData: string): string => {
  const folder = join(userData, 'connections')
  const name = readdirSync(folder).find((each) => each.endsWith('.db'))
  if (name === undefined) throw new Error('there is no connection')
  return join(folder, name)
}

const answering =
  (status: number, methods: string[], headers: Record<string, string> = {}): Fault =>
  (request, response) => {
    if (!methods.includes(request.method ?? '')) return false
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end('{"message":"Not now."}')
    return true
  }

async function quitConnected({ page, quit }: Siteward, service: { address: string; apiKey: string }) {
  await connect(page, service)
  await quit()
}

async function quitWithOnePending({ page, quit }: Siteward, tray: Tray, service: { address: string; apiKey: string }) {
  await connect(page, service)
  await tray.choose('Pause sending')
  await saveWebsite(page, 'waits.example')
  await expect(websiteRow(page, 'waits.example')).toBeVisible()
  await expect.poll(tray.toolTip).toBe('Siteward: Sending is paused, 1 change pending')
  await quit()
}

sharedTest(
  'has a picture, a text and a menu for each state that needs no attention',
  async ({ siteward: { page }, tray }) => {
    const service = await startFaultyService(12)
    const shows = async (kind: string, expected: string[]) => {
      await expect.poll(tray.menu).toEqual(expected)
      expect(await tray.picture()).toBe(kind)
    }

    await shows('idle', menu('Not connected', { add: '(Add website)', settings: '(Settings)' }))
    await connect(page, service)
    await shows('idle', menu('All changes sent'))

    service.fault = (_request, response) => Boolean(response.destroy())
    await saveWebsite(page, 'held.example')
    await shows('offline', menu('Offline, 1 change pending', { send: 'Send now' }))

    // The service is reachable again, and rejects writes for now.
    service.fault = answering(429, ['POST'], { 'retry-after': '60' })
    await tray.choose('Send now')
    await shows('pending', menu('1 change pending', { send: 'Send now' }))
    expect(await tray.toolTip()).toBe('Siteward: 1 change pending')
    await expect(page.getByRole('status')).toContainText('1 change pending')

    await tray.choose('Pause sending')
    await shows('paused', menu('Sending is paused, 1 change pending', { pause: 'Resume sending' }))
    service.close()
  },
)

sharedTest('shows “needs attention” for a rejected key', async ({ siteward: { page }, tray }) => {
  const service = await startFaultyService(12)
  await connect(page, service)
  service.fault = answering(401, ['GET', 'POST'])
  await saveWebsite(page, 'held.example')
  await expect.poll(tray.menu).toEqual(menu('The API key was rejected', { send: '(1 change pending) | Send now' }))
  expect(await tray.picture()).toBe('attention')
  service.close()
})

sharedTest(
  'shows a change that needs attention before pending ones, and the last result below it',
  async ({ siteward: { page }, tray, service }) => {
    await connect(page, service)
    await saveWebsite(page, 'goes-out.example')
    await expect.poll(() => service.store.byDomain('goes-out.example')).toBeTruthy()
    await saveWebsite(page, 'taken.example')
    await expect.poll(tray.picture).toBe('attention')
    const [, standing] = await tray.menu()
    expect(standing).toMatch(
      /^\(1 change needs attention\) \| \(Sent: goes-out\.example, [^|]*\d[^|]*\) \| \(Send now\) \| Pause sending$/,
    )
  },
)

test('shows “needs attention” for data of a newer version, and does not show its pending changes as sent', async ({
  launch,
  launchHidden,
  tray,
  service,
  userData,
}) => {
  await quitWithOnePending(await launch(), tray, service)
  const file = new DatabaseSync(fileOf(userData))
  file.exec('PRAGMA user_version = 9999')
  file.close()
  await launchHidden()
  await expect.poll(tray.picture).toBe('attention')
  const text = '1 change pending until you install the newer version'
  expect(await tray.toolTip()).toBe(`Siteward: ${text}`)
  expect(await tray.menu()).toEqual(menu(text, { pause: 'Resume sending', add: '(Add website)' }))
})

test('shows “needs attention” for damaged data until the user has looked at it', async ({
  launch,
  launchHidden,
  tray,
  service,
  userData,
}) => {
  await quitConnected(await launch(), service)
  const file = fileOf(userData)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill('?', bytes.length - 3000))
  const { page } = await launchHidden()
  await expect.poll(tray.toolTip).toBe('Siteward: This account’s data was damaged')
  expect(await tray.picture()).toBe('attention')
  await tray.choose('Open Siteward')
  await (await page()).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(tray.picture).toBe('idle')
})

test('shows “needs attention” for data that can’t be opened', async ({
  launch,
  launchHidden,
  tray,
  service,
  userData,
}) => {
  await quitConnected(await launch(), service)
  const other = new DatabaseSync(fileOf(userData))
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  await launchHidden()
  await expect.poll(tray.picture).toBe('attention')
  const text = 'Another app is using Siteward’s data.'
  expect(await tray.menu()).toEqual(menu(text, { add: '(Add website)', settings: '(Settings)' }))
  other.close()
})

test('shows “needs attention” for a locked keychain', async ({ launch, launchHidden, tray, keychain, service }) => {
  test.skip(process.platform !== 'linux', 'The keychains of other systems can’t be locked by a test')
  await quitWithOnePending(await launch(), tray, service)
  lock(keychain)
  await launchHidden()
  await expect.poll(tray.picture).toBe('attention')
  const locked = 'The keychain is locked, 1 change pending'
  expect(await tray.menu()).toEqual(menu(locked, { pause: 'Resume sending' }))
})

test('shows “needs attention” at the next start for a key that was only kept until the app ended', async ({
  launch,
  launchHidden,
  tray,
  keychain,
  service,
}) => {
  test.skip(process.platform !== 'linux', 'The keychains of other systems can’t be locked by a test')
  lock(keychain)
  const first = await launch()
  await askToConnect(first.page, service)
  await first.page.getByRole('button', { name: /without storing/ }).click()
  await expect.poll(tray.menu).toEqual(menu('All changes sent'))
  await first.quit()
  await unlock(keychain)
  await launchHidden()
  await expect.poll(tray.menu).toEqual(menu('The API key is missing'))
  expect(await tray.picture()).toBe('attention')
})
