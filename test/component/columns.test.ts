import { page, userEvent } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { anAppState, aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

async function openList(world: Parameters<typeof openApp>[0] = { websites: websites(5) }) {
  const app = await openApp(world)
  await expect.element(app.screen.getByRole('columnheader', { name: 'Domain' })).toBeVisible()
  const heads = () =>
    app.screen
      .getByRole('columnheader')
      .elements()
      .map((head) => head.ariaLabel)
  const head = (name: string) => app.screen.getByRole('columnheader', { name, exact: true })
  const edge = (name: string) => app.screen.getByRole('separator', { name: `Width of ${name}`, exact: true })
  const widthOf = (name: string) => head(name).element().getBoundingClientRect().width
  const menu = app.screen.getByRole('button', { name: 'View', exact: true })
  const item = (name: string | RegExp) => app.screen.getByRole('menuitemcheckbox', { name })
  async function moveTo(name: string, arrow: 'ArrowUp' | 'ArrowDown'): Promise<void> {
    for (let presses = 0; presses < 30 && item(name).element() !== document.activeElement; presses++) {
      await app.keys(`{${arrow}}`)
    }
    await expect.element(item(name)).toHaveFocus()
  }
  return { ...app, heads, head, edge, widthOf, menu, item, moveTo }
}

const asAtFirst = ['Domain', 'State', 'Privacy', 'Email reports', 'Exclude bots', 'Created']

test('chooses columns by keyboard, and stores the choice', async () => {
  const list = await openList({
    websites: [aWebsite({ exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '2026-11-14T09:00:00Z' })],
  })
  expect(list.heads()).toEqual(asAtFirst)
  ;(list.menu.element() as HTMLElement).focus()
  await list.keys('{Enter}')
  await expect.element(list.screen.getByRole('menuitem', { name: 'Save view…' })).toHaveFocus()
  await expectAccessible()
  await list.keys('{End}')
  await list.moveTo('State', 'ArrowUp')
  await list.moveTo('Email reports', 'ArrowDown')
  await list.keys(' ')
  await list.moveTo('Excluded IP addresses', 'ArrowDown')
  await list.keys('{Enter}')
  await expect.element(list.item('Excluded IP addresses')).toHaveAttribute('aria-checked', 'true')
  await expect.element(list.item('Email reports')).toHaveAttribute('aria-checked', 'false')
  await list.keys('{Escape}')
  await expect.element(list.menu).toHaveFocus()
  expect(list.heads()).toEqual(['Domain', 'State', 'Privacy', 'Exclude bots', 'Excluded IP addresses', 'Created'])
  const cells = list.screen.getByRole('gridcell').elements()
  expect(cells[4]?.textContent.trim()).toBe('2')
  expect(list.bridge.requests('setSettings').at(-1)).toEqual({
    listColumns: ['state', 'privacy', 'bots', 'ips', 'created'],
  })
  await expect.element(list.form().form).not.toBeInTheDocument()
})

test('restores the columns, the order and the page size at the next start', async () => {
  const list = await openList({
    websites: websites(60),
    settings: {
      ...defaultSettings,
      listColumns: ['id', 'created'],
      listWidths: { id: 12 },
      listOrder: { by: 'domain', sort: 'asc' },
      listPages: 25,
    },
  })
  await expect.element(list.screen.getByText('1–25 of 60')).toBeVisible()
  expect(list.heads()).toEqual(['Domain', 'ID', 'Created'])
  expect(list.widthOf('ID')).toBeCloseTo(12 * 13, 0)
  await expect.element(list.head('Domain')).toHaveAttribute('aria-sort', 'ascending')
  const requests = list.bridge.requests('listWebsites')
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({ sort_by: 'domain', sort: 'asc', per_page: 25 })

  await list.view('50 per page')
  await list.head('Created').getByRole('button').click()
  expect(list.bridge.requests('setSettings')).toEqual([{ listPages: 50 }, { listOrder: { by: 'id', sort: 'desc' } }])
})

test('shows no list before the settings are read, even if the connection is reported earlier', async () => {
  const settings = { ...defaultSettings, listPages: 10 as const, listOrder: { by: 'domain', sort: 'asc' } as const }
  const bridge = new MemoryBridge({ websites: websites(12), settings })
  const read = Promise.withResolvers<undefined>()
  bridge.answer('getSettings', async () => {
    await read.promise
    return ok(settings)
  })
  const { screen } = await openApp(bridge)
  bridge.setState({ waiting: 1 })
  await tick()
  expect(bridge.requests('listWebsites')).toEqual([])
  read.resolve(undefined)
  await expect.element(screen.getByRole('columnheader', { name: 'Domain' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => screen.getByRole('grid').getByRole('row').elements().length).toBe(11)
  expect(bridge.requests('listWebsites')).toMatchObject([{ per_page: 10, sort_by: 'domain' }])
})

test('resizes a column by arrow keys and fits it by Enter, and stores the width when the key is released', async () => {
  const { edge, widthOf, keys, bridge } = await openList({
    websites: [aWebsite({ state: 'changed', pending: ['email', 'privacy'] })],
  })
  const state = edge('State')
  const before = widthOf('State')
  ;(state.element() as HTMLElement).focus()
  await expectAccessible()
  await keys('{ArrowLeft>}')
  await expect.poll(() => widthOf('State')).toBeCloseTo(before + 6.5, 0)
  expect(bridge.requests('setSettings')).toEqual([])
  await keys('{/ArrowLeft}')
  const now = Number(state.element().ariaValueNow)
  expect(now * 13).toBeCloseTo(widthOf('State'), 0)
  expect(bridge.requests('setSettings')).toEqual([{ listWidths: { state: now } }])
  await keys('{ArrowRight}{ArrowRight}')
  await expect.poll(() => widthOf('State')).toBeCloseTo(before - 6.5, 0)
  await keys('{Home}')
  await expect.poll(() => widthOf('State')).toBe(39)
  expect(state.element().ariaValueNow).toBe(state.element().ariaValueMin)
  await keys('{End}')
  await expect.poll(() => state.element().ariaValueNow).toBe(state.element().ariaValueMax)
  await keys('{Enter}')
  await expect.poll(() => widthOf('State')).toBeLessThan(150)
  const tag = page.getByTitle('Pending: Email reports, Privacy').getByText('Pending').element()
  expect(tag.scrollWidth).toBe(tag.clientWidth)
  await expect.element(state).toHaveFocus()
})

test('resizes a column with the pointer, and fits it by a double click', async () => {
  const { edge, head, widthOf, bridge } = await openList()
  const place = edge('Privacy').element().getBoundingClientRect()
  const right = head('Privacy').element().getBoundingClientRect().right
  const send = (type: string, x: number) =>
    edge('Privacy')
      .element()
      .dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: x, clientY: place.y + 5, pointerId: 1 }))
  const target = edge('Privacy').element() as HTMLElement
  target.setPointerCapture = () => undefined
  const before = widthOf('Privacy')
  send('pointerdown', place.x)
  send('pointermove', place.x - 60)
  send('lostpointercapture', place.x - 60)
  await expect.poll(() => widthOf('Privacy')).toBeCloseTo(before + 60, 0)
  expect(head('Privacy').element().getBoundingClientRect().right).toBe(right)
  expect(bridge.requests('setSettings')).toHaveLength(1)
  send('pointermove', place.x - 200)
  expect(widthOf('Privacy')).toBeCloseTo(before + 60, 0)
  await userEvent.dblClick(target)
  await expect.poll(() => widthOf('Privacy')).toBeLessThan(before + 10)
})

test('making columns wider hides no column', async () => {
  const { edge, heads, keys, widthOf } = await openList()
  for (const name of ['State', 'Privacy', 'Created']) {
    ;(edge(name).element() as HTMLElement).focus()
    await keys('{End}')
  }
  expect(heads()).toEqual(asAtFirst)
  expect(widthOf('Domain')).toBeGreaterThanOrEqual(15 * 13 - 1)
})

test('hides columns in a fixed order if there is no room for all of them, and the menu says so', async () => {
  const { heads, menu, item } = await openList()
  const seen: (string | null)[][] = []
  for (const width of [1040, 720, 600, 520, 480, 420]) {
    await page.viewport(width, 740)
    await expect.poll(heads).not.toEqual(seen.at(-1))
    seen.push(heads())
  }
  expect(seen).toEqual([
    asAtFirst,
    ['Domain', 'Privacy', 'Email reports', 'Exclude bots', 'Created'],
    ['Domain', 'Privacy', 'Email reports', 'Created'],
    ['Domain', 'Privacy', 'Created'],
    // “Email reports” is narrower than the column “Created”, so it still fits.
    ['Domain', 'Privacy', 'Email reports'],
    ['Domain', 'Privacy'],
  ])
  await menu.click()
  await expect.element(item(/^Created/)).toMatchTextContent(/Window too narrow/)
  await expect.element(item(/^Created/)).toHaveAttribute('aria-checked', 'true')
  await expectAccessible()
})

test('in a narrow list, the mark of a state is in the Domain column, and rows without a state cut off nothing of their domain', async () => {
  await page.viewport(480, 740)
  const domain = 'members.juniper-coaching.example'
  const { row, heads, screen } = await openList({
    websites: [aWebsite({ key: 'a', domain }), aWebsite({ key: 'b', domain: 'b.example', state: 'parked' })],
  })
  await expect.element(row(domain)).toBeVisible()
  await expect.poll(heads).toEqual(['Domain', 'Privacy', 'Email reports'])
  for (const part of row(domain).element().querySelectorAll('*')) expect(part.scrollWidth).toBe(part.clientWidth)
  const [cell] = screen.getByRole('row').filter({ hasText: 'b.example' }).getByRole('gridcell').elements()
  expect(cell?.textContent).toContain('Needs attention')
  expect(cell?.querySelector('svg')?.getBoundingClientRect().width).toBeGreaterThan(0)
})

test.each([480, 1180])(
  'all states beside domains have a text, or none of them, in a window of %i px',
  async (width) => {
    await page.viewport(width, 740)
    const settings = { ...defaultSettings, listColumns: ['privacy' as const] }
    const domains = ['a.example', 'book.sandpiper-carpentry.example', `${'long-'.repeat(9)}.example`]
    const list = domains.map((domain, n) => aWebsite({ key: `w${n}`, domain, state: 'changed', pending: ['email'] }))
    const { screen } = await openList({ websites: list, settings })
    const texts = screen.getByRole('gridcell').getByText('Pending', { exact: true })
    await expect.poll(() => texts.elements()).toHaveLength(3)
    const isShown = () => texts.elements().map((text) => text.clientWidth > 1)
    await expect.poll(isShown).toEqual(domains.map(() => width === 1180))
  },
)

test('leaves space between the French text for “Off” and the next column', async () => {
  const language = { shown: 'fr', system: 'fr', formats: 'fr' } as const
  const { screen, row } = await openApp({ websites: [aWebsite({ email: false })], state: anAppState({ language }) })
  await expect.element(row(aWebsite().domain)).toBeVisible()
  const cell = screen.getByRole('gridcell', { name: 'Désactivé' }).element()
  const words = document.createRange()
  words.selectNodeContents(cell)
  const next = cell.nextElementSibling?.getBoundingClientRect().left ?? 0
  expect(next - words.getBoundingClientRect().right).toBeGreaterThan(10)
})

test('restores the default columns on request', async () => {
  const { menu, heads, bridge, screen, widthOf } = await openList({
    websites: websites(2),
    settings: { ...defaultSettings, listColumns: ['id'], listWidths: { state: 30 } },
  })
  expect(heads()).toEqual(['Domain', 'ID'])
  await menu.click()
  await screen.getByRole('menuitem', { name: 'Reset columns' }).click()
  await expect.poll(heads).toEqual(asAtFirst)
  expect(widthOf('State')).toBeLessThan(200)
  expect(bridge.world.settings).toMatchObject({ listColumns: defaultSettings.listColumns, listWidths: {} })
})

test('the reset of the columns keeps the Tags column if a website has tags', async () => {
  const tagged = websites(2).map((website) => ({ ...website, tags: ['client-a'] }))
  const { menu, heads, screen } = await openList({ websites: tagged, tags: [{ name: 'client-a', colour: 'red' }] })
  await menu.click()
  await screen.getByRole('menuitem', { name: 'Reset columns' }).click()
  await expect.poll(heads).toContain('Tags')
})

test('applies a setting of the list that could not be stored, and reports the error', async () => {
  const { menu, item, heads, bridge, screen } = await openList()
  bridge.answer('setSettings', () => fail('disk-full'))
  await menu.click()
  await item('Email reports').click()
  await expect.poll(heads).not.toContain('Email reports')
  await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent(/disk is full/)
})

test('stores a chosen setting of the list at once, even while storing an earlier one is not finished', async () => {
  const bridge = new MemoryBridge({ websites: websites(60) })
  const list = await openList(bridge)
  bridge.answer('setSettings', () => new Promise(() => {}))
  await list.head('Domain').getByRole('button').click()
  await list.view('10 per page')
  const kept = bridge.requests('setSettings')
  expect(kept).toEqual([{ listOrder: { by: 'domain', sort: 'asc' } }, { listPages: 10 }])
})

test('the View menu uses the height of the window, so that its columns can be seen', async () => {
  await page.viewport(1180, 740)
  const { menu, screen } = await openList()
  await menu.click()
  const bottom = () => screen.getByRole('menu').element().getBoundingClientRect().bottom
  await expect.poll(bottom).toBeGreaterThan(700)
  expect(bottom()).toBeLessThanOrEqual(innerHeight)
})
