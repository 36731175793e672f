import { cdp, page } from 'vitest/browser'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../src/shared/state.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const rows: [string, Partial<WebsiteView>][] = [
  ['New', { id: null, state: 'new' }],
  ['Pending', { state: 'changed', pending: ['email', 'privacy'] }],
  ['Will be deleted', { state: 'deleting' }],
  ['Sending', { state: 'sending' }],
  ['Unconfirmed', { state: 'checking' }],
  ['Needs attention', { state: 'parked' }],
]
const websites = [
  ...rows.map(([, change], n) => aWebsite({ key: `w${n}`, domain: `site-${n}.example`, ...change })),
  aWebsite({ key: 'plain', domain: 'plain.example' }),
]

const rowOf = (domain: string) => page.getByRole('row').filter({ hasText: domain })
/** Returns the SVG shape that marks the state of each row. Undefined for a row without a mark. */
const shapes = () => rows.map((_, n) => rowOf(`site-${n}.example`).element().querySelector('svg')?.innerHTML)

test('each state has a shape besides its text, and a normal row has none', async () => {
  await openApp({ websites })
  for (const [n, [text]] of rows.entries()) {
    await expect.element(rowOf(`site-${n}.example`).getByText(text, { exact: true })).toBeVisible()
  }
  expect(new Set(shapes()).size).toBe(rows.length)
  expect(rowOf('plain.example').element().querySelector('svg')).toBeNull()
  await expect.element(page.getByTitle('Pending: Email reports, Privacy')).toBeVisible()
})

test('without the state column, the shape is beside the domain, and its text is read out', async () => {
  await openApp({ websites, settings: { ...defaultSettings, listColumns: ['privacy'] } })
  await expect.element(rowOf('plain.example')).toBeVisible()
  for (const [n, [text]] of rows.entries()) {
    const [cell] = rowOf(`site-${n}.example`).getByRole('gridcell').elements()
    expect(cell?.textContent).toContain(text)
  }
  expect(new Set(shapes()).size).toBe(rows.length)
  await expectAccessible()
})

/** Emulates the system's forced colors. The empty value ends the emulation. */
const forced = (value: 'active' | '') =>
  (cdp() as unknown as { send(method: string, params: object): Promise<unknown> }).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'forced-colors', value }],
  })
afterEach(() => forced(''))

test('with forced colors, states and the open row keep an outline', async () => {
  const { row } = await openApp({ websites })
  await forced('active')
  const tag = page.getByTitle('Needs attention')
  await expect.element(tag).toBeVisible()
  expect(getComputedStyle(tag.element()).borderTopStyle).toBe('solid')
  await row('site-1.example').click()
  await expect.poll(() => getComputedStyle(rowOf('site-1.example').element()).outlineStyle).toBe('solid')
  await expect.poll(() => getComputedStyle(rowOf('plain.example').element()).outlineStyle).toBe('none')
})

test('with forced colors, the current screen, the chosen option, the shown tab and the current suggestion or command are marked', async () => {
  const { row, form, keys, screen } = await openApp({ websites })
  await row('plain.example').click()
  await expect.element(form().form).toBeVisible()
  await forced('active')
  const style = (at: Element | null | undefined) => getComputedStyle(at ?? document.body)
  const marks = (...all: (Element | null | undefined)[]) => all.map((one) => style(one).outlineStyle)
  const nav = screen.getByRole('navigation', { name: 'Screens' })
  const item = (name: string) => nav.getByRole('button', { name, exact: true }).element()
  await expect.poll(() => marks(item('Websites'), item('Activity'))).toEqual(['solid', 'none'])
  const option = (name: string) => form().privacy(name).element().closest('label')
  await expect.poll(() => marks(option('Private'), option('Public'))).toEqual(['solid', 'none'])
  const line = (name: string) => style(screen.getByRole('tab', { name }).element()).borderBottomColor
  await expect.poll(() => line('Settings')).not.toBe(line('History'))

  await screen.getByRole('combobox', { name: 'Search websites' }).click()
  const options = () => page.getByRole('option').elements().slice(0, 2)
  await keys('{ArrowDown}')
  await expect.poll(() => marks(...options())).toEqual(['solid', 'none'])
  await keys('{Escape}{Control>}k{/Control}')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await expect.poll(() => marks(...options())).toEqual(['solid', 'none'])
})
