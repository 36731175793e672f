// @ts-check
/** Takes the pictures. Started by scripts/screenshot.mjs, which tells what there is to choose. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { isAppPage, launchApp, quitApp } from '../launch.mjs'
import { inProject } from '../setup/project.mjs'
import { lock } from '../keyring-states.mjs'
import { startKeyring } from '../with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../xvfb.mjs'
import { screens } from './screens.mjs'
import { BOTH, situations, startService } from './situations.mjs'
import { hasWebsites } from './ways.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('playwright').ElectronApplication} App */

/**
 * @param {App} app
 * @param {Page} page
 * @param {string} folder
 * @param {string} name
 * @param {readonly ('light' | 'dark')[]} themes
 */
const picture = async (app, page, folder, name, themes) => {
  // Nothing is pointed at.
  await page.mouse.move(0, 0)
  for (const theme of themes) {
    await app.evaluate(({ nativeTheme }, source) => void (nativeTheme.themeSource = source), theme)
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme)
    const path = join(folder, themes.length > 1 ? `${name}-${theme}.png` : `${name}.png`)
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    console.log(path)
  }
}

/**
 * An app with throw-away data.
 *
 * @param {(app: App, page: Page, keychain: import('../keyring-states.mjs').KeyringEnv) => Promise<void>} look
 */
const withApp = async (look) => {
  const keyring = await startKeyring()
  const xvfb = lacksDisplay() ? await startXvfb() : null
  const userData = mkdtempSync(join(tmpdir(), 'siteward-pictures-'))
  const { app, page } = await launchApp({ userData, env: { ...keyring.env, ...xvfb?.env } })
  try {
    await page.getByRole('button', { name: 'Try with sample data' }).waitFor()
    await look(app, page, keyring.env)
  } finally {
    await quitApp(app)
    await xvfb?.stop()
    await keyring.stop()
    rmSync(userData, { recursive: true, force: true })
  }
}

/**
 * @param {App} app
 * @param {Page} page
 * @param {string} folder
 * @param {readonly ('light' | 'dark')[]} themes
 * @param {{ name: string, service: import('../../src/main/sample/service.ts').SampleService } & import('./situations.mjs').Situation} [situation]
 */
const pictureScreens = async (app, page, folder, themes, situation) => {
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await screens.websites?.show(page, null)
  const isEmpty = !(await hasWebsites(page))
  for (const [name, { show, leave, needsWebsites, needsService, only }] of Object.entries(screens)) {
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    if (
      situation ? (only && !only.includes(situation.name)) || situation.shows?.includes(name) === false : needsService
    )
      continue
    if (needsWebsites && isEmpty) continue
    await show(page, situation?.service ?? null)
    await picture(app, page, folder, name, themes)
    await leave?.(page)
  }
}

/** @param {string} folder */
const pictureSample = (folder) =>
  withApp(async (app, page) => {
    mkdirSync(folder, { recursive: true })
    await picture(app, page, folder, 'connect', BOTH)
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    await pictureScreens(app, page, folder, BOTH)
  })

/**
 * @param {string} name
 * @param {import('./situations.mjs').Situation} situation
 * @param {string} parent
 */
const pictureSituation = async (name, situation, parent) => {
  const folder = join(parent, name)
  const { themes = /** @type {const} */ (['light']) } = situation
  mkdirSync(folder, { recursive: true })
  const service = await startService(situation)
  try {
    await situation.prepare?.(service)
    await withApp(async (app, page) => {
      if (situation.view) {
        await resize(page, situation.view)
        await picture(app, page, folder, 'connect', themes)
      }
      await page.getByLabel('Service address').fill(service.address)
      if (situation.connects) {
        await page.keyboard.press('Tab')
        await page.getByText('The service answers').waitFor()
        await picture(app, page, folder, 'connect-address', themes)
        await page.getByLabel('API key', { exact: true }).fill('not-the-key')
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByText('copied whole').waitFor()
        await picture(app, page, folder, 'connect-refused', themes)
      }
      await page.getByLabel('API key', { exact: true }).fill(service.apiKey)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText(/^Seen /).waitFor()
      await situation.happen?.(page, service)
      await pictureScreens(app, page, folder, themes, { name, service, ...situation })
    })
  } finally {
    await service.close()
  }
}

/**
 * A key that the keychain can't take.
 *
 * @param {string} folder
 */
const pictureLocked = async (folder) => {
  const service = await startService({ websites: 1 })
  try {
    await withApp(async (app, page, keychain) => {
      mkdirSync(folder, { recursive: true })
      lock(keychain)
      await page.getByLabel('Service address').fill(service.address)
      await page.getByLabel('API key', { exact: true }).fill(service.apiKey)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('button', { name: /this run only/ }).waitFor()
      await picture(app, page, folder, 'connect-locked', BOTH)
      await page.getByText('When something doesn’t work').click()
      await page.getByRole('button', { name: 'Check my set-up' }).click()
      await page.getByRole('list', { name: 'Set-up' }).waitFor()
      await page.getByRole('button', { name: 'Copy diagnostics' }).scrollIntoViewIfNeeded()
      await picture(app, page, folder, 'connect-set-up', BOTH)
    })
  } finally {
    await service.close()
  }
}

/**
 * A page in a window of this size; `scale` is the zoom of its text.
 *
 * @param {Page} page
 * @param {{ width: number, height: number, scale: number }} view
 */
const resize = async (page, { width, height, scale }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false })
}

/**
 * @param {string} port
 * @param {string} path
 */
const pictureRunning = async (port, path) => {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const pages = browser.contexts().flatMap((context) => context.pages())
  const page = pages.find((candidate) => isAppPage(candidate.url()))
  if (!page) throw new Error(`the app's window isn't behind port ${port}`)
  await page.screenshot({ path })
  // It was only looked at: this ends the connection, not the app.
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
  for (const [name, situation] of Object.entries(values.all || values.only ? situations : {})) {
    if (!values.only || values.only === name) await pictureSituation(name, situation, join(folder, 'situations'))
  }
}
