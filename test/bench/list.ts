import { painted, scrollThrough, watch } from './bare-window/page.ts'
import { inTurn, type Figure } from './measure.ts'
import { WEBSITES, type Windows } from './windows.ts'

const SCROLL = 5000 // milliseconds
const WORDS = ['cafe', 'bakery', 'kestrel', 'studio', 'music', 'shop', 'heron', 'yoga', 'amber', 'films', 'wren']
const BARE = 'a bare TanStack Virtual table (Svelte) that filters an array in its page'

/** Measures each key that is pressed in the search field, until the rows that match are painted. */
export async function keystroke({ bringUp, websites, ...pages }: Windows, quick: boolean): Promise<Figure[]> {
  const count = (text: string): number => websites.filter(({ domain }) => domain.includes(text)).length
  const times = { ours: [] as number[], bare: [] as number[] }
  const typeWord = async (which: 'ours' | 'bare', round: number): Promise<number> => {
    await bringUp(which)
    const page = pages[which]
    const word = WORDS[round % WORDS.length] ?? ''
    const box = page.getByLabel('Search websites')
    await box.focus()
    const press = async (key: string, before: string, text: string): Promise<void> => {
      // If the result is the same as before, nothing shows when it's painted.
      if (count(text) === count(before)) return page.keyboard.press(key)
      await page.evaluate(watch, { text, rows: count(text) })
      await page.keyboard.press(key)
      const taken = await page.evaluate(painted)
      if (taken === undefined) throw new Error('The page received no key.')
      // The first word warms up.
      if (round > 0) times[which].push(taken)
    }
    for (let at = 0; at < word.length; at++) await press(word[at] ?? '', word.slice(0, at), word.slice(0, at + 1))
    await box.selectText()
    await press('Delete', word, '')
    return 0
  }
  await inTurn(
    (round) => typeWord('ours', round),
    (round) => typeWord('bare', round),
    { rounds: quick ? 2 : 30 },
  )
  const figure = { ours: times.ours, baseline: times.bare, against: BARE, unit: 'ms' } as const
  return [
    { what: `a key in the search of ${String(WEBSITES)} websites, median`, ...figure },
    { what: 'the same, 95th percentile', ...figure, percentile: 0.95 },
  ]
}

/** Measures the dropped frames while all rows are scrolled through at constant speed. */
export async function scroll({ bringUp, ...pages }: Windows, quick: boolean): Promise<Figure[]> {
  const blank = { ours: [] as number[], bare: [] as number[] }
  const through = async (which: 'ours' | 'bare'): Promise<number> => {
    await bringUp(which)
    const scrolled = await pages[which].evaluate(scrollThrough, SCROLL)
    blank[which].push(scrolled.blank)
    return scrolled.dropped
  }
  const dropped = await inTurn(
    () => through('ours'),
    () => through('bare'),
    { rounds: quick ? 1 : 6 },
  )
  const what = `scroll through ${String(WEBSITES)} rows in 5 s (${String((SCROLL * 60) / 1000)} frames)`
  return [
    { what: `${what}: dropped frames`, ...dropped, against: BARE, unit: 'frames' },
    {
      what: 'the same: frames without a row in the middle',
      ours: blank.ours,
      baseline: blank.bare,
      against: BARE,
      unit: 'frames',
    },
  ]
}
