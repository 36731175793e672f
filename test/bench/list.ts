import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { openBareTable } from './bare-table.ts'
import { countFrames, droppedFrames, painted, scrollThrough, watch } from './bare-window/page.ts'
import { FRAME_TIME, inTurn, type Figure } from './measure.ts'
import type { Window } from './window.ts'

type Bench = (window: Window, quick: boolean) => Promise<Figure>

const SCROLL_MS = 5000
const SEARCHES = ['cafe', 'bakery', 'kestrel', 'studio', 'music', 'shop', 'heron', 'yoga', 'amber', 'films', 'wren']

export async function key({ page, websites }: Window, quick: boolean): Promise<Figure> {
  const isLarge = websites.length > 10_000
  const count = (text: string): number => websites.filter(({ domain }) => domain.includes(text)).length
  const times: number[] = []
  const box = page.getByLabel('Search websites')
  await box.focus()
  for (let round = 0; round < (quick ? 4 : 30); round++) {
    const word = SEARCHES[round % SEARCHES.length] ?? ''
    const press = async (key: string, before: string, text: string): Promise<void> => {
      const rows = count(text)
      // The same rows match as before, so the page shows no change that could be measured.
      if (rows === count(before)) return page.keyboard.press(key)
      const table = `[role=grid][aria-rowcount="${String(rows + 1)}"]`
      await page.evaluate(watch, { event: 'keydown', shown: table, cells: '[role=gridcell]:first-child', text })
      await page.keyboard.press(key)
      const taken = await page.evaluate(painted)
      if (taken === undefined) throw new Error('The page received no key.')
      // Round 0 only warms up caches and compiled code.
      if (round > 0) times.push(taken)
    }
    for (let at = 0; at < word.length; at++) await press(word[at] ?? '', word.slice(0, at), word.slice(0, at + 1))
    await box.selectText()
    await press('Delete', word, '')
  }
  return {
    what: `a key in the search of ${websites.length.toLocaleString('en')} websites, 95th percentile`,
    ours: times,
    baseline: [isLarge ? 2 * FRAME_TIME : FRAME_TIME],
    against: isLarge ? 'two frames' : 'one frame',
    unit: 'ms',
    percentile: 0.95,
    goal: { times: 1 },
  }
}

/** Measures the same as {@link key} in a bare table whose page holds all websites. No table in this browser can be faster. */
export async function keyInBareTable(window: Window, quick: boolean): Promise<Figure> {
  const bare = await openBareTable(window)
  await bare.bringUp('bare')
  const figure = await key({ ...window, page: bare.page }, quick)
  await bare.bringUp('ours')
  await bare.page.close()
  return { ...figure, what: `${figure.what}, in a bare TanStack Virtual table (Svelte) instead of Siteward` }
}

/** Types {@link SEARCHES} at 10 keys a second, and removes each by a key. */
export async function framesWhileTyping(window: Window, quick: boolean): Promise<Figure> {
  const bare = await openBareTable(window)
  const pages = { ours: window.page, bare: bare.page }
  const type = async (which: 'ours' | 'bare'): Promise<number> => {
    await bare.bringUp(which)
    const page = pages[which]
    const box = page.getByLabel('Search websites')
    await box.focus()
    await page.evaluate(countFrames)
    for (const word of SEARCHES) {
      await page.keyboard.type(word, { delay: 100 })
      await box.selectText()
      await page.keyboard.press('Delete', { delay: 100 })
    }
    return (await page.evaluate(droppedFrames)) ?? NaN
  }
  const dropped = await inTurn(
    () => type('ours'),
    () => type('bare'),
    { rounds: quick ? 2 : 15 },
  )
  await bare.bringUp('ours')
  await bare.page.close()
  const keys = SEARCHES.join('').length + SEARCHES.length
  return {
    what: `dropped frames while ${String(keys)} keys are typed in the same search, 10 a second`,
    ...dropped,
    against: 'a bare TanStack Virtual table (Svelte) of the same rows',
    unit: 'frames',
    goal: { times: 1.1 },
  }
}

/** Drags the scrollbar through the whole list: 40 rows a frame. */
export const scroll: Bench = (window, quick) => scrollPart(window, quick, 1)

/** Scrolls as fast as a hard flick of a touchpad or free-spinning wheel: 200 rows (7,600 pixels) a second. */
export const scrollByWheel: Bench = (window, quick) => scrollPart(window, quick, 0.1)

async function scrollPart(window: Window, quick: boolean, share: number): Promise<Figure> {
  const bare = await openBareTable(window)
  const pages = { ours: window.page, bare: bare.page }
  const through = async (which: 'ours' | 'bare'): Promise<number> => {
    await bare.bringUp(which)
    const { dropped, blank } = await pages[which].evaluate(scrollThrough, { duration: SCROLL_MS, share })
    // A frame without a row in the middle looks as bad as a dropped one.
    return dropped + blank
  }
  const dropped = await inTurn(
    () => through('ours'),
    () => through('bare'),
    { rounds: quick ? 2 : 15 },
  )
  await bare.bringUp('ours')
  await bare.page.close()
  const what = `scroll through ${(10_000 * share).toLocaleString('en')} rows in 5 s (${String((SCROLL_MS * 60) / 1000)} frames): dropped or empty frames`
  return {
    what,
    ...dropped,
    against: 'a bare TanStack Virtual table (Svelte) of the same rows',
    unit: 'frames',
    goal: { times: 1.1 },
  }
}

/** Measures the same as {@link key}, in a saved view that filters by a tag of all websites and shows the column of tags. */
/** Measures the same in a saved view that filters by a tag of all websites and shows the column of tags. */
export const inTaggedView =
  (bench: Bench): Bench =>
  async (window, quick) => {
    await openTaggedView(window)
    const figure = await bench(window, quick)
    return { ...figure, what: `${figure.what}, in a saved view with a tag as its filter and a column of tags` }
  }

async function openTaggedView({ page, websites }: Window): Promise<void> {
  const view = page.getByRole('button', { name: 'Clients', exact: true })
  if ((await view.count()) === 0) {
    await page.evaluate(
      async (keys) => {
        const { siteward } = window as never as { siteward: SitewardBridge }
        await siteward.saveTag({ was: null, name: 'client', colour: 'blue' })
        await siteward.assignTags({ keys, add: ['client'], remove: [] })
        await siteward.saveView({
          id: null,
          name: 'Clients',
          search: 'tag:client',
          sortBy: 'domain',
          sort: 'asc',
          columns: ['state', 'tags', 'privacy', 'created'],
        })
      },
      websites.map((website) => website.key),
    )
    await page.reload()
  }
  await view.click()
  await page.locator('[role=gridcell]', { hasText: 'client' }).first().waitFor()
}
