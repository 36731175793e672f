import { svelte } from '@sveltejs/vite-plugin-svelte'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { build } from 'vite'
import { inProject } from '../../scripts/setup/project.mjs'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import type { Bench, Figure } from './figure.ts'
import { median, percentile, ratio } from './in-turn.ts'
import { painted, scrollThrough, watch, type Scrolled } from './list-page.ts'
import { withRunningApp, type AppCopy } from './running-app.ts'
import type { Shown } from './table/shown.ts'

const WEBSITES = 10_000
const FRAME = 1000 / 60 // milliseconds
const SCROLL = 5000 // milliseconds
const WORDS = ['bakery', 'kestrel', 'studio', 'music', 'shop', 'heron', 'yoga', 'amber', 'films', 'wren']

/** What is typed is found, and what is scrolled to is there, as if the list were an array in the page. */
export const list: Bench = {
  name: 'list',
  about:
    `The list of ${String(WEBSITES)} websites beside a bare TanStack Virtual table (Svelte) of the same rows and columns, which ` +
    'filters an array in its page; in two windows of the same browser. A key is pressed in the search, until the rows are ' +
    'painted: how much later ours are, in frames of 1/60 s. The floor is the bare table in the app’s own window, with as many ' +
    'rows as are drawn asked for over the bridge at each key in place of the array. Then all rows are scrolled through in 5 s at ' +
    'constant speed: frames that are dropped (none counts as one), and those in whose middle there was no row yet.',
  run: ({ quick }) =>
    withRunningApp(WEBSITES, async ({ app, page, copy }) => {
      const shown = await readShown(page)
      const windows = { ours: page, bare: await openBare(app, copy, shown) }
      const turn = (which: 'ours' | 'bare') => bringUp(app, which)
      const words = quick ? WORDS.slice(0, 2) : [...WORDS, ...WORDS, ...WORDS]
      const typed = await typeWords(windows, turn, shown, words)
      const scrolled = await scroll(windows, turn, quick ? 1 : 6)
      await turn('ours')
      await showAsked(app, page)
      const asked = await typeWords(windows, turn, shown, words)
      return [...typed, ...asked.map(asFloor), ...scrolled]
    }),
}

type Windows = Record<'ours' | 'bare', Page>
type Turn = (which: 'ours' | 'bare') => Promise<void>

/** What the window shows, as the page itself asks for it, and in what room. */
async function readShown(page: Page): Promise<Shown> {
  return page.evaluate(async (all) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const websites = []
    for (let at = 1; websites.length < all; at++) {
      const answer = await siteward.listWebsites({ per_page: 100, page: at, sort_by: 'id', sort: 'desc' })
      if (!answer.ok) throw new Error(answer.error.code)
      websites.push(...answer.value.websites)
    }
    let scroller = document.querySelector('[role=grid]')
    while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
    const row = document.querySelector('[role=grid] [aria-rowindex="2"]')
    return { websites, height: scroller?.clientHeight ?? 0, row: row?.clientHeight ?? 0 }
  }, WEBSITES)
}

/** A second window beside the app's, as large, with the bare table in it. */
async function openBare(app: ElectronApplication, { pages }: AppCopy, shown: Shown): Promise<Page> {
  const outDir = join(pages, 'table')
  await build({
    root: inProject('test', 'bench', 'table'),
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: inProject('svelte.config.js') })],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      target: 'esnext',
      rolldownOptions: { input: [inProject('test/bench/table/index.html'), inProject('test/bench/table/asked.html')] },
    },
  })
  writeFileSync(join(outDir, 'shown.js'), `export const shown = ${JSON.stringify(shown)}`)
  await app.evaluate(async ({ BrowserWindow }) => {
    const [ours] = BrowserWindow.getAllWindows()
    const window = new BrowserWindow({ ...ours?.getBounds(), show: true, title: 'A bare table' })
    await window.loadURL('app://bundle/table/index.html')
  })
  const page = app.windows().find((candidate) => candidate.url().endsWith('/table/index.html'))
  if (page === undefined) throw new Error('the bare table did not come')
  await page.locator('[role=row]').first().waitFor()
  return page
}

/** The app's own window, which alone may ask main, has the floor in it from here on. */
async function showAsked(app: ElectronApplication, page: Page): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const ours = BrowserWindow.getAllWindows().find(({ webContents }) => !webContents.getURL().includes('/table/'))
    return ours?.loadURL('app://bundle/table/asked.html')
  })
  await page.locator(`[role=grid][aria-rowcount="${String(WEBSITES + 1)}"]`).waitFor()
}

const asFloor = (figure: Figure): Figure => ({
  ...figure,
  name: figure.name.replace('in the search:', 'in the search, the floor, a bare table that asks main:'),
  bar: null,
})

/** One of the two is on the screen, as there is one window at a time: the other one's frames take no time of it. */
const bringUp = (app: ElectronApplication, which: 'ours' | 'bare'): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }, wanted) => {
    for (const window of BrowserWindow.getAllWindows()) {
      const isBare = window.webContents.getURL().includes('/table/index.html')
      if (isBare === (wanted === 'bare')) window.show()
      else window.hide()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }, which)

async function typeWords(windows: Windows, turn: Turn, { websites }: Shown, words: string[]): Promise<Figure[]> {
  const count = (text: string): number => websites.filter(({ domain }) => domain.includes(text)).length
  const times = { ours: [] as number[], bare: [] as number[] }
  for (const [round, word] of ['cafe', ...words].entries())
    for (const which of ['ours', 'bare'] as const) {
      await turn(which)
      const page = windows[which]
      const box = page.getByLabel('Search websites')
      await box.focus()
      const press = async (key: string, before: string, text: string): Promise<void> => {
        // Where it finds the same as before, nothing tells when it has.
        if (count(text) === count(before)) return page.keyboard.press(key)
        await page.evaluate(watch, { text, rows: count(text) })
        await page.keyboard.press(key)
        const taken = await page.evaluate(painted)
        if (taken === undefined) throw new Error('the key wasn’t seen')
        // The first word warms up.
        if (round > 0) times[which].push(taken)
      }
      for (let at = 0; at < word.length; at++) await press(word[at] ?? '', word.slice(0, at), word.slice(0, at + 1))
      await box.selectText()
      await press('Delete', word, '')
    }
  const later = times.ours.map((time, n) => (time - (times.bare[n] ?? Number.NaN)) / FRAME)
  const inMs = (share: number) =>
    `${percentile(times.ours, share).toFixed(1)} ms to ${percentile(times.bare, share).toFixed(1)} ms, ${String(later.length)} keys`
  return [
    {
      name: 'list, a key in the search: frames later than a bare table, median',
      ratio: median(later),
      unit: 'frames',
      bar: { most: 1 },
      of: inMs(0.5),
    },
    {
      name: 'list, a key in the search: frames later than a bare table, 95th percentile',
      ratio: percentile(later, 0.95),
      unit: 'frames',
      bar: { most: 2 },
      of: inMs(0.95),
    },
  ]
}

async function scroll(windows: Windows, turn: Turn, rounds: number): Promise<Figure[]> {
  const runs = { ours: [] as Scrolled[], bare: [] as Scrolled[] }
  for (let round = 0; round < rounds; round++)
    for (const which of ['ours', 'bare'] as const) {
      await turn(which)
      runs[which].push(await windows[which].evaluate(scrollThrough, SCROLL))
    }
  const dropped = (which: 'ours' | 'bare') => {
    const counts = runs[which].map((run) => Math.max(1, run.dropped))
    return { rounds: counts, median: median(counts) }
  }
  const share = (which: 'ours' | 'bare'): number => {
    const sum = (name: keyof Scrolled) => runs[which].reduce((all, run) => all + run[name], 0)
    return sum('blank') / sum('frames')
  }
  const middle = (which: 'ours' | 'bare') => String(median(runs[which].map((run) => run.dropped)))
  return [
    {
      name: `list, ${String(WEBSITES)} rows in 5 s: dropped frames`,
      ratio: ratio(dropped('ours'), dropped('bare')),
      bar: { most: 1.1 },
      of: `${middle('ours')} to ${middle('bare')} of ${String((SCROLL * 60) / 1000)}`,
    },
    {
      name: `list, ${String(WEBSITES)} rows in 5 s: frames with a row still on its way`,
      ratio: share('ours'),
      unit: 'of all',
      bar: null,
      of: `${(share('ours') * 100).toFixed(0)} % to ${(share('bare') * 100).toFixed(0)} %`,
    },
  ]
}
