import type { BrowserWindow, WebContents } from 'electron'
import type { ElectronApplication, Page } from 'playwright'
import type { HostControls } from '../../scripts/host/controls.ts'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../../scripts/xvfb.mjs'
import { startSampleService } from '../../src/main/sample/service.ts'
import { temporaryFolder } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { median } from './in-turn.ts'

const WEBSITES = 10_000

/** What the app's main process has for the rounds: `measure` opens either window, and answers its milliseconds. */
interface Within {
  measure?: (what: 'ours' | 'blank') => Promise<number>
}

/** The window was let go while it was hidden; it's asked for again (design.md, "The window"). */
export const open: Bench = {
  name: 'open',
  about:
    `The window, let go while it was hidden, is asked for again, until the last known list of ${String(WEBSITES)} websites is ` +
    'painted. Against a window with nothing in its page, in the same browser, until that is painted.',
  async run({ quick }) {
    const service = await startSampleService({ websites: WEBSITES, rate: 6000 })
    const { folder, end } = temporaryFolder()
    const keyring = await startKeyring()
    const xvfb = presentRuntime().kind === 'electron' && lacksDisplay() ? await startXvfb() : null
    const { app, page } = await launchApp({ userData: folder, env: { ...keyring.env, ...xvfb?.env } })
    try {
      await connect(page, service)
      // What is shown is the last known list: nothing is there to answer.
      await service.close()
      return [await inRounds(app, quick ? 3 : 40)]
    } finally {
      await quitApp(app)
      await xvfb?.stop()
      await keyring.stop()
      end()
    }
  },
}

async function connect(page: Page, service: { address: string; apiKey: string }): Promise<void> {
  await page.getByLabel('Service address').fill(service.address)
  await page.getByLabel('API key', { exact: true }).fill(service.apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const table = page.getByRole('grid', { name: 'Websites' })
  await table.and(page.locator(`[aria-rowcount="${String(WEBSITES + 1)}"]`)).waitFor({ timeout: 120_000 })
}

async function inRounds(app: ElectronApplication, rounds: number): Promise<Figure> {
  await prepare(app)
  const times = { ours: [] as number[], blank: [] as number[] }
  for (let round = -2; round < rounds; round++)
    for (const what of ['ours', 'blank'] as const) {
      const taken = await app.evaluate((_electron, which) => (globalThis as Within).measure?.(which), what)
      if (taken === undefined) throw new Error('the window did not come')
      if (round >= 0) times[what].push(taken)
    }
  const [ours, blank] = [median(times.ours), median(times.blank)]
  return {
    name: `open, ${String(WEBSITES)} websites: a blank page`,
    ratio: ours / blank,
    bar: { most: 1.5 },
    of: `${ours.toFixed(0)} ms to ${blank.toFixed(0)} ms`,
  }
}

/** Both windows are timed within main, by the page's own clock: what drives them from outside isn't in it. */
const prepare = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => {
    const { BrowserWindow, app: electronApp } = electron
    /** Resolves with the time, of the epoch, at which what is waited for has been painted. */
    const painted = (contents: WebContents, there: string): Promise<number> =>
      contents.executeJavaScript(`new Promise((resolve) => {
        const look = () => (${there}) ? requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now()))) : requestAnimationFrame(look)
        look()
      })`) as Promise<number>
    const gone = (window: BrowserWindow): Promise<void> =>
      new Promise((resolve) => {
        window.once('closed', () => resolve())
        window.destroy()
      })
    const now = (): number => performance.timeOrigin + performance.now()
    const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))
    const list = `document.querySelectorAll('[role=grid] [role=row] [role=gridcell]').length > 20`
    ;(globalThis as Within).measure = async (what) => {
      for (const window of BrowserWindow.getAllWindows()) await gone(window)
      await rest()
      const begun = now()
      if (what === 'blank') {
        const window = new BrowserWindow({ width: 1180, height: 740, show: false, backgroundColor: '#f4f4f1' })
        window.once('ready-to-show', () => window.show())
        await window.loadURL('about:blank')
        return (await painted(window.webContents, 'true')) - begun
      }
      const opened = new Promise<BrowserWindow>((resolve) =>
        electronApp.once('browser-window-created', (_event, window) => resolve(window)),
      )
      ;(electron as never as { host: HostControls }).host.trays[0]?.emit('click')
      const { webContents } = await opened
      await new Promise<void>((resolve) => webContents.once('dom-ready', () => resolve()))
      return (await painted(webContents, list)) - begun
    }
  })
