import { page } from 'vitest/browser'
import { expect, onTestFinished, test } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import { openApp } from './support/app.ts'
import { MemoryBridge } from './support/bridge.ts'
import { anAppState, anEdit, websites } from './support/fixtures.ts'

test.for([
  [480, 740],
  [1180, 740],
] as const)(
  'at least five rows of the list fit with text of twice the size, in a window of %i × %i',
  async ([width, height]) => {
    await page.viewport(width, height)
    document.documentElement.style.fontSize = '26px'
    onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
    const { row, keys } = await openApp({ websites: websites(30), state: anAppState({ websites: 30 }) })
    await expect.element(row('harbour-bakery.example')).toBeVisible()
    const scroller = document.querySelector('[role=grid]')?.parentElement
    const seen = () => {
      const { top = 0, bottom = 0 } = scroller?.getBoundingClientRect() ?? {}
      const head = document.querySelector('[role=rowgroup]')?.getBoundingClientRect().bottom ?? top
      return [...document.querySelectorAll('button[data-row]')].filter((each) => {
        const box = each.getBoundingClientRect()
        return box.top >= head - 1 && box.bottom <= Math.min(bottom, innerHeight) + 1
      })
    }
    await expect.poll(() => seen().length).toBeGreaterThanOrEqual(5)
    ;(row('harbour-bakery.example').element() as HTMLElement).focus()
    await keys('{End}')
    await expect.poll(() => seen().at(-1)).toBe(document.activeElement)
  },
)

test('keeps the same row at the top of the list after a visit to another screen, and when the row height changes', async () => {
  await page.viewport(1180, 740)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { row, screen } = await openApp({ websites: websites(2000), state: anAppState({ websites: 2000 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const scroller = () => document.querySelector('[role=grid]')?.parentElement as HTMLElement
  const height = () => document.querySelector('[aria-rowindex="2"]')?.clientHeight ?? 0
  await expect.poll(height).toBeGreaterThan(60)
  const rows = height() + 1
  const top = () => {
    const { top, bottom } = scroller().getBoundingClientRect()
    const head = document.querySelector('[role=columnheader]')?.clientHeight ?? 0
    const rows = [...document.querySelectorAll('[role=row][aria-rowindex]')].filter((row) => {
      const box = row.getBoundingClientRect()
      return box.top + 2 >= top + head && box.top < bottom
    })
    return Math.min(...rows.map((row) => Number(row.ariaRowIndex))) - 1
  }
  scroller().scrollTo(0, 500 * rows)
  await expect.poll(top).toBe(501)
  await screen.getByRole('button', { name: 'Pending' }).click()
  await screen.getByRole('button', { name: 'Websites' }).click()
  await expect.poll(top).toBe(501)
  // Changes the height of the rows while the list is shown.
  document.documentElement.style.fontSize = '13px'
  await expect.poll(height).toBeLessThan(40)
  await expect.poll(top).toBe(501)
})

test('scrolls the whole screen if its head leaves no room for the pending changes, and overlaps nothing', async () => {
  await page.viewport(480, 420)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const edits = Array.from({ length: 30 }, (_, n) =>
    anEdit({ id: `e${n}`, domain: `${'long-'.repeat(9)}${n}.example` }),
  )
  const delivery = { done: 10, total: 40, seconds: 40 }
  const { screen, goTo } = await openApp({ edits, state: anAppState({ waiting: 30, delivery }) })
  await goTo('Pending')
  const first = screen.getByRole('listitem').first().element()
  const sendNow = screen.getByRole('button', { name: 'Send now' }).first().element()
  await expect.poll(() => first.getBoundingClientRect().top).toBeGreaterThan(sendNow.getBoundingClientRect().bottom)
  const last = screen.getByRole('listitem').last().element()
  last.scrollIntoView({ block: 'end' })
  await expect.poll(() => last.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight + 1)
})

test('keeps menus and the filters of Activity within a narrow window', async () => {
  await page.viewport(480, 740)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { row, screen, goTo, keys } = await openApp({ websites: websites(3), state: anAppState({ websites: 3 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  await screen.getByRole('button', { name: 'View' }).click()
  const menu = screen.getByRole('menu')
  await expect.element(menu).toBeVisible()
  const { left, right } = menu.element().getBoundingClientRect()
  expect([left >= 0, right <= innerWidth]).toEqual([true, true])
  await keys('{Escape}')
  await goTo('Activity')
  const widths = () => [...document.querySelectorAll('input[type=date]')].map(({ clientWidth }) => clientWidth)
  await expect.poll(() => Math.min(...widths())).toBeGreaterThan(300)
})

test('shows the number of found websites in a narrow list without making the list wider than the window', async () => {
  await page.viewport(480, 740)
  document.documentElement.style.fontSize = '28px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { screen, row } = await openApp({ websites: websites(20_000), state: anAppState({ websites: 20_000 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('privacy:public ')
  await expect.element(screen.getByText(/ of 20,000 websites/)).toBeVisible()
  const pane = document.querySelector('main')
  expect(pane?.scrollWidth).toBe(pane?.clientWidth)
})

const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

test('changes the text size by keys, within limits, and everything scales with it', async () => {
  await page.viewport(1180, 740)
  const { row, keys, bridge } = await openApp({ websites: websites(300), state: anAppState({ websites: 300 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const height = () => document.querySelector('[aria-rowindex="2"]')?.clientHeight ?? 0
  const usual = rootSize()
  const row100 = height()
  await keys('{Control>}={/Control}')
  await expect.poll(() => bridge.requests('setSettings').at(-1)).toEqual({ textSize: 110 })
  await expect.poll(rootSize).toBeCloseTo(usual * 1.1)
  for (let press = 0; press < 6; press += 1) await keys('{Control>}+{/Control}')
  await expect.poll(rootSize).toBeCloseTo(usual * 2)
  await expect.poll(height).toBeGreaterThan(row100 * 1.4)
  const tops = () =>
    [...document.querySelectorAll('[aria-rowindex]')]
      .map((each) => each.getBoundingClientRect().top)
      .sort((a, b) => a - b)
  await expect.poll(() => (tops()[3] ?? 0) - (tops()[2] ?? 0)).toBeGreaterThanOrEqual(height())
  await keys('{Control>}0{/Control}')
  await expect.poll(rootSize).toBeCloseTo(usual)
  for (let press = 0; press < 3; press += 1) await keys('{Control>}-{/Control}')
  await expect.poll(rootSize).toBeCloseTo(usual * 0.8)
  await expect.poll(height).toBeLessThan(row100)
})

test('changes the text size while a dialog is open', async () => {
  await page.viewport(1180, 740)
  const { screen, keys, row, bridge } = await openApp({ websites: websites(3), state: anAppState({ websites: 3 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  await keys('{Control>}k{/Control}')
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  await keys('{Control>}-{/Control}')
  await expect.poll(() => bridge.requests('setSettings').at(-1)).toEqual({ textSize: 90 })
})

test('changes the text size before there is a connection', async () => {
  await page.viewport(1180, 740)
  const { screen, keys, bridge } = await openApp({ state: anAppState({ connection: null }) })
  await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible()
  await keys('{Control>}={/Control}')
  await expect.poll(() => bridge.requests('setSettings').at(-1)).toEqual({ textSize: 110 })
})

test('offers the text size in the settings', async () => {
  const { screen, bridge, goTo } = await openApp()
  await goTo('Settings')
  const usual = rootSize()
  await screen.getByRole('combobox', { name: 'Text size' }).selectOptions('150%')
  expect(bridge.requests('setSettings').at(-1)).toEqual({ textSize: 150 })
  await expect.poll(rootSize).toBeCloseTo(usual * 1.5)
})

test('counts each press of a key for the text size, however fast', async () => {
  const { row, bridge } = await openApp({ websites: websites(3) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  bridge.answer('setSettings', async (change) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return ok((bridge.world.settings = { ...bridge.world.settings, ...change }))
  })
  const press = (key: string) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true }))
  for (const key of ['=', '=', '=', '-', '=']) press(key)
  await expect.poll(() => bridge.world.settings.textSize).toBe(150)
  for (let n = 0; n < 7; n++) press('=')
  await expect.poll(() => bridge.world.settings.textSize).toBe(200)
  for (let n = 0; n < 20; n++) press('-')
  press('0')
  press('-')
  await expect.poll(() => bridge.world.settings.textSize, { timeout: 5000 }).toBe(90)
})

test.each(['View', 'Export'])('the %s menu fits into a small window with text of twice the size', async (name) => {
  await page.viewport(480, 420)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const language = { shown: 'de', system: 'de', formats: 'de' } as const
  const { screen } = await openApp({ websites: websites(30), state: anAppState({ websites: 30, language }) })
  const labels = { View: 'Ansicht', Export: 'Liste exportieren' } as Record<string, string>
  await screen.getByRole('button', { name: labels[name] ?? '', exact: true }).click()
  const menu = screen.getByRole('menu')
  await expect.element(menu).toBeVisible()
  await expect.poll(() => menu.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
  expect(menu.element().scrollWidth).toBeLessThanOrEqual(menu.element().clientWidth)
})

test('a narrow window with text of twice the size cuts nothing off', async () => {
  await page.viewport(480, 740)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const language = { shown: 'de', system: 'de', formats: 'de' } as const
  const state = anAppState({ websites: 30, language, waiting: 1 })
  const { screen, row } = await openApp({ websites: websites(30), edits: [anEdit()], state })
  const box = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
  // Expects that the button which clears the search is inside the field.
  const search = screen.getByRole('combobox', { name: 'Websites suchen' })
  await search.fill('harbour')
  const clear = screen.getByRole('button', { name: 'Suche löschen' }).element()
  expect(box(clear).right).toBeLessThanOrEqual(box(search.element().parentElement).right)
  // Expects that the domain has the whole width of the editor's head, below the buttons.
  await row('harbour-bakery.example').click()
  const close = screen.getByRole('button', { name: 'Schließen', exact: true }).element()
  const domain = screen.getByRole('heading', { name: 'harbour-bakery.example' }).element()
  expect(box(domain).top).toBeGreaterThanOrEqual(box(close).bottom)
  await screen.getByRole('button', { name: 'Schließen', exact: true }).click()
  // Expects that a button on a line of its own is at the end of the line.
  await screen.getByRole('button', { name: /^Ausstehend/ }).click()
  const send = screen.getByRole('button', { name: 'Jetzt senden' }).first().element()
  await expect.poll(() => Math.round(box(send).right - box(send.closest('.actions')).right)).toBe(0)
})

test.each([19.5, 26])(
  'shows the account and each screen in two lines of a small window, with text of %s px',
  async (size) => {
    await page.viewport(480, 700)
    document.documentElement.style.fontSize = `${size}px`
    onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
    const { screen, row, bridge } = await openApp({ websites: websites(30), state: anAppState({ websites: 30 }) })
    await expect.element(row('harbour-bakery.example')).toBeVisible()
    const name = screen.getByText('Northwind Agency', { exact: true }).element()
    await expect.poll(() => name.closest('strong')?.clientWidth).toBeGreaterThan(190)
    const tops = (within: Element | null) =>
      new Set([...(within?.querySelectorAll('button') ?? [])].map((one) => Math.round(one.getBoundingClientRect().top)))
    await expect.poll(() => tops(document.querySelector('nav')).size).toBe(1)
    bridge.setState({ waiting: 30 })
    await expect.element(screen.getByRole('button', { name: 'Pending' })).toHaveAccessibleDescription('30')
    await expect.poll(() => tops(document.querySelector('nav')).size).toBe(1)
  },
)

test('a small window with text of twice the size has all menus of the list, in one line with the uncut count', async () => {
  await page.viewport(480, 700)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { screen, row } = await openApp({ websites: websites(300), state: anAppState({ websites: 300 }) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const count = screen.getByText('300 websites', { exact: true }).element()
  const names = ['Refresh', 'Import or compare', 'View', 'Export the list']
  const buttons = names.map((name) => screen.getByRole('button', { name, exact: true }))
  for (const button of buttons) await expect.element(button).toBeVisible()
  expect(new Set(buttons.map((button) => button.element().getBoundingClientRect().top)).size).toBe(1)
  expect(count.scrollWidth).toBe(count.clientWidth)
})

test('a key for the text size changes the stored size, even if it is pressed before the settings are read', async () => {
  const settings = { ...defaultSettings, textSize: 150 as const }
  const bridge = new MemoryBridge({ settings })
  const read = Promise.withResolvers<undefined>()
  bridge.answer('getSettings', async () => {
    await read.promise
    return ok(settings)
  })
  const { keys } = await openApp(bridge)
  await keys('{Control>}={/Control}')
  read.resolve(undefined)
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ textSize: 175 }])
  await expect.poll(() => document.documentElement.style.getPropertyValue('--text-size')).toBe('1.75')
})

test('ends lines between the phrases of a Japanese text', async () => {
  await openApp({})
  document.documentElement.lang = 'ja'
  expect(getComputedStyle(document.body).wordBreak).toBe('auto-phrase')
  document.documentElement.lang = 'en'
  expect(getComputedStyle(document.body).wordBreak).toBe('normal')
})
