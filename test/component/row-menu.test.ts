import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, websites } from './support/fixtures.ts'
import { tabTo } from './support/tab-to.ts'

beforeEach(() => page.viewport(1180, 740))

const rows = websites(5)

async function openList() {
  const app = await openApp({ websites: rows })
  const nth = (n: number) => app.row(rows[n]?.domain ?? '')
  await expect.element(nth(0)).toBeVisible()
  const menu = app.screen.getByRole('menu')
  const choose = (name: string) => app.screen.getByRole('menuitem', { name, exact: true }).click()
  return { ...app, nth, menu, choose }
}

test('the menu of a row opens by the right mouse button, and Escape returns the focus to the row', async () => {
  const { nth, menu, keys } = await openList()
  await nth(2).click({ button: 'right' })
  await expect.element(menu).toBeVisible()
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(nth(2)).toHaveFocus()
})

test.each(['{Escape}', 'Tags and note…', 'Open website in browser'])(
  'marks a row only while its menu is open: %s removes the mark',
  async (end) => {
    const { nth, menu, keys, choose, screen } = await openList()
    const mark = () => {
      const row = nth(2).element().closest('[role="row"]')
      return row && getComputedStyle(row).outlineStyle
    }
    await nth(2).click({ button: 'right' })
    await expect.element(menu).toBeVisible()
    expect(mark()).toBe('solid')
    if (end.startsWith('{')) await keys(end)
    else await choose(end)
    if (end.startsWith('Tags')) await screen.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(mark).toBe('none')
  },
)

test.each(['{Shift>}{F10}{/Shift}', '{ContextMenu}'])(
  'the menu of a row opens by the keys %s, and its items are chosen by keyboard',
  async (key) => {
    const { screen, nth, menu, keys } = await openList()
    nth(1).element().focus()
    await keys(key)
    await expect.element(menu).toHaveAccessibleName(`Actions for ${rows[1]?.domain}`)
    await expect.element(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus()
    await keys('{ArrowDown}{ArrowUp}{End}{ArrowUp}')
    await expect.element(screen.getByRole('menuitem', { name: 'Tags and note…' })).toHaveFocus()
    await keys('hi')
    await expect.element(screen.getByRole('menuitem', { name: 'History' })).toHaveFocus()
    await keys('{Enter}')
    await expect.element(screen.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
  },
)

test('copies the domain of a website', async () => {
  const { screen, nth, choose, keys } = await openList()
  await nth(2).click({ button: 'right' })
  await choose('Copy domain')
  await expect.element(screen.getByText(/ copied\.$/)).toBeVisible()
  await keys('/')
  await keys('{Control>}v{/Control}')
  await expect.element(screen.getByRole('combobox', { name: 'Search websites' })).toHaveValue(rows[2]?.domain)
})

test('copies the domains of all selected websites, even of one that is not among the rows that were read last', async () => {
  const { screen, nth, choose, bridge } = await openList()
  await nth(3).click({ modifiers: ['Control'] })
  await nth(1).click({ modifiers: ['Control'] })
  bridge.answer('listWebsites', () =>
    ok({ websites: [rows[1] as WebsiteView], page: 1, pages: 1, matching: 1, total: 5 }),
  )
  bridge.emit('websitesChanged', { keys: [rows[3]?.key ?? ''] })
  await expect.element(nth(3)).not.toBeInTheDocument()
  await nth(1).click({ button: 'right' })
  await choose('Copy domains')
  await expect.element(screen.getByText('2 domains copied.')).toBeVisible()
  expect(bridge.requests('copyDomains')).toEqual([{ keys: [rows[3]?.key, rows[1]?.key] }])
})

test('opens a website and its statistics with commands that contain the key of the website, but no address', async () => {
  const { nth, choose, bridge } = await openList()
  await nth(1).click({ button: 'right' })
  await choose('Open statistics')
  await nth(1).click({ button: 'right' })
  await choose('Open website in browser')
  const key = rows[1]?.key
  expect(bridge.requests('openWebsite')).toEqual([
    { key, page: 'statistics' },
    { key, page: 'website' },
  ])
})

test('duplicates a website by a form for a new website whose domain is empty', async () => {
  const { nth, choose, form } = await openList()
  await nth(3).click({ button: 'right' })
  await choose('Duplicate')
  await expect.element(form().form).toBeVisible()
  await expect.element(form().domain).toHaveValue('')
  await expect.element(form().domain).toHaveFocus()
})

test('names the settings that are not copied because the service does not show them', async () => {
  const { screen, nth, form, choose } = await openList()
  await nth(0).click({ button: 'right' })
  await choose('Copy settings')
  const rest = /copied, except the password and settings that the service doesn’t show: Excluded URL parameters\.$/
  await expect.element(screen.getByText(rest)).toBeVisible()
  await nth(0).click({ button: 'right' })
  await choose('Duplicate')
  const note = screen.getByText(
    'These settings get default values because the service doesn’t show them: Excluded URL parameters.',
  )
  await expect.element(note).toBeVisible()
  await form().params.fill('ref')
  await expect.element(note).not.toBeInTheDocument()
})

test('offers to paste copied settings only once some are copied, and opens the preview for the selected websites', async () => {
  const { screen, nth, choose } = await openList()
  await nth(0).click({ button: 'right' })
  await expect.element(screen.getByRole('menuitem', { name: 'Paste settings…' })).not.toBeInTheDocument()
  await choose('Copy settings')
  await nth(1).click({ modifiers: ['Control'] })
  await nth(2).click({ modifiers: ['Control'] })
  await nth(2).click({ button: 'right' })
  await choose('Paste settings…')
  await expect.element(screen.getByRole('dialog', { name: 'Edit 2 websites' })).toBeVisible()
})

test('pastes copied settings into one website, after a preview', async () => {
  const { screen, nth, choose, bridge } = await openList()
  await nth(0).click({ button: 'right' })
  await choose('Copy settings')
  await nth(3).click({ button: 'right' })
  await choose('Paste settings…')
  const dialog = screen.getByRole('dialog', { name: 'Edit 1 website' })
  await dialog.getByRole('button', { name: 'Change 1 website' }).click()
  await expect.poll(() => bridge.requests('bulkUpdate')).toMatchObject([{ keys: [rows[3]?.key] }])
})

test('the menu in the editor has the same items as that of a row, for the open website', async () => {
  const { screen, nth, form, bridge } = await openList()
  await nth(1).click()
  await expect.element(form().form).toBeVisible()
  await form().choose('Open statistics')
  expect(bridge.requests('openWebsite')).toEqual([{ key: rows[1]?.key, page: 'statistics' }])
  await form().choose('Copy domain')
  await expect.element(screen.getByText(/ copied\.$/)).toBeVisible()
  await form().choose('History')
  await expect.element(screen.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
  await form().choose('Delete…')
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
})

test('the menu in the editor is opened and used by the keyboard', async () => {
  const { screen, nth, form, keys, menu } = await openList()
  await nth(1).click()
  await expect.element(form().form).toBeVisible()
  await tabTo(form().button('More actions'))
  await keys('{Enter}')
  await expect.element(menu).toBeVisible()
  await keys('hi')
  await expect.element(screen.getByRole('menuitem', { name: 'History' })).toHaveFocus()
  await keys('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(form().button('More actions')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(menu).toBeVisible()
  await keys('{End}')
  await expect.element(screen.getByRole('menuitem', { name: 'Delete…' })).toHaveFocus()
  await keys('{Enter}')
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
})

test('opens the history of a website', async () => {
  const { screen, nth, choose } = await openList()
  await nth(1).click({ button: 'right' })
  await choose('History')
  await expect.element(screen.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
  await nth(2).click()
  await expect.element(screen.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true')
})

test('the address of the statistics can be changed, but only to one with https', async () => {
  const { screen, bridge, goTo, keys } = await openList()
  await goTo('Account')
  await screen.getByRole('button', { name: 'Change statistics address…' }).click()
  const field = screen.getByRole('textbox', { name: 'Address for “Open statistics”' })
  await expect.element(field).toHaveValue('{service}/{domain}')
  await expect.element(screen.getByText('Example: https://stats.northwind.example/example.com')).toBeVisible()
  await field.fill('http://stats.example/{domain}')
  await keys('{Enter}')
  await expect.element(field).toBeInvalid()
  await expectAccessible()
  expect(bridge.requests('setSettings')).toEqual([])
  await field.fill('https://stats.example/{id}')
  await keys('{Enter}')
  await expect.element(field).not.toBeInTheDocument()
  const { id = '' } = bridge.world.state.connection ?? {}
  expect(bridge.requests('setSettings')).toEqual([{ statisticsAddresses: { [id]: 'https://stats.example/{id}' } }])
})

test('clearing the address of the statistics restores the default, even for a service without https', async () => {
  const connection = aConnection({ address: 'http://stats.example' })
  const settings = { ...defaultSettings, statisticsAddresses: { [connection.id]: 'https://x.example/{id}' } }
  const { screen, bridge, goTo, keys } = await openApp({ settings, state: anAppState({ connection }) })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Change statistics address…' }).click()
  const field = screen.getByRole('textbox', { name: 'Address for “Open statistics”' })
  await field.fill('')
  await expect.element(screen.getByText(/^Example:/)).not.toBeInTheDocument()
  await keys('{Enter}')
  await expect.element(field).not.toBeInTheDocument()
  expect(bridge.requests('setSettings')).toEqual([{ statisticsAddresses: {} }])
})

test('the address of the statistics stays in its field if it cannot be saved', async () => {
  const { screen, bridge, goTo, keys } = await openList()
  bridge.answer('setSettings', () => fail('disk-full'))
  await goTo('Account')
  await screen.getByRole('button', { name: 'Change statistics address…' }).click()
  const field = screen.getByRole('textbox', { name: 'Address for “Open statistics”' })
  await field.fill('https://stats.example/{id}')
  await keys('{Enter}')
  await expect.poll(() => bridge.requests('setSettings')).toHaveLength(1)
  await expect.element(screen.getByRole('dialog').getByRole('alert')).toMatchTextContent(/disk is full/)
  await expect.element(field).toHaveValue('https://stats.example/{id}')
})

test('the menu of a row asks before it deletes the website', async () => {
  const { screen, nth, choose, bridge } = await openList()
  await nth(4).click({ button: 'right' })
  await choose('Delete…')
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  expect(bridge.requests('deleteWebsite')).toEqual([])
})
