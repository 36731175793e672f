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

test('shows ten thousand rows on one page, and draws few of them', async () => {
  const { grid, drawn, scroller, nth } = await openLong()
  await expect.element(grid).toHaveAttribute('aria-rowcount', '10001')
  expect(drawn().length).toBeLessThan(60)
  for (const at of [1234, 9000, 400]) {
    scroller.scrollTo(0, at * 38)
    await expect.element(nth(at + 3)).toBeVisible()
    expect(drawn().length).toBeLessThan(70)
  }
  expect(drawn().map((row) => Number(row.getAttribute('aria-rowindex')))).toContain(405)
})

test('does not load the parts of the list that are scrolled past, and frees distant parts', async () => {
  const { bridge, scroller, nth } = await openLong()
  const pages = () => bridge.requests('listWebsites').map((request) => request.page)
  scroller.scrollTo(0, 38 * 9990)
  await expect.element(nth(9995)).toBeVisible()
  expect(pages().every((page) => page < 3 || page > 98)).toBe(true)
  for (let at = 0; at < 10_000; at += 500) {
    scroller.scrollTo(0, 38 * at)
    await expect.element(nth(at + 5)).toBeVisible()
  }
  const before = pages().length
  scroller.scrollTo(0, 38 * 1550)
  await expect.poll(() => pages().slice(before)).toContain(16)
})

test('changes the number of found websites only once after a key is typed in the search: when the answer arrives', async () => {
  const { keys, screen } = await openLong()
  const count = screen.getByText('10,000 websites')
  await expect.element(count).toBeVisible()
  const watched = count.element()
  let notified = 0
  new MutationObserver((all) => (notified += all.length)).observe(watched, { subtree: true, characterData: true })
  await keys('/b')
  await expect.poll(() => watched.textContent).toMatch(/^\s*\d,\d+ of 10,000 websites\s*$/)
  await twoFrames()
  expect(notified).toBe(1)
})

test('moves through all rows by keyboard: arrows, pages, both ends', async () => {
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

test('keeps the focus on a row that is scrolled away, and its keys continue from there', async () => {
  const { keys, nth, scroller } = await openLong()
  nth(2).element().focus()
  scroller.scrollTo(0, 38 * 5000)
  await expect.element(nth(5003)).toBeVisible()
  await expect.element(nth(2)).toHaveFocus()
  await keys('{ArrowDown}')
  await expect.element(nth(3)).toHaveFocus()
  await expect.element(nth(3)).toBeInViewport({ ratio: 1 })
})

test('reserves the height of rows that are not loaded, and says that they are loading', async () => {
  const { bridge, scroller, screen } = await openLong()
  const answer = Promise.withResolvers<undefined>()
  const height = scroller.scrollHeight
  bridge.answer('listWebsites', async ({ page }) => {
    await answer.promise
    const rows = many.slice((page - 1) * 100, page * 100)
    return {
      ok: true,
      value: { websites: rows, matching: 10_000, total: 10_000, page, pages: 100 },
    }
  })
  scroller.scrollTo(0, 38 * 3000)
  await expect.element(screen.getByRole('button', { name: 'Loading…' }).first()).toBeVisible()
  expect(scroller.scrollHeight).toBe(height)
  answer.resolve(undefined)
  await expect.element(screen.getByRole('button', { name: 'Loading…' })).not.toBeInTheDocument()
  expect(scroller.scrollHeight).toBe(height)
  expect(scroller.scrollTop).toBe(38 * 3000)
})

const twoFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))

test('keeps the focus on the same website when rows are added above it', async () => {
  const { bridge, nth, drawn } = await openLong()
  nth(4).element().focus()
  const added = aWebsite({ key: 'x', domain: 'from-elsewhere.example' })
  bridge.world.websites = [added, ...many]
  bridge.emit('websitesChanged', { keys: ['x'] })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('5')
  await expect.element(nth(4)).toHaveFocus()
  expect(drawn().filter((row) => row.querySelector('[data-row][tabindex="0"]'))).toHaveLength(1)
})

test('scrolls to the top when the order of the list changes', async () => {
  const { scroller, nth, screen } = await openLong()
  scroller.scrollTo(0, 38 * 7000)
  await expect.element(nth(7003)).toBeVisible()
  await screen.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
  await expect.element(nth(9999)).toBeVisible()
  expect(scroller.scrollTop).toBe(0)
})

test('a long list is accessible in its middle, with the focus far away', async () => {
  const { nth, scroller } = await openLong()
  nth(0).element().focus()
  scroller.scrollTo(0, 38 * 2500)
  await expect.element(nth(2503)).toBeVisible()
  await expectAccessible()
})

test('scrolls to the top when another connection is shown', async () => {
  const { bridge, scroller, nth } = await openLong()
  scroller.scrollTo(0, 38 * 7000)
  await expect.element(nth(7003)).toBeVisible()
  bridge.emit('state', anAppState({ connection: aConnection({ id: 'other' }) }))
  await expect.element(nth(0)).toBeVisible()
  await expect.poll(() => scroller.scrollTop).toBe(0)
})

test('another account starts at its first row, although a website further down was open in the account before', async () => {
  const { bridge, form, nth } = await openLong()
  await nth(4).click()
  await expect.element(form().form).toBeVisible()
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  await expect.element(form().form).not.toBeInTheDocument()
  await expect.element(nth(0)).toHaveAttribute('tabindex', '0')
})

test('keeps the focused row in view when rows are added above it, unless the user has scrolled it away', async () => {
  const { bridge, scroller, nth } = await openLong()
  const added = (n: number) =>
    Array.from({ length: 30 }, (_, i) => aWebsite({ key: `x${n}-${i}`, domain: `x${n}-${i}.example` }))
  nth(4).element().focus()
  bridge.world.websites = [...added(1), ...many]
  bridge.emit('websitesChanged', { keys: null })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('34')
  await expect.element(nth(4)).toBeInViewport({ ratio: 1 })
  scroller.scrollTo(0, 38 * 3000)
  await expect.element(nth(2975)).toBeVisible()
  bridge.world.websites = [...added(2), ...bridge.world.websites]
  bridge.emit('websitesChanged', { keys: null })
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('64')
  expect(scroller.scrollTop).toBe(38 * 3000)
})
