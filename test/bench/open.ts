import type { BrowserWindow, WebContents } from 'electron'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import type { HostControls } from '../../scripts/host/controls.ts'
import type { Bench, Figure } from './figure.ts'
import { median, ratio } from './in-turn.ts'
import { withRunningApp, type AppCopy } from './running-app.ts'

const WEBSITES = 10_000

/** What the app's main process has for the rounds: `measure` opens either window, and answers its milliseconds. */
interface Within {
  measure?: (what: 'ours' | 'blank') => Promise<number>
}

/** The least page that shows a list: no framework, no style, one question to main. */
const BARE_PAGE =
  '<!doctype html><title>Siteward</title><div role="grid"></div><script type="module" src="./bare.js"></script>'
const BARE_SCRIPT = `
  const { value } = await window.siteward.listWebsites({ per_page: 100, page: 1 })
  for (const { domain } of value.websites.slice(0, 30)) {
    const row = document.createElement('div')
    row.setAttribute('role', 'row')
    const cell = document.createElement('div')
    cell.setAttribute('role', 'gridcell')
    cell.textContent = domain
    row.append(cell)
    document.querySelector('[role=grid]').append(row)
  }
`

/** The window was let go while it was hidden; it's asked for again (design.md, "The window"). */
export const open: Bench = {
  name: 'open',
  about:
    `The window, let go while it was hidden, is asked for again by a click on the icon, until the last known list of ${String(WEBSITES)} websites is ` +
    'painted. Against a window with nothing in its page, in the same browser, until that is painted; and, as the floor of ' +
    'what shows a list at all, against the same window over a page without framework or style that asks main for a page of ' +
    'the list and paints thirty domains; and over a page of the same elements and styles as ours, written down, without a script.',
  run: ({ quick }) =>
    withRunningApp(WEBSITES, async ({ app, page, copy }) => {
      writeFileSync(join(copy.pages, 'bare.html'), BARE_PAGE)
      writeFileSync(join(copy.pages, 'bare.js'), BARE_SCRIPT)
      writeFileSync(join(copy.pages, 'still.html'), await stillOf(page))
      return inRounds(app, copy, quick ? 3 : 40)
    }),
}

/** The page as it is, without what made it. */
const stillOf = async (page: Page): Promise<string> =>
  (await page.content()).replaceAll(/<script[^]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')

async function inRounds(app: ElectronApplication, { show }: AppCopy, rounds: number): Promise<Figure[]> {
  await prepare(app)
  const times = { ours: [] as number[], blank: [] as number[], bare: [] as number[], still: [] as number[] }
  for (let round = -2; round < rounds; round++)
    for (const what of ['ours', 'blank', 'bare', 'still'] as const) {
      if (what !== 'blank') show(what)
      const window: 'ours' | 'blank' = what === 'blank' ? 'blank' : 'ours'
      const taken = await app.evaluate((_electron, which) => (globalThis as Within).measure?.(which), window)
      if (taken === undefined) throw new Error('the window did not come')
      if (round >= 0) times[what].push(taken)
    }
  const timed = (which: keyof typeof times) => ({ rounds: times[which], median: median(times[which]) })
  const figure = (name: string, one: keyof typeof times, other: keyof typeof times, bar: Figure['bar'] = null) => ({
    name: `open, ${String(WEBSITES)} websites: ${name}`,
    ratio: ratio(timed(one), timed(other)),
    bar,
    of: `${median(times[one]).toFixed(0)} ms to ${median(times[other]).toFixed(0)} ms`,
  })
  return [
    figure('a blank page', 'ours', 'blank', { most: 1.5 }),
    figure('the floor, what the least page with a list takes of a blank one', 'bare', 'blank'),
    figure('the floor, what its own elements without a script take of a blank one', 'still', 'blank'),
    figure('the least page with a list', 'ours', 'bare'),
    figure('its own elements without a script', 'ours', 'still'),
  ]
}

/** Both windows are timed within main, by the page's own clock: what drives them from outside isn't in it. */
const prepare = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => {
    const { BrowserWindow, app: electronApp } = electron
    /** Resolves with the time, of the epoch, at which what is waited for has been painted. */
    const painted = (contents: WebContents, there: string): Promise<number> =>
      contents.executeJavaScript(`new Promise((resolve) => {
        const done = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
        const seen = new MutationObserver(() => (${there}) && (seen.disconnect(), done()))
        if (${there}) done()
        else seen.observe(document, { childList: true, subtree: true })
      })`) as Promise<number>
    const gone = (window: BrowserWindow): Promise<void> =>
      new Promise((resolve) => {
        window.once('closed', () => resolve())
        window.destroy()
      })
    const now = (): number => performance.timeOrigin + performance.now()
    const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))
    const list = `document.querySelectorAll('[role=grid] [role=row] [role=gridcell]').length >= 10`
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
