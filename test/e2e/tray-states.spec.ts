import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { expect, test, type Siteward } from './support/app.ts'
import { connect, saveWebsite, websiteRow } from './support/screens.ts'
import { trayOf } from './support/tray.ts'

test.skip(presentRuntime().kind === 'electron', 'Electron gives no way to read a tray back; the host records it')

/** The whole menu, group by group, as it is where nothing is out of the ordinary. */
const menu = (standing: string, choices: { send?: string; pause?: string; add?: string; settings?: string } = {}) => {
  const { send = '(Send now)', pause = 'Pause sending', add = 'Add website…', settings = 'Settings' } = choices
  return ['Open', `(${standing}) | ${send} | ${pause}`, `${add} | ${settings}`, 'Quit']
}

const fileOf = (userData: string): string => {
  const folder = join(userData, 'connections')
  const name = readdirSync(folder).find((each) => each.endsWith('.sqlite'))
  if (name === undefined) throw new Error('there is no connection')
  return join(folder, name)
}

/** One change waits on disk, and nothing was sent before. */
async function quitWithOneWaiting({ app, page, quit }: Siteward, service: { address: string; apiKey: string }) {
  await connect(page, service)
  await trayOf(app).choose('Pause sending')
  await saveWebsite(page, 'waits.example')
  await expect(websiteRow(page, 'waits.example')).toBeVisible()
  await expect.poll(trayOf(app).toolTip).toBe('Siteward: sending is paused, 1 change waiting')
  await quit()
}

test('data of a newer version needs the person, and what waits in it isn’t told as sent', async ({
  launch,
  launchHidden,
  service,
  userData,
}) => {
  await quitWithOneWaiting(await launch(), service)
  const file = new DatabaseSync(fileOf(userData))
  file.exec('PRAGMA user_version = 9999')
  file.close()
  const tray = trayOf((await launchHidden()).app)
  await expect.poll(tray.picture).toBe('attention')
  const words = '1 change waiting, which only a newer version of Siteward can send'
  expect(await tray.toolTip()).toBe(`Siteward: ${words}`)
  expect(await tray.menu()).toEqual(menu(words, { pause: 'Resume sending', add: '(Add website…)' }))
})

test('data that was damaged needs the person, until they have seen it', async ({
  launch,
  launchHidden,
  service,
  userData,
}) => {
  const first = await launch()
  await connect(first.page, service)
  await first.quit()
  const file = fileOf(userData)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill('?', bytes.length - 3000))
  const { app, page } = await launchHidden()
  const tray = trayOf(app)
  await expect.poll(tray.toolTip).toBe('Siteward: this connection’s data was damaged')
  expect(await tray.picture()).toBe('attention')
  await tray.choose('Open')
  await (await page()).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(tray.picture).toBe('idle')
})

test('data that can’t be opened needs the person', async ({ launch, launchHidden, service, userData }) => {
  const first = await launch()
  await connect(first.page, service)
  await first.quit()
  const other = new DatabaseSync(fileOf(userData))
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const tray = trayOf((await launchHidden()).app)
  await expect.poll(tray.picture).toBe('attention')
  const words = 'Another Siteward has this data open'
  expect(await tray.menu()).toEqual(menu(words, { add: '(Add website…)', settings: '(Settings)' }))
  other.close()
})
