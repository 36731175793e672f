import { page, userEvent } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok, type Result } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aConnection, anAppState, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

async function openList() {
  const app = await openApp({ websites: websites(30) })
  await expect.element(app.screen.getByText('30 websites')).toBeVisible()
  const open = async (name: string, format: RegExp) => {
    await app.screen.getByRole('button', { name, exact: true }).click()
    await app.screen.getByRole('menuitem', { name: format }).click()
  }
  return { ...app, open, lastRequest: () => app.bridge.requests('exportWebsites').at(-1) }
}

test('exports the list as it is searched and sorted, by keyboard', async () => {
  const { screen, keys, lastRequest } = await openList()
  await keys('/')
  await keys('lumen privacy:password ')
  await expect.element(screen.getByText(/^5 of 30 websites$/)).toBeVisible()
  ;(screen.getByRole('button', { name: 'Export the list' }).element() as HTMLElement).focus()
  await keys(' ')
  await expect.element(screen.getByRole('menuitem', { name: /CSV…/ })).toHaveFocus()
  await expectAccessible()
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(screen.getByText('5 websites exported.')).toBeVisible()
  expect(lastRequest()).toEqual({
    ...{ search: 'lumen', search_by: 'domain', sort_by: 'id', sort: 'desc', format: 'json' },
    filters: [{ name: 'privacy', value: 'password', not: false }],
    chosen: { all: true, keys: [] },
  })
  await expect.element(screen.getByRole('button', { name: 'Export the list' })).toHaveFocus()
})

test('exports the selected websites, or all but the deselected ones', async () => {
  const { screen, row, keys, open, lastRequest } = await openList()
  row('harbour-bakery.example').element().focus()
  await keys('{Shift>}{ArrowDown}{/Shift}')
  await open('Export the selected websites', /CSV…/)
  await expect.element(screen.getByText('2 websites exported.')).toBeVisible()
  expect(lastRequest()).toMatchObject({ format: 'csv', chosen: { all: false, keys: ['w1', 'w2'] } })
  row('harbour-bakery.example').element().focus()
  await userEvent.keyboard('{Control>}a{/Control} ')
  await open('Export the selected websites', /JSON/)
  await expect.element(screen.getByText('29 websites exported.')).toBeVisible()
  expect(lastRequest()).toMatchObject({ format: 'json', chosen: { all: true, keys: ['w1'] } })
})

test.each([
  ['en', ['Export as CSV…', 'Export as CSV with semicolons…', 'Export as JSON…']],
  ['de', ['Export as CSV with semicolons…', 'Export as CSV…', 'Export as JSON…']],
])('offers CSV with both separators, first the one that fits the number format of “%s”', async (formats, labels) => {
  const language = { shown: 'en', system: 'en', formats } as const
  const { screen, bridge } = await openApp({ websites: websites(30), state: anAppState({ language }) })
  await screen.getByRole('button', { name: 'Export the list', exact: true }).click()
  const items = screen.getByRole('menuitem')
  await expect.poll(() => items.elements().map((item) => item.textContent?.trim())).toEqual(labels)
  await screen.getByRole('menuitem', { name: 'Export as CSV with semicolons…' }).click()
  await expect.poll(() => bridge.requests('exportWebsites')).toMatchObject([{ format: 'csv-semicolon' }])
})

test('exports from the palette with semicolons if the number format has decimal commas', async () => {
  const language = { shown: 'en', system: 'en', formats: 'de' } as const
  const { bridge, keys, screen, row } = await openApp({ websites: websites(30), state: anAppState({ language }) })
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
  await keys('{Control>}k{/Control}')
  await keys('export csv{Enter}')
  await expect.poll(() => bridge.requests('exportWebsites')).toMatchObject([{ format: 'csv-semicolon' }])
  row('harbour-bakery.example').element().focus()
  await keys(' ')
  await keys('{Control>}k{/Control}')
  await keys('export selected csv{Enter}')
  await expect
    .poll(() => bridge.requests('exportWebsites').at(-1))
    .toMatchObject({ format: 'csv-semicolon', chosen: { all: false } })
})

test('exports from the palette, on any screen', async () => {
  const { screen, keys, goTo, lastRequest } = await openList()
  await goTo('Account')
  await keys('{Control>}k{/Control}')
  await keys('export csv{Enter}')
  await expect.poll(lastRequest).toMatchObject({ format: 'csv', chosen: { all: true, keys: [] } })
  await expect.element(screen.getByText('30 websites exported.')).toBeVisible()
})

test('the error of an export is no longer shown when the user comes back to the list', async () => {
  const { screen, bridge, open, goTo } = await openList()
  bridge.answer('exportWebsites', () => fail('not-written'))
  await open('Export the list', /CSV…/)
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await goTo('Pending')
  await goTo('Websites')
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  expect(screen.getByRole('alert').elements()).toEqual([])
})

test('the list shows the error of an export that failed while another screen was shown', async () => {
  const { screen, bridge, open, goTo } = await openList()
  const written = Promise.withResolvers<Result<{ saved: boolean; websites: number }>>()
  bridge.answer('exportWebsites', () => written.promise)
  await open('Export the list', /CSV…/)
  await goTo('Pending')
  written.resolve(fail('not-written'))
  await goTo('Websites')
  await expect.element(screen.getByRole('alert')).toBeVisible()
})

test('says that an export stopped because another account was shown, and shows no error over the list of that account', async () => {
  const { screen, bridge, open } = await openList()
  const written = Promise.withResolvers<Result<{ saved: boolean; websites: number }>>()
  bridge.answer('exportWebsites', () => written.promise)
  await open('Export the list', /CSV…/)
  await expect.poll(() => bridge.requests('exportWebsites')).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  written.resolve(fail('no-connection'))
  await expect.element(screen.getByText('Export stopped. No file was saved.')).toBeVisible()
  expect(screen.getByRole('alert').elements()).toEqual([])
})

test('says nothing if the user cancels an export, and shows a write error until the next export', async () => {
  const { screen, bridge, open } = await openList()
  bridge.answer('exportWebsites', () => ok({ saved: false, websites: 0 }))
  await open('Export the list', /CSV…/)
  await expect.poll(() => bridge.requests('exportWebsites')).toHaveLength(1)
  expect(screen.getByText(/exported/).elements()).toEqual([])
  for (const [code, text] of [
    ['disk-full', /The disk is full.*Free up some space/],
    ['not-written', /Couldn’t save the file in this folder.*another folder/],
  ] as const) {
    bridge.answer('exportWebsites', () => fail(code))
    await open('Export the list', /CSV…/)
    await expect.element(screen.getByRole('alert')).toMatchTextContent(text)
  }
  await expectAccessible()
  bridge.answer('exportWebsites', () => ok({ saved: true, websites: 1 }))
  await open('Export the list', /JSON/)
  await expect.element(screen.getByText('1 website exported.')).toBeVisible()
  expect(screen.getByRole('alert').elements()).toEqual([])
})

/** Starts an export that reports its progress. Main answers it when `end` is called. */
async function exporting() {
  const app = await openList()
  let end: (saved: boolean) => void = () => undefined
  app.bridge.answer('exportWebsites', () => {
    return new Promise((resolve) => (end = (saved) => resolve(ok({ saved, websites: 10_000 }))))
  })
  await app.open('Export the list', /CSV…/)
  await expect.poll(() => app.bridge.requests('exportWebsites')).toHaveLength(1)
  app.bridge.emit('exporting', { done: 500, total: 10_000 })
  const toasts = app.screen.getByRole('region', { name: 'Messages' })
  const bar = toasts.getByRole('progressbar', { name: 'Exporting 10,000 websites…' })
  await expect.element(bar).toBeVisible()
  return { ...app, toasts, bar, end: (saved: boolean) => end(saved) }
}

test('shows the progress of a long export, and announces only its start and end', async () => {
  const { screen, bridge, toasts, bar, end } = await exporting()
  await expect.element(toasts).toHaveAttribute('aria-live', 'polite')
  const announcement = toasts.element().textContent
  await expectAccessible()
  bridge.emit('exporting', { done: 9500, total: 10_000 })
  await expect.element(bar).toHaveAttribute('value', '9500')
  expect(toasts.element().textContent).toBe(announcement)
  end(true)
  await expect.element(screen.getByText('10,000 websites exported.')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
})

test('“Stop” ends an export by keyboard, says that no file was saved, and keeps the focus on the screen', async () => {
  const { screen, bridge, keys, toasts, bar, end } = await exporting()
  ;(toasts.getByRole('button', { name: 'Stop' }).element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.poll(() => bridge.requests('cancelExport')).toHaveLength(1)
  end(false)
  await expect.element(screen.getByText('Export stopped. No file was saved.')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('reports a finished export as exported if “Stop” came too late', async () => {
  const { screen, toasts, end } = await exporting()
  await toasts.getByRole('button', { name: 'Stop' }).click()
  end(true)
  await expect.element(screen.getByText('10,000 websites exported.')).toBeVisible()
})

test('the export button keeps its place, and is disabled while the list is empty or no website matches', async () => {
  const bridge = new MemoryBridge({ websites: [] })
  const { screen, keys } = await openApp(bridge)
  const button = (name: string) => screen.getByRole('button', { name, exact: true })
  const places = () =>
    ['Refresh', 'Export the list', 'View'].map((name) => button(name).element().getBoundingClientRect().left)
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expect.element(button('Export the list')).toHaveAttribute('aria-disabled', 'true')
  ;(button('Export the list').element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(screen.getByRole('menu', { name: 'Export the list' })).not.toBeInTheDocument()
  const before = places()
  bridge.world.websites = websites(3)
  bridge.setState({ websites: 3 })
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  await expect.element(button('Export the list')).not.toHaveAttribute('aria-disabled')
  expect(places()).toEqual(before)
  await keys('/nosuch')
  await expect.element(screen.getByText(/^0 of 3 websites$|No domain contains/).first()).toBeVisible()
  await expect.element(button('Export the list')).toHaveAttribute('aria-disabled', 'true')
  expect(places()).toEqual(before)
})
