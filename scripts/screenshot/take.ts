/**
 * `npm run screenshot` takes a picture of each screen with the sample data, light and dark, into docs/pictures (`--out FOLDER`).
 * `--all`: also each screen in each situation of situations.ts in which the screen looks different; `--only NAME`: in that
 * situation alone.
 * `--language LOCALE`: each screen in that language, wide and narrow, with a report of texts that are cut off or overlap;
 * `pseudo` also finds texts that are not translated.
 * `--port N`: one picture of an app that runs already (`npm start -- --remote-debugging-port=N`), into siteward.png (`--out
 * FILE`).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type ElectronApplication, type Page } from 'playwright'
import type { SampleService } from '../../src/main/sample/service.ts'
import { lock, type KeyringEnv } from '../keyring-states.mjs'
import { isAppPage, launchApp, quitApp } from '../launch.mjs'
import { inProject } from '../setup/project.mjs'
import { PSEUDO } from '../setup/pseudo.mjs'
import { startKeyring } from '../with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../xvfb.mjs'
import { screens } from './screens.ts'
import { findFlaws } from './layout-check.ts'
import { BOTH_THEMES, situations, startService, type Situation } from './situations.ts'
import { showIn, t } from './texts.ts'
import { fillIn, hasWebsites, press } from './ways.ts'

let locale = 'en'

/** The file that each file dialog opens: changed cells, a new website, and a cell with a problem. */
const TABLE = `domain,privacy,email,exclude_ips
cedar-coaching.example,public,on,"203.0.113.9
198.51.100.0/24"
quill-theatre.example,public,off,(none)
north-star-hotel.example,,maybe,203.0.113.9
new-shop.example,private,on,
`

type Capture = (name: string) => Promise<void>

async function withApp(
  folder: string,
  themes: readonly ('light' | 'dark')[],
  look: (page: Page, capture: Capture, keychain: KeyringEnv) => Promise<void>,
): Promise<void> {
  const keyring = await startKeyring()
  const xvfb = lacksDisplay() ? await startXvfb() : null
  const userData = mkdtempSync(join(tmpdir(), 'siteward-pictures-'))
  const env = { ...keyring.env, ...xvfb?.env, LANGUAGE: locale }
  const { app, page } = await launchApp({ userData, env, args: [`--lang=${locale}`] })
  mkdirSync(folder, { recursive: true })
  const table = join(userData, 'websites.csv')
  writeFileSync(table, TABLE)
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, table)
  try {
    await page.getByRole('button', { name: t('Try with sample data') }).waitFor()
    await look(page, (name) => picture(app, page, join(folder, name), themes), keyring.env)
  } finally {
    await quitApp(app)
    await xvfb?.stop()
    await keyring.stop()
    rmSync(userData, { recursive: true, force: true })
  }
}

async function picture(app: ElectronApplication, page: Page, file: string, themes: readonly ('light' | 'dark')[]) {
  // Moves the pointer away, so that no control looks hovered.
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
  capture: Capture,
  { service, isShown }: { service: SampleService | null; isShown: (name: string, only?: readonly string[]) => boolean },
): Promise<void> {
  const navigation = page.getByRole('navigation', { name: t('Screens') })
  await navigation.waitFor()
  await screens['websites']?.show(page, service)
  const has = { websites: await hasWebsites(page), service: service !== null }
  for (const [name, { show, leave, needs = [], only }] of Object.entries(screens)) {
    await navigation.waitFor()
    if (!isShown(name, only) || needs.some((need) => !has[need])) continue
    await show(page, service)
    await capture(name)
    await leave?.(page)
  }
}

const pictureSample = (folder: string): Promise<void> =>
  withApp(folder, BOTH_THEMES, async (page, capture) => {
    await capture('connect')
    await press(page, 'Try with sample data')
    await pictureScreens(page, capture, { service: null, isShown: () => true })
  })

/** In CSS pixels. */
const WIDTHS = [1180, 480]

async function resize(page: Page, { width, height, scale }: NonNullable<Situation['view']>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false })
}

/** Takes pictures in another language, and reports what is wrong with the texts. Returns the number of flaws. */
async function pictureLanguage(folder: string): Promise<number> {
  let flaws = 0
  for (const width of WIDTHS) {
    // A flaw is reported for the first screen that has it.
    const seenFlaws = new Set<string>()
    await withApp(join(folder, String(width)), ['light'], async (page, takeOne) => {
      await resize(page, { width, height: 740, scale: 1 })
      const capture: Capture = async (name) => {
        await takeOne(name)
        const flawsOfScreen = await findFlaws(page, locale === PSEUDO)
        for (const flaw of flawsOfScreen.filter((one) => !seenFlaws.has(one))) {
          console.log(`${name}, ${String(width)} px: ${flaw}`)
          seenFlaws.add(flaw)
        }
      }
      await capture('connect')
      await press(page, 'Try with sample data')
      // Leaves out the bulk change, because sending it takes minutes.
      await pictureScreens(page, capture, { service: null, isShown: (name) => name !== 'bulkChange' })
    })
    flaws += seenFlaws.size
  }
  return flaws
}

async function pictureSituation(name: string, situation: Situation, parent: string): Promise<void> {
  const { themes = ['light'], view, connects, prepare, happen, shows } = situation
  const service = await startService(situation)
  try {
    await prepare?.(service)
    await withApp(join(parent, name), themes, async (page, capture) => {
      if (view) {
        await resize(page, view)
        await capture('connect')
      }
      if (connects) {
        await page.getByLabel(t('Service address')).fill(service.address)
        await page.keyboard.press('Tab')
        await page.getByText(t(/^The service responds/)).waitFor()
        await capture('connect-address')
        await fillIn(page, service, 'not-the-key')
        await page
          .getByText(t(/copied all of it/))
          .first()
          .waitFor()
        await capture('connect-refused')
      }
      await fillIn(page, service, service.apiKey)
      await page.getByText(t(/^Updated /)).waitFor()
      await happen?.(page, service)
      const isShown = (screen: string, only?: readonly string[]) =>
        (only?.includes(name) ?? true) && (shows?.includes(screen) ?? true)
      await pictureScreens(page, capture, { service, isShown })
    })
  } finally {
    await service.close()
  }
}

/** Takes pictures of a connect form whose key the keychain can't store. */
async function pictureLocked(folder: string): Promise<void> {
  const service = await startService({ websites: 1 })
  try {
    await withApp(folder, BOTH_THEMES, async (page, capture, keychain) => {
      lock(keychain)
      await fillIn(page, service, service.apiKey)
      await page.getByRole('button', { name: t(/without storing/) }).waitFor()
      await capture('connect-locked')
      await page.getByText(t('Troubleshooting')).click()
      await press(page, 'Check setup')
      await page.getByRole('list', { name: t('Setup') }).waitFor()
      await page.getByRole('button', { name: t('Copy diagnostics') }).scrollIntoViewIfNeeded()
      await capture('connect-set-up')
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
  // Closes the connection to the app, not the app.
  await browser.close()
  console.log(path)
}

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    port: { type: 'string' },
    all: { type: 'boolean' },
    only: { type: 'string' },
    language: { type: 'string' },
  },
})
if (values.language) {
  locale = values.language === 'pseudo' ? PSEUDO : values.language
  showIn(locale)
  const flaws = await pictureLanguage(values.out ?? inProject('docs', 'pictures', 'languages', values.language))
  process.exitCode = flaws > 0 ? 1 : 0
} else if (values.port) await pictureRunning(values.port, values.out ?? 'siteward.png')
else {
  const folder = values.out ?? inProject('docs', 'pictures')
  if (!values.only) await pictureSample(folder)
  if (values.all && process.platform === 'linux') await pictureLocked(folder)
  for (const [name, situation] of Object.entries(values.all || values.only ? situations : {}))
    if (!values.only || values.only === name) await pictureSituation(name, situation, join(folder, 'situations'))
}
