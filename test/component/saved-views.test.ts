import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { SavedView } from '../../src/shared/saved-view.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aBulkChange, aConnection, anEdit, LATER, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const all = websites(6).map((website, n) => ({ ...website, privacy: n < 2 ? (0 as const) : (1 as const) }))
const publicOnes: SavedView = {
  id: 'v1',
  name: 'Public ones',
  search: 'privacy:public',
  sortBy: 'domain',
  sort: 'asc',
  columns: ['privacy', 'ips'],
}

async function opened(views: SavedView[] = [publicOnes]) {
  const app = await openApp({ websites: all, views })
  const { screen } = app
  await expect.element(screen.getByRole('columnheader', { name: 'Domain' })).toBeVisible()
  const nav = screen.getByRole('navigation', { name: 'Screens' })
  const item = (name: string) => nav.getByRole('button', { name, exact: true })
  const heads = () =>
    screen
      .getByRole('columnheader')
      .elements()
      .map((head) => head.ariaLabel)
  const menu = async (name: string) => {
    await screen.getByRole('button', { name: 'View', exact: true }).click()
    await screen.getByRole('menuitem', { name, exact: true }).click()
  }
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  const chips = () => screen.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  const arranged = () => app.bridge.requests('setSettings').length
  return { ...app, nav, item, heads, menu, dialog, name, chips, arranged }
}

test('shows no views in the sidebar before one is saved, and saves the search and order of the list as a view', async () => {
  const { screen, nav, item, menu, dialog, name, bridge, keys } = await opened([])
  expect(nav.getByRole('button').elements()).toHaveLength(5)
  await screen.getByRole('combobox').fill('privacy:public ')
  await menu('Save view…')
  await expect.element(name).toHaveFocus()
  await expectAccessible()
  await name.fill(' To check ')
  await keys('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = bridge.requests('saveView')
  expect(saved).toMatchObject({ id: null, search: 'privacy:public', sortBy: 'id', sort: 'desc' })
  await expect.element(item('To check')).toHaveAttribute('aria-current', 'page')
  await expect.element(item('Websites')).not.toHaveAttribute('aria-current')
  await expectAccessible()
})

test('opens a view by a click, and “Websites” then shows all websites with the columns from before', async () => {
  const { item, heads, arranged, chips } = await opened()
  const before = heads()
  await item('Public ones').click()
  await expect.element(chips()).toHaveTextContent('Privacy: Public')
  await expect.poll(heads).toEqual(['Domain', 'Privacy', 'Excluded IP addresses'])
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
  await item('Websites').click()
  await expect.poll(heads).toEqual(before)
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '7')
  expect(arranged()).toBe(0)
})

test('shows only the open view in the navigation of a narrow window', async () => {
  await page.viewport(480, 740)
  const long = { ...publicOnes, id: 'v2', name: 'Everything that everybody on this planet may see' }
  const { item, keys, nav } = await opened([publicOnes, long])
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  await keys('{Control>}k{/Control}')
  await page.getByRole('dialog').getByRole('combobox').fill('Open view Everything')
  await keys('{Enter}')
  await expect.element(item(long.name)).toBeVisible()
  await expect.element(item(long.name)).toHaveAttribute('aria-current', 'page')
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  expect(nav.element().scrollWidth).toBeLessThanOrEqual(nav.element().clientWidth)
  await expectAccessible()
})

test('opens, renames, updates and deletes a view by keyboard', async () => {
  const { screen, keys, item, name, bridge, nav, view } = await opened()
  const command = async (text: string) => {
    await keys('{Control>}k{/Control}')
    await page.getByRole('dialog').getByRole('combobox').fill(text)
    await keys('{Enter}')
  }
  await command('Open view Public')
  await expect.element(item('Public ones')).toHaveAttribute('aria-current', 'page')
  await command('Rename view Public')
  await name.fill('Open to all')
  await keys('{Enter}')
  await expect.element(item('Open to all')).toHaveAttribute('aria-current', 'page')
  await view('Newest first')
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await screen.getByRole('menuitem', { name: /Save changes to “.*Open to all.*”/ }).click()
  await expect
    .poll(() => bridge.world.views)
    .toEqual([{ ...publicOnes, name: 'Open to all', sortBy: 'id', sort: 'desc' }])
  await command('Delete view Open')
  await expect.poll(() => bridge.world.views).toEqual([])
  await expect.element(nav.getByRole('button', { name: 'Open to all' })).not.toBeInTheDocument()
  await expect.element(item('Websites')).toHaveAttribute('aria-current', 'page')
  await screen.getByRole('button', { name: 'Undo' }).last().click()
  await expect.element(item('Open to all')).toBeVisible()
})

test('a filter of the open view that is typed again is sent only once, and does not count as a change of the view', async () => {
  const { screen, item, keys, bridge, chips } = await opened()
  await item('Public ones').click()
  await expect.element(chips()).toHaveLength(1)
  const sent = () => bridge.requests('listWebsites').at(-1)
  await screen.getByRole('combobox', { name: 'Search websites' }).click()
  const typed = bridge.requests('listWebsites').length
  await keys('privacy:public ')
  await expect.poll(() => bridge.requests('listWebsites').length).toBeGreaterThan(typed)
  await expect.poll(() => sent()?.filters).toEqual([{ name: 'privacy', value: 'public', not: false }])
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await expect.element(screen.getByRole('menuitem', { name: 'Delete view' })).toBeVisible()
  expect(screen.getByRole('menuitem', { name: /^Save changes/ }).elements()).toEqual([])
})

test('Ctrl+Z restores a deleted view, even after its toast has gone, before it undoes an earlier bulk change', async () => {
  const { screen, item, menu, keys, bridge } = await opened()
  bridge.setState({ bulkChange: aBulkChange({ sent: 300, canUndo: true }) })
  await item('Public ones').click()
  await menu('Delete view')
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Dismiss' }).last().click()
  await keys('{Control>}z{/Control}')
  await expect.element(item('Public ones')).toBeVisible()
  await expect.element(screen.getByText('The view “Public ones” was restored.')).toBeVisible()
  expect(bridge.requests('undoBulk')).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoBulk')).toHaveLength(1)
})

test('Ctrl+Z restores a deleted view before it undoes an earlier save, also after the disk was full', async () => {
  const { screen, item, menu, keys, bridge } = await opened()
  bridge.world.edits = [anEdit({ id: 'before' })]
  await item('Public ones').click()
  await menu('Delete view')
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  bridge.answer('saveView', () => fail('disk-full'))
  await keys('{Control>}z{/Control}')
  await expect.element(screen.getByText(/The disk is full/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible()
  bridge.answer('saveView', () => ok(publicOnes))
  await keys('{Control>}z{/Control}')
  await expect.element(screen.getByText('The view “Public ones” was restored.')).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'before' }])
})

test('Ctrl+Z undoes the saving of a new view, then the renaming of another view, and changes no website', async () => {
  const { screen, item, menu, name, keys, chips, bridge } = await opened()
  bridge.setState({ bulkChange: aBulkChange({ sent: 300, canUndo: true }) })
  await item('Public ones').click()
  await menu('Rename view…')
  await name.fill('Open to all')
  await keys('{Enter}')
  await expect.element(screen.getByText('The view “Open to all” was saved.')).toBeVisible()
  await menu('Save view…')
  await name.fill('To check')
  await keys('{Enter}')
  await expect.element(item('To check')).toHaveAttribute('aria-current', 'page')
  await keys('{Control>}z{/Control}')
  await expect.element(item('To check')).not.toBeInTheDocument()
  await expect.element(screen.getByText('The view “To check” was deleted.')).toBeVisible()
  await expect.element(item('Open to all')).toHaveAttribute('aria-current', 'page')
  await expect.element(chips()).toHaveTextContent('Privacy: Public')
  await menu('Rename view…')
  await name.fill('Open to everyone')
  await keys('{Enter}')
  await expect.element(item('Open to everyone')).toHaveAttribute('aria-current', 'page')
  // Finds only one Undo, because the toast of the previous rename is gone.
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(item('Open to all')).toHaveAttribute('aria-current', 'page')
  await keys('{Control>}z{/Control}')
  await expect.element(item('Public ones')).toHaveAttribute('aria-current', 'page')
  expect(bridge.world.views).toEqual([publicOnes])
  expect([...bridge.requests('undoBulk'), ...bridge.requests('undoEdit')]).toEqual([])
})

test('Ctrl+Z undoes the renaming of a view, also after an earlier bulk change was undone under Pending', async () => {
  const { screen, item, menu, name, keys, bridge } = await opened()
  bridge.setState({ bulkChange: aBulkChange({ waiting: 2, websites: 2, canUndo: true }) })
  await item('Public ones').click()
  await menu('Rename view…')
  await name.fill('Open to all')
  await keys('{Enter}')
  await expect.element(item('Open to all')).toBeVisible()
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  await expect.poll(() => bridge.requests('undoBulk')).toHaveLength(1)
  await keys('{Control>}z{/Control}')
  await expect.element(item('Public ones')).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('Ctrl+Z restores a deleted view, although Ctrl+S was pressed in an editor without unsaved text', async () => {
  const { item, menu, keys, bridge, row, form } = await opened()
  await item('Public ones').click()
  await row(all[0]?.domain ?? '').click()
  await form().email.click()
  await form().button('Save').click()
  await expect.element(form().button('Undo')).toBeVisible()
  await menu('Delete view')
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  await keys('{Control>}s{/Control}{Control>}z{/Control}')
  await expect.element(item('Public ones')).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('Ctrl+Z undoes the save of text that was typed during an earlier save, and then the deletion of a view before it', async () => {
  const { item, menu, keys, bridge, row, form } = await opened()
  const held = Promise.withResolvers<undefined>()
  const [website = expect.fail('there is no website')] = all
  bridge.answer('updateWebsite', () =>
    held.promise.then(() => ok({ ...website, email: true, state: 'changed' as const, pending: ['email'] })),
  )
  await item('Public ones').click()
  await row(website.domain).click()
  await form().email.click()
  await form().button('Save').click()
  await form().params.fill('ref')
  held.resolve(undefined)
  await expect.element(form().button('Save')).toBeEnabled()
  await menu('Delete view')
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  await keys('{Control>}s{/Control}')
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(2)
  bridge.world.edits = [anEdit({ id: 'typed', changedAt: LATER })]
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'typed' }])
  await expect.element(item('Public ones')).not.toBeInTheDocument()
  await keys('{Control>}z{/Control}')
  await expect.element(item('Public ones')).toBeVisible()
})

test('a view that is open when the window is reloaded is open again, with its filter and columns', async () => {
  const before = await opened()
  await before.item('Public ones').click()
  const place = () => before.bridge.requests('keepFormDrafts').at(-1)
  await expect.poll(() => place()?.list.view).toBe('v1')
  const bridge = new MemoryBridge({ websites: all, views: [publicOnes], formDrafts: place() ?? null })
  await before.screen.unmount()
  const { screen, row, view } = await openApp(bridge)
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const nav = screen.getByRole('navigation', { name: 'Screens' })
  await expect.element(nav.getByRole('button', { name: 'Public ones' })).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
  await expect.element(screen.getByRole('columnheader', { name: 'Excluded IP addresses' })).toBeVisible()
  // The sort order of a saved view is not stored as the order of the whole list.
  await view('Newest first')
  expect(bridge.requests('setSettings')).toEqual([])
})

test('another account shows the list without the order and the columns of the view that was open', async () => {
  const { item, heads, bridge, view } = await opened()
  const before = heads()
  await item('Public ones').click()
  await expect.poll(heads).toEqual(['Domain', 'Privacy', 'Excluded IP addresses'])
  bridge.setState({ connection: aConnection({ id: 'studio' }) })
  await expect.poll(heads).toEqual(before)
  expect(bridge.requests('listWebsites').at(-1)).toMatchObject({ search: '', sort_by: 'id', sort: 'desc' })
  await view('25 per page')
  expect(bridge.requests('setSettings')).toEqual([{ listPages: 25 }])
})

test('an import of settings keeps the order and the columns of the open view', async () => {
  const { item, heads, goTo, screen, keys, bridge } = await opened()
  await item('Public ones').click()
  await expect.poll(heads).toEqual(['Domain', 'Privacy', 'Excluded IP addresses'])
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Import settings…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(screen.getByText('Settings imported.')).toBeVisible()
  await expect.poll(() => bridge.requests('getSettings')).toHaveLength(2)
  await keys('/')
  await expect.poll(heads).toEqual(['Domain', 'Privacy', 'Excluded IP addresses'])
  expect(bridge.requests('listWebsites').at(-1)).toMatchObject({ sort_by: 'domain', sort: 'asc' })
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await expect.element(screen.getByRole('menuitem', { name: /Save changes to/ })).not.toBeInTheDocument()
})

test('says at the name of a new view what is wrong with it, and keeps the typed name', async () => {
  const { menu, name, dialog, keys, bridge } = await opened()
  await menu('Save view…')
  for (const [typed, text] of [
    ['  ', 'Enter a name.'],
    ['public ONES', 'A view with this name already exists.'],
    ['n'.repeat(61), 'Enter at most 60 characters, without quotation marks.'],
  ] as const) {
    await name.fill(typed)
    await keys('{Enter}')
    await expect.element(dialog.getByText(text)).toBeVisible()
    await expect.element(name).toHaveAttribute('aria-invalid', 'true')
    await expect.element(name).toHaveFocus()
  }
  await expectAccessible()
  await name.fill('Another')
  bridge.answer('saveView', () => fail('disk-full'))
  await keys('{Enter}')
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(name).toHaveValue('Another')
})

test('shows many views with long names in a scrolling sidebar, and in the View menu of a narrow window', async () => {
  const many = Array.from({ length: 50 }, (_, n) => ({
    ...publicOnes,
    id: `v${n}`,
    name: `View ${n} with a name that is long`,
  }))
  const { item, screen } = await opened(many)
  await expect.element(item('View 49 with a name that is long')).toBeInTheDocument()
  await expectAccessible()
  await page.viewport(480, 900)
  await expect.element(item('View 1 with a name that is long')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await screen.getByRole('menuitemradio', { name: 'View 1 with a name that is long' }).click()
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
})
