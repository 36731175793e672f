// @ts-check
/**
 * `npm run screenshot`: starts the app with throw-away data, looks at the sample data and takes a picture of each screen,
 * light and dark, into docs/pictures (`--out FOLDER`). `--port N`: one picture of an app that runs already
 * (`npm start -- --remote-debugging-port=N`), into siteward.png (`--out FILE`).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { presentRuntime } from './runtime.mjs'
import { inProject } from './setup/project.mjs'
import { runScript, setup } from './setup.mjs'
import { startKeyring } from './with-keyring.mjs'
import { lacksDisplay, startXvfb } from './xvfb.mjs'

/** @typedef {import('playwright').Page} Page */

/**
 * @param {Page} page
 * @param {string} name
 */
const goTo = (page, name) => page.getByRole('navigation').getByRole('button', { name, exact: true }).click()

/** @param {Page} page */
const openFirstWebsite = async (page) => {
  await goTo(page, 'Websites')
  await page.getByRole('grid', { name: 'Websites' }).getByRole('row').nth(1).click()
  await page.getByRole('form', { name: 'Website' }).waitFor()
}

/** @param {Page} page a delete waits ten seconds for Undo, long enough to be looked at */
const deleteFirstWebsite = async (page) => {
  await openFirstWebsite(page)
  await page.getByRole('form', { name: 'Website' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {[field: string, value: string][]} settings
 */
const addProfile = async (page, name, ...settings) => {
  await goTo(page, 'Profiles')
  await page.getByRole('button', { name: 'New profile…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  for (const [field, value] of settings)
    await dialog.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('article', { name })
    .getByText(/differ|are so/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}

/** @type {Record<string, (page: Page) => Promise<void>>} in the order in which they are gone through */
const screens = {
  websites: (page) => page.getByRole('grid', { name: 'Websites' }).getByRole('row').nth(1).waitFor(),
  editor: openFirstWebsite,
  profiles: async (page) => {
    await page.keyboard.press('Escape')
    await addProfile(page, 'Client default', ['Privacy', 'Private'], ['Exclude bots', 'On'])
    await addProfile(page, 'With reports', ['Email reports', 'On'])
    const differences = page.getByRole('article', { name: 'Client default' }).getByText('What differs')
    await differences.click()
  },
  account: (page) => goTo(page, 'Account'),
  settings: (page) => goTo(page, 'Settings'),
  pending: async (page) => {
    await deleteFirstWebsite(page)
    await goTo(page, 'Pending')
  },
}

/**
 * @param {import('playwright').ElectronApplication} app
 * @param {Page} page
 * @param {string} folder
 * @param {string} name
 */
const inBothThemes = async (app, page, folder, name) => {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    await app.evaluate(({ nativeTheme }, source) => void (nativeTheme.themeSource = source), theme)
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme)
    const path = join(folder, `${name}-${theme}.png`)
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    console.log(path)
  }
}

/** @param {string} folder */
const pictureAll = async (folder) => {
  const { launchApp, quitApp } = await import('./launch.mjs')
  const keyring = await startKeyring()
  const xvfb = presentRuntime().kind === 'electron' && lacksDisplay() ? await startXvfb() : null
  const userData = mkdtempSync(join(tmpdir(), 'siteward-pictures-'))
  const { app, page } = await launchApp({ userData, env: { ...keyring.env, ...xvfb?.env } })
  try {
    mkdirSync(folder, { recursive: true })
    await page.getByRole('button', { name: 'Try with sample data' }).waitFor()
    await inBothThemes(app, page, folder, 'connect')
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    for (const [name, show] of Object.entries(screens)) {
      await show(page)
      await inBothThemes(app, page, folder, name)
    }
  } finally {
    await quitApp(app)
    await xvfb?.stop()
    await keyring.stop()
    rmSync(userData, { recursive: true, force: true })
  }
}

/**
 * @param {string} port
 * @param {string} path
 */
const pictureRunning = async (port, path) => {
  const { chromium } = await import('playwright')
  const { isAppPage } = await import('./launch.mjs')
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const pages = browser.contexts().flatMap((context) => context.pages())
  const page = pages.find((candidate) => isAppPage(candidate.url()))
  if (!page) throw new Error(`the app's window isn't behind port ${port}`)
  await page.screenshot({ path })
  // It was only looked at: this ends the connection, not the app.
  await browser.close()
  console.log(path)
}

await runScript(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string' }, port: { type: 'string' } } })
  if (values.port) {
    await setup()
    return pictureRunning(values.port, values.out ?? 'siteward.png')
  }
  await setup({ need: ['build', 'test'] })
  return pictureAll(values.out ?? inProject('docs', 'pictures'))
})
