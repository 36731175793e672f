import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const many = websites(10_000)

async function openLong() {
  const app = await openApp({ websites: many })
  const grid = app.screen.getByRole('grid', { name: 'Websites' })
  await expect.element(app.row(many[0]?.domain ?? '')).toBeVisible()
  const scroller = grid.element().parentElement as HTMLElement
  const drawn = (): HTMLElement[] => [...grid.element().querySelectorAll<HTMLElement>('[aria-rowindex]')]
  const nth = (n: number) => app.row(many[n]?.domain ?? '')
  return { ...app, grid, scroller, drawn, nth }
}

test('ten thousand rows are on one page, and few of them are drawn', async () => {
  const { grid, drawn, scroller, nth, screen } = await openLong()
  await expect.element(grid).toHaveAttribute('aria-rowcount', '10001')
  expect(drawn().length).toBeLessThan(60)
  for (const at of [1234, 9000, 400]) {
    scroller.scrollTo(0, at * 38)
    await expect.element(nth(at + 3)).toBeVisible()
    expect(drawn().length).toBeLessThan(70)
  }
  await expect.element(screen.getByText(/^401–\d+ of 10,000$/)).toBeVisible()
  expect(drawn().map((row) => Number(row.getAttribute('aria-rowindex')))).toContain(405)
})

test('windows that are scrolled past aren’t fetched, and those far away are let go', async () => {
  const { far, scroller, nth } = await openLong()
  const pages = () => far.requests('listWebsites').map((asked) => asked.page)
  scroller.scrollTo(0, 38 * 9990)
  await expect.element(nth(9995)).toBeVisible()
  expect(pages().every((asked) => asked < 3 || asked > 98)).toBe(true)
  for (let at = 0; at < 10_000; at += 500) {
    scroller.scrollTo(0, 38 * at)
    await expect.element(nth(at + 5)).toBeVisible()
  }
  const before = pages().length
  scroller.scrollTo(0, 38 * 1550)
  await expect.poll(() => pages().slice(before)).toContain(16)
})

test('the first answer to a search has the rows that are drawn, and the others come as they are scrolled to', async () => {
  const { far, scroller, nth, keys, screen } = await openLong()
  const asked = () => far.requests('listWebsites').map(({ search, page, per_page: size }) => [search, page, size])
  expect(asked()[0]).toEqual(['', 1, 25])
  // Those that aren't drawn come too, once nothing is typed any more.
  await expect.poll(asked).toEqual([
    ['', 1, 25],
    ['', 1, 100],
  ])
  await keys('/')
  await keys('bakery')
  await expect.element(screen.getByText(/^1,\d+ of 10,000 websites$/)).toBeVisible()
  const first = asked().find(([search]) => search === 'bakery')
  expect(first).toEqual(['bakery', 1, 25])
  scroller.scrollTo(0, 38 * 60)
  await expect.element(nth(6 * 63)).toBeVisible()
  await expect.poll(() => asked().at(-1)).toEqual(['bakery', 1, 100])
})

test('a key in the search changes the numbers of the rows in view once, with its answer', async () => {
  const { keys, screen } = await openLong()
  const range = screen.getByText(/^1–1\d of 10,000$/)
  await expect.element(range).toBeVisible()
  const watched = range.element()
  let told = 0
  new MutationObserver((all) => (told += all.length)).observe(watched, { subtree: true, characterData: true })
  await keys('/b')
  await expect.poll(() => watched.textContent).toMatch(/^1–1\d of \d,\d+$/)
  await twoFrames()
  expect(told).toBe(1)
})

test('the keys lead through all of it: arrows, pages, both ends', async () => {
  const { keys, nth } = await openLong()
  nth(0).element().focus()
  await keys('{ArrowDown}{ArrowDown}{ArrowUp}')
  await expect.element(nth(1)).toHaveFocus()
  await keys('{End}')
  await expect.element(nth(9999)).toHaveFocus()
  await expect.element(nth(9999)).toBeInViewport({ ratio: 1 })
  await keys('{PageUp}')
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toMatch(/^99[78]\d$/)
  await keys('{Home}')
  await expect.element(nth(0)).toHaveFocus()
  await expect.element(nth(0)).toBeInViewport({ ratio: 1 })
})

test('a row that is scrolled away keeps the focus, and its keys go on from there', async () => {
  const { keys, nth, scroller } = await openLong()
  nth(2).element().focus()
  scroller.scrollTo(0, 38 * 5000)
  await expect.element(nth(5003)).toBeVisible()
  await expect.element(nth(2)).toHaveFocus()
  await keys('{ArrowDown}')
  await expect.element(nth(3)).toHaveFocus()
  await expect.element(nth(3)).toBeInViewport({ ratio: 1 })
})

test('until a window is here its rows are as high as they will be, and say so', async () => {
  const { far, scroller, screen } = await openLong()
  const answer = Promise.withResolvers<undefined>()
  const height = scroller.scrollHeight
  far.answer('listWebsites', async ({ page: asked }) => {
    await answer.promise
    const rows = many.slice((asked - 1) * 100, asked * 100)
    return {
      ok: true,
      value: { websites: rows, matching: 10_000, total: 10_000, elsewhere: 0, page: asked, pages: 100 },
    }
  })
  scroller.scrollTo(0, 38 * 3000)
  await expect.element(screen.getByRole('button', { name: 'On its way' }).first()).toBeVisible()
  expect(scroller.scrollHeight).toBe(height)
  answer.resolve(undefined)
  await expect.element(screen.getByRole('button', { name: 'On its way' })).not.toBeInTheDocument()
  expect(scroller.scrollHeight).toBe(height)
  expect(scroller.scrollTop).toBe(38 * 3000)
})

test('rows that come in are drawn by the elements of those that have gone, in their order, and the focus stays', async () => {
  const { drawn, scroller, nth } = await openLong()
  scroller.scrollTo(0, 38 * 500)
  await expect.element(nth(510)).toBeVisible()
  nth(510).element().focus()
  for (const at of [900, 905, 880, 100, 110, 505, 520]) {
    await expect.poll(() => drawn().length).toBeGreaterThan(30)
    const before = new Set(drawn())
    scroller.scrollTo(0, 38 * at)
    await twoFrames()
    const indices = drawn().map((row) => Number(row.getAttribute('aria-rowindex')))
    expect(indices).toContain(at + 5)
    expect(indices).toEqual(indices.toSorted((a, b) => a - b))
    expect(drawn().filter((row) => !before.has(row)).length).toBeLessThan(3)
    expect(document.activeElement?.getAttribute('data-row')).toBe('510')
  }
})

test('of rows that fly past no more are drawn than can be seen, and none of them shows that it is on its way', async () => {
  const { drawn, scroller, nth } = await openLong()
  const seen = Math.ceil(scroller.clientHeight / 38)
  for (let at = 100; at < 2000; at += 100) {
    scroller.scrollTo(0, 38 * at)
    await twoFrames()
    // The head, and the one that may have the focus, are drawn besides.
    expect(drawn().length).toBeLessThanOrEqual(seen + 3)
    expect(document.querySelector('.coming')).toBeNull()
  }
  await expect.element(nth(1903)).toBeVisible()
  await expect.poll(() => drawn().length).toBeGreaterThan(seen + 12)
})

test('of what is found, as many rows as can be seen come first, with their numbers; those around them later', async () => {
  const { grid, drawn, keys, scroller, screen } = await openLong()
  const seen = Math.ceil(scroller.clientHeight / 38)
  const painted: { rows: number; range: string }[] = []
  const observer = new MutationObserver(() =>
    requestAnimationFrame(() =>
      painted.push({ rows: drawn().length, range: screen.getByText(/^1–\d+ of [\d,]+$/).element().textContent }),
    ),
  )
  observer.observe(grid.element(), { attributeFilter: ['aria-rowcount'] })
  await expect.poll(() => drawn().length).toBeGreaterThan(seen + 5)
  await keys('/')
  await keys(many[4321]?.domain ?? '')
  await expect.poll(() => painted.at(-1)?.range).toBe('1–1 of 1')
  expect(Math.max(...painted.map(({ rows }) => rows))).toBeLessThanOrEqual(seen + 2)
  painted.length = 0
  await keys('{Escape}')
  await expect.poll(() => painted.length).toBe(1)
  expect(painted[0]?.range).toMatch(/^1–1\d of 10,000$/)
  expect(painted[0]?.rows).toBeLessThanOrEqual(seen + 2)
  await expect.poll(() => drawn().length).toBeGreaterThan(seen + 5)
  observer.disconnect()
})

const twoFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))

test('what comes in before the row with the focus moves it along', async () => {
  const { far, nth, drawn } = await openLong()
  nth(4).element().focus()
  const added = aWebsite({ key: 'x', domain: 'from-elsewhere.example' })
  far.world.websites = [added, ...many]
  far.emit('websitesChanged', { keys: ['x'] })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('5')
  await expect.element(nth(4)).toHaveFocus()
  expect(drawn().filter((row) => row.querySelector('[data-row][tabindex="0"]'))).toHaveLength(1)
})

test('another order begins at the top, wherever the list was', async () => {
  const { scroller, nth, screen } = await openLong()
  scroller.scrollTo(0, 38 * 7000)
  await expect.element(nth(7003)).toBeVisible()
  await screen.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
  await expect.element(nth(9999)).toBeVisible()
  expect(scroller.scrollTop).toBe(0)
})

test('a long list is accessible in the middle, with the focus far away', async () => {
  const { nth, scroller } = await openLong()
  nth(0).element().focus()
  scroller.scrollTo(0, 38 * 2500)
  await expect.element(nth(2503)).toBeVisible()
  await expectAccessible()
})

test('the list of another connection begins at its top', async () => {
  const { far, scroller, nth } = await openLong()
  scroller.scrollTo(0, 38 * 7000)
  await expect.element(nth(7003)).toBeVisible()
  far.emit('state', anAppState({ connection: aConnection({ id: 'other' }) }))
  await expect.element(nth(0)).toBeVisible()
  await expect.poll(() => scroller.scrollTop).toBe(0)
})

test('what others add at the top doesn’t take the row with the focus out of view, unless it was scrolled away', async () => {
  const { far, scroller, nth } = await openLong()
  const added = (n: number) =>
    Array.from({ length: 30 }, (_, i) => aWebsite({ key: `x${n}-${i}`, domain: `x${n}-${i}.example` }))
  nth(4).element().focus()
  far.world.websites = [...added(1), ...many]
  far.emit('websitesChanged', { keys: null })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('34')
  await expect.element(nth(4)).toBeInViewport({ ratio: 1 })
  scroller.scrollTo(0, 38 * 3000)
  await expect.element(nth(2975)).toBeVisible()
  far.world.websites = [...added(2), ...far.world.websites]
  far.emit('websitesChanged', { keys: null })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('64')
  expect(scroller.scrollTop).toBe(38 * 3000)
})
