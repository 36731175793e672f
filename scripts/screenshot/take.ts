/**
 * `npm run screenshot` takes a picture of each screen with the sample data, light and dark, into docs/pictures
 * (`--out FOLDER`). `--all`: also of each screen in each situation of situations.ts in which it looks different; `--only
 * NAME`: of that situation alone. `--port N`: one picture of an app that runs already
 * (`npm start -- --remote-debugging-port=N`), into siteward.png (`--out FILE`).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type ElectronApplication, type Page } from 'playwright'
import type { SampleService } from '../../src/main/sample/service.ts'
import { lock, type KeyringEnv } from '../keyring-states.mjs'
import { isAppPage, launchApp, quitApp } from '../launch.mjs'
import { inProject } from '../setup/project.mjs'
import { startKeyring } from '../with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../xvfb.mjs'
import { screens } from './screens.ts'
import { BOTH, situations, startService, type Situation } from './situations.ts'
import { hasWebsites, press } from './ways.ts'

/** Takes a picture of what is shown, in each theme. */
type Take = (name: string) => Promise<void>

/** Runs the app with throw-away data; the pictures go into a folder. */
async function withApp(
  folder: string,
  themes: readonly ('light' | 'dark')[],
  look: (page: Page, take: Take, keychain: KeyringEnv) => Promise<void>,
): Promise<void> {
  const keyring = await startKeyring()
  const xvfb = lacksDisplay() ? await startXvfb() : null
  const userData = mkdtempSync(join(tmpdir(), 'siteward-pictures-'))
  const { app, page } = await launchApp({ userData, env: { ...keyring.env, ...xvfb?.env } })
  mkdirSync(folder, { recursive: true })
  try {
    await page.getByRole('button', { name: 'Try with sample data' }).waitFor()
    await look(page, (name) => picture(app, page, join(folder, name), themes), keyring.env)
  } finally {
    await quitApp(app)
    await xvfb?.stop()
    await keyring.stop()
    rmSync(userData, { recursive: true, force: true })
  }
}

async function picture(app: ElectronApplication, page: Page, file: string, themes: readonly ('light' | 'dark')[]) {
  // The pointer is over nothing that would look different.
  await page.mouse.move(0, 0)
  for (const theme of themes) {
    await app.evaluate(({ nativeTheme }, source) => void (nativeTheme.themeSource = source), theme)
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme)
    const path = themes.length > 1 ? `${file}-${theme}.png` : `${file}.png`
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    console.log(path)
  }
}

async function pictureScreens(
  page: Page,
  take: Take,
  { service, isShown }: { service: SampleService | null; isShown: (name: string, only?: readonly string[]) => boolean },
): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Screens' })
  await navigation.waitFor()
  await screens['websites']?.show(page, service)
  const has = { websites: await hasWebsites(page), service: service !== null }
  for (const [name, { show, leave, needs = [], only }] of Object.entries(screens)) {
    await navigation.waitFor()
    if (!isShown(name, only) || needs.some((need) => !has[need])) continue
    await show(page, service)
    await take(name)
    await leave?.(page)
  }
}

const pictureSample = (folder: string): Promise<void> =>
  withApp(folder, BOTH, async (page, take) => {
    await take('connect')
    await press(page, 'Try with sample data')
    await pictureScreens(page, take, { service: null, isShown: () => true })
  })

async function fillIn(page: Page, { address }: SampleService, key: string): Promise<void> {
  await page.getByLabel('Service address').fill(address)
  await page.getByLabel('API key', { exact: true }).fill(key)
  await press(page, 'Connect')
}

async function pictureSituation(name: string, situation: Situation, parent: string): Promise<void> {
  const { themes = ['light'], view, connects, prepare, happen, shows } = situation
  const service = await startService(situation)
  try {
    await prepare?.(service)
    await withApp(join(parent, name), themes, async (page, take) => {
      if (view) {
        const session = await page.context().newCDPSession(page)
        const { width, height, scale: deviceScaleFactor } = view
        await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false })
        await take('connect')
      }
      if (connects) {
        await page.getByLabel('Service address').fill(service.address)
        await page.keyboard.press('Tab')
        await page.getByText('The service responds').waitFor()
        await take('connect-address')
        await fillIn(page, service, 'not-the-key')
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByText('copied all of it').first().waitFor()
        await take('connect-refused')
      }
      await fillIn(page, service, service.apiKey)
      await page.getByText(/^Updated /).waitFor()
      await happen?.(page, service)
      const isShown = (screen: string, only?: readonly string[]) =>
        (only?.includes(name) ?? true) && (shows?.includes(screen) ?? true)
      await pictureScreens(page, take, { service, isShown })
    })
  } finally {
    await service.close()
  }
}

/** Takes pictures of a connect form whose key the keychain can't store. */
async function pictureLocked(folder: string): Promise<void> {
  const service = await startService({ websites: 1 })
  try {
    await withApp(folder, BOTH, async (page, take, keychain) => {
      lock(keychain)
      await fillIn(page, service, service.apiKey)
      await page.getByRole('button', { name: /this run only/ }).waitFor()
      await take('connect-locked')
      await page.getByText('Troubleshooting').click()
      await press(page, 'Check setup')
      await page.getByRole('list', { name: 'Setup' }).waitFor()
      await page.getByRole('button', { name: 'Copy diagnostics' }).scrollIntoViewIfNeeded()
      await take('connect-set-up')
    })
  } finally {
    await service.close()
  }
}

async function pictureRunning(port: string, path: string): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const pages = browser.contexts().flatMap((context) => context.pages())
  const page = pages.find((candidate) => isAppPage(candidate.url()))
  if (!page) throw new Error(`The app's window isn't behind port ${port}.`)
  await page.screenshot({ path })
  // This ends the connection, not the app.
  await browser.close()
  console.log(path)
}

const { values } = parseArgs({
  options: { out: { type: 'string' }, port: { type: 'string' }, all: { type: 'boolean' }, only: { type: 'string' } },
})
if (values.port) await pictureRunning(values.port, values.out ?? 'siteward.png')
else {
  const folder = values.out ?? inProject('docs', 'pictures')
  if (!values.only) await pictureSample(folder)
  if (values.all && process.platform === 'linux') await pictureLocked(folder)
  for (const [name, situation] of Object.entries(values.all || values.only ? situations : {}))
    if (!values.only || values.only === name) await pictureSituation(name, situation, join(folder, 'situations'))
}
