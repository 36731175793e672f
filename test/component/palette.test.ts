import { tick } from 'svelte'
import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import {
  aBulkChange,
  aConnection,
  aHistoryEntry,
  anAppState,
  anEdit,
  aWebsite,
  LATER,
  websites,
} from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const PALETTE = '{Control>}k{/Control}'

async function withPalette(world: Parameters<typeof openApp>[0] = { websites: websites(30) }) {
  const app = await openApp(world)
  await expect.element(app.screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  await app.keys(PALETTE)
  const search = page.getByRole('combobox', { name: 'Search commands and websites' })
  await expect.element(search).toHaveFocus()
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  return { ...app, search, option }
}

test('the palette opens by its keys, runs the first match, and returns the focus', async () => {
  const { screen, keys, option } = await withPalette()
  await keys('sett')
  await expect.element(option('Settings')).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  await expect.element(screen.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  const button = screen.getByRole('button', { name: 'Add account…' })
  ;(button.element() as HTMLElement).focus()
  await keys(PALETTE)
  await expect.element(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await keys('{Escape}')
  await expect.element(button).toHaveFocus()
})

test('an action that is chosen in the palette runs before the next key is handled', async () => {
  const { keys, option } = await withPalette()
  await keys('Select all')
  await expect.element(option('Select all websites in the list')).toHaveAttribute('aria-selected', 'true')
  const press = (init: KeyboardEventInit): void =>
    void document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
    )
  press({ key: 'Enter' })
  await tick()
  press({ key: 'e', ctrlKey: true })
  await expect.element(page.getByRole('dialog', { name: 'Edit 30 websites' })).toBeVisible()
})

test('moves around the list by arrow keys, leaves Home and End to the text, and starts at the first match after typing', async () => {
  const { keys, search } = await withPalette()
  const options = page.getByRole('dialog').getByRole('option')
  const chosen = (at: number) =>
    expect.poll(() => options.elements().findIndex((one) => one.ariaSelected === 'true')).toBe(at)
  const last = options.elements().length - 1
  await chosen(0)
  await keys('{ArrowUp}')
  await chosen(last)
  await keys('{ArrowDown}{ArrowDown}')
  await chosen(1)
  const active = () => document.getElementById(search.element().getAttribute('aria-activedescendant') ?? '')
  await expect.poll(active).toBe(options.elements()[1])
  await keys('{End}')
  await chosen(1)
  await keys('s{Home}o')
  await expect.element(search).toHaveValue('os')
  await search.fill('s')
  await chosen(0)
})

test('the palette finds commands that are typed without accents', async () => {
  const language = { shown: 'fr', system: 'fr', formats: 'fr' } as const
  const { screen, keys } = await openApp({ websites: websites(3), state: anAppState({ language }) })
  await expect.element(screen.getByText('3 sites web', { exact: true })).toBeVisible()
  await keys(PALETTE)
  await keys('theme')
  await expect.element(page.getByRole('option', { name: 'Thème : Sombre' })).toBeVisible()
})

test('the palette opens the settings at the language, which is found by its name in every language', async () => {
  const language = { shown: 'ja', system: 'ja', formats: 'ja' } as const
  const { screen, keys } = await openApp({ websites: websites(3), state: anAppState({ language }) })
  await expect.element(screen.getByRole('grid')).toBeVisible()
  await keys(PALETTE)
  const option = page.getByRole('option', { name: '設定を開く：言語', exact: true })
  for (const word of ['sprache', 'idioma', '言語', 'deutsch', 'language']) {
    await page.getByRole('dialog').getByRole('combobox').fill(word)
    await expect.element(option).toHaveAttribute('aria-selected', 'true')
  }
  await keys('{Enter}')
  await expect.element(screen.getByRole('heading', { name: '外観' })).toHaveFocus()
})

test.each([
  ['notif', 'Notifications'],
  ['settings: ref', 'Refresh'],
  ['export and', 'Export and import'],
])('“%s” in the palette opens the settings at “%s”', async (word, section) => {
  const { screen, keys, option } = await withPalette()
  await keys(word)
  await option(`Open settings: ${section}`).click()
  const heading = screen.getByRole('heading', { name: section, exact: true })
  await expect.element(heading).toHaveFocus()
  await expect.element(heading).toBeInViewport()
})

test('the focus goes to what the chosen action of the palette opens, not back to the element that had it before', async () => {
  const { form, screen, keys, option } = await withPalette()
  await keys('new')
  await expect.element(option('Add website')).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  await expect.element(form().domain).toHaveFocus()
  await keys('{Escape}')
  await keys(`${PALETTE}find`)
  await expect.element(option('Search websites')).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  await expect.element(screen.getByRole('combobox', { name: 'Search websites' })).toHaveFocus()
})

test('shows the ends of long domains, even if the ends are the same', async () => {
  const long = ['b', 'c'].map((letter) => `${'a-long-label-'.repeat(9)}${letter}${'-long'.repeat(9)}.example`)
  const { keys } = await withPalette({
    websites: long.map((domain, i) => aWebsite({ key: `long-${String(i)}`, domain })),
  })
  await keys('long')
  for (const domain of long) {
    await expect.element(page.getByRole('option', { name: domain, exact: true })).toBeVisible()
  }
  for (const end of page.getByText('-long.example', { exact: true }).all()) {
    await expect.element(end).toBeInViewport({ ratio: 1 })
  }
})

test('the palette finds a website that the list does not show, and opens it', async () => {
  const many = [...websites(300), aWebsite({ key: 'far', domain: 'far-away.example' })]
  const { form, keys, option, search } = await withPalette({ websites: many })
  await search.fill('far-away')
  await expect.element(option('far-away.example')).toBeVisible()
  await keys('{Enter}')
  await expect.element(form().form.getByRole('heading', { name: 'far-away.example' })).toBeVisible()
})

test('the palette offers only the actions that are possible now, and finds them by synonyms too', async () => {
  const { bridge, keys, option, search } = await withPalette({
    websites: websites(3),
    state: anAppState({ waiting: 2 }),
  })
  await expect.element(option('Send now')).toBeVisible()
  await expect.element(option('Resume sending')).not.toBeInTheDocument()
  await expect.element(option('Delete the open website…')).not.toBeInTheDocument()
  await search.fill('backup')
  await expect.element(option('Export pending changes…')).toHaveAttribute('aria-selected', 'true')
  await search.fill('hold')
  await expect.element(option('Pause sending')).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  await expect.poll(() => bridge.requests('setSettings')).toEqual([{ paused: true }])
})

test('says why the palette couldn’t delete the open website, also while another screen is shown', async () => {
  const { bridge, keys, screen, row, goTo } = await withPalette({ websites: websites(3) })
  bridge.answer('deleteWebsite', () => fail('disk-full'))
  await keys('{Escape}')
  await row(websites(3)[0]?.domain ?? '').click()
  await goTo('Pending')
  await keys(`${PALETTE}delete the open{Enter}`)
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect
    .element(screen.getByRole('region', { name: 'Messages' }))
    .toMatchTextContent(/The disk is full, so nothing was saved\./)
})

test('quits the app, also by key', async () => {
  const { bridge, keys, search, option } = await withPalette()
  await search.fill('exit')
  await expect.element(option('Quit Siteward')).toHaveAttribute('aria-selected', 'true')
  await keys('{Enter}')
  await expect.poll(() => bridge.requests('quit')).toHaveLength(1)
  await keys('{Control>}q{/Control}')
  await expect.poll(() => bridge.requests('quit')).toHaveLength(2)
})

test('Control+Z undoes the last change, but in a text field the typing', async () => {
  const { bridge, keys, search, screen } = await withPalette({ websites: websites(3), edits: [anEdit({ id: 'late' })] })
  await search.fill('text')
  await keys('{Control>}z{/Control}')
  await keys('{Escape}')
  const list = screen.getByRole('combobox', { name: 'Search websites' })
  await list.fill('text')
  await keys('{Control>}z{/Control}')
  await expect.element(list).toHaveValue('')
  expect(bridge.requests('undoEdit')).toEqual([])
  ;(document.activeElement as HTMLElement).blur()
  const undo = new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, repeat: true, bubbles: true })
  document.body.dispatchEvent(undo)
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])
})

test('Control+Z leaves the saved changes alone while the editor has unsaved input', async () => {
  const { bridge, keys, screen, row } = await withPalette({ websites: websites(3), edits: [anEdit({ id: 'late' })] })
  await keys('{Escape}')
  await row(websites(3)[0]?.domain ?? '').click()
  const reports = screen.getByRole('switch', { name: 'Email reports' })
  await reports.click()
  await keys('{Control>}z{/Control}')
  await reports.click()
  expect(bridge.requests('undoEdit')).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])
})

test('the palette undoes the last change, pending or sent, and says why if there is none or it can’t be undone', async () => {
  const edits = [anEdit({ id: 'old', changedAt: 1 }), anEdit({ id: 'late', changedAt: 3 })]
  const history = [aHistoryEntry({ id: 'h4', at: 4 }), aHistoryEntry({ at: 2 })]
  const { bridge, keys, screen } = await withPalette({ websites: websites(3), edits, history })
  await keys('undo{Enter}')
  await expect.poll(() => bridge.requests('revertEdit')).toEqual([{ id: 'h4', action: 'undo' }])
  bridge.world.history = history.slice(1)
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])
  await expect.element(screen.getByText('The change to fjordline-tickets.example was undone.')).toBeVisible()
  bridge.world.edits = []
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('revertEdit')).toMatchObject([{ id: 'h4' }, { id: 'h1', action: 'undo' }])
  const can = { undo: false, discard: true, sendNow: true }
  bridge.world.edits = [anEdit({ state: 'parked', reason: 'unread', can })]
  await keys(`${PALETTE}undo{Enter}`)
  await expect.element(screen.getByText(/needs attention before it can be undone/)).toBeVisible()
  bridge.world.edits = []
  bridge.world.history = []
  await keys(`${PALETTE}undo{Enter}`)
  await expect.element(screen.getByText('There’s nothing to undo.')).toBeVisible()
})

test('the palette undoes a bulk change as one while its toast is shown', async () => {
  const { bridge, keys, screen } = await withPalette()
  await keys('{Escape}{Control>}{Shift>}n{/Shift}{/Control}')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('a.example\nb.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add 2 websites' }).click()
  await expect.element(screen.getByText('2 websites will be added.')).toBeVisible()
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
})

test('the palette undoes a bulk change as one after its toast is dismissed, but only once, and after a later change only once that is undone', async () => {
  const { bridge, keys, screen, row, form } = await withPalette({
    websites: websites(3),
    edits: [anEdit({ id: 'late' })],
  })
  const addTwo = async () => {
    await keys('{Control>}{Shift>}n{/Shift}{/Control}')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('a.example\nb.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add 2 websites' }).click()
    await expect.element(screen.getByText('2 websites will be added.')).toBeVisible()
    await screen.getByRole('button', { name: 'Dismiss' }).click()
  }
  await keys('{Escape}')
  await addTwo()
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])

  await addTwo()
  await row('harbour-bakery.example').click()
  await form().email.click()
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(1)
  bridge.world.edits = [anEdit({ id: 'later', changedAt: LATER })]
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }, { id: 'later' }])
  expect(bridge.requests('undoBulk')).toHaveLength(1)
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoBulk')).toHaveLength(2)
  await keys(`${PALETTE}undo{Enter}`)
  await expect.element(screen.getByText('There’s nothing to undo.')).toBeVisible()
})

test('after a restart, the palette undoes a sent bulk change as one, but not after a later change', async () => {
  const sent = [3, 4].map((at) => aHistoryEntry({ id: `h${at}`, at }))
  const { bridge, keys, screen } = await withPalette({ websites: websites(3), edits: [anEdit({ changedAt: 3 })] })
  bridge.world.history = [...sent, aHistoryEntry({ id: 'before', at: 2 })]
  bridge.setState({ bulkChange: aBulkChange({ order: 4, sent: 2, canUndo: true }) })
  await keys('undo{Enter}')
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
  await expect.element(screen.getByText('There’s nothing to undo.')).toBeVisible()

  bridge.world.history.unshift(aHistoryEntry({ id: 'since', at: 7 }))
  bridge.world.edits = []
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('revertEdit')).toMatchObject([{ id: 'since' }])
  bridge.world.history = sent
  bridge.world.edits = [anEdit({ id: 'late', changedAt: 7 })]
  await keys(`${PALETTE}undo{Enter}`)
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])
  expect(bridge.requests('undoBulk')).toHaveLength(1)
})

test('the palette says when nothing matches', async () => {
  const { search } = await withPalette()
  await search.fill('zzzz')
  await expect.element(page.getByText('No results')).toBeVisible()
})

test('a character that is the key of an action is typed into a text field without running the action', async () => {
  const { screen, keys } = await openApp({ websites: websites(3) })
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await search.click()
  await keys('?')
  await expect.element(search).toHaveValue('?')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('the keys of the palette and of actions do nothing while a dialog is open', async () => {
  const { row, keys, form } = await openApp({ websites: [aWebsite({ domain: 'site.example' })] })
  await expect.element(row('site.example')).toBeVisible()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await expect.element(page.getByRole('dialog', { name: 'Add multiple websites' })).toBeVisible()
  await keys(`{Control>}n{/Control}${PALETTE}`)
  await expect.element(form().form).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Commands' })).not.toBeInTheDocument()
})

test('opens the list of keys by `?`, and closes it again', async () => {
  const { row, keys } = await openApp({ websites: [aWebsite({ domain: 'site.example' })] })
  await expect.element(row('site.example')).toBeVisible()
  ;(row('site.example').element() as HTMLElement).focus()
  await keys('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect.element(dialog).toBeVisible()
  await expect.element(dialog.getByText('Ctrl K')).toBeInTheDocument()
  await expect.element(dialog.getByText('Ctrl Q')).toBeInTheDocument()
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('the palette is accessible, with commands and with websites', async () => {
  const { search, option } = await withPalette()
  await expectAccessible()
  await search.fill('.example')
  await expect.poll(() => page.getByRole('option').elements().length).toBeGreaterThan(2)
  await expect.element(option('Settings')).not.toBeInTheDocument()
  await expectAccessible()
})

test('finds websites of other accounts, names the account, and opens them there', async () => {
  const others = [{ name: 'Studio Nord', address: 'https://stats.studio.example' }]
  const { screen, bridge, keys } = await openApp({ websites: websites(1), state: anAppState({ others }) })
  const website = aWebsite({ key: 'there', domain: 'quiet-lake.example' })
  bridge.answer('findInOtherAccounts', () => ok([{ account: 'other-0', name: 'Studio Nord', websites: [website] }]))
  bridge.answer('getWebsite', ({ key }) => (key === 'there' ? ok(website) : fail('website-gone')))
  bridge.answer('switchConnection', ({ id }) => {
    const connection = aConnection({ id, name: 'Studio Nord' })
    bridge.setState({ connection })
    return ok(connection)
  })
  await keys(PALETTE)
  await keys('quiet')
  const found = screen.getByRole('option', { name: 'quiet-lake.example, Studio Nord' })
  await expect.element(found).toMatchTextContent(/Studio Nord/)
  await expectAccessible()
  await found.click()
  await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  await expect.element(screen.getByRole('heading', { name: /quiet-lake/ })).toBeVisible()
})
