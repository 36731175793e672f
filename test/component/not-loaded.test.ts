import { page } from 'vitest/browser'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import type { AppState } from '../../src/shared/state.ts'
import type { TableSummary } from '../../src/shared/table.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, websites } from './support/fixtures.ts'

const { refresh } = anAppState()
const openUnread = (change: Partial<AppState> = {}) =>
  openApp({ websites: [], state: anAppState({ refresh: { ...refresh, seenAt: null }, ...change }) })

test('the empty list says what it waits for: a key, the keychain, or F5', async () => {
  const { screen, bridge } = await openUnread({ connection: aConnection({ key: 'missing' }) })
  const entered = screen.getByText('The websites will be loaded when you enter an API key.')
  const read = screen.getByText('The websites will be loaded when the API key can be read.')
  await expect.element(entered).toBeVisible()
  for (const keychain of ['locked', 'missing', 'frozen'] as const) {
    bridge.setState({ connection: aConnection({ key: 'locked' }), keychain })
    await expect.element(read).toBeVisible()
  }
  bridge.setState({ connection: aConnection({ key: 'refused' }) })
  await expect.element(entered).toBeVisible()
  bridge.setState({ connection: aConnection({ key: 'loading' }) })
  await expect.element(read).toBeVisible()
  // The keychain is unlocked, but does not contain the key.
  bridge.setState({ connection: aConnection({ key: 'locked' }), keychain: 'ready' })
  await expect.element(entered).toBeVisible()
  bridge.setState({ connection: aConnection() })
  await expect.element(screen.getByText('Press F5 to load the websites.')).toBeVisible()
})

test('refreshes with Command+R and F5 on a Mac, and names the former', async () => {
  const userAgent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Macintosh; Intel Mac OS X 10_15_7')
  onTestFinished(() => userAgent.mockRestore())
  const { screen, bridge, keys } = await openUnread()
  await expect.element(screen.getByText('Press ⌘R to load the websites.')).toBeVisible()
  const button = screen.getByRole('button', { name: 'Refresh' })
  await expect.element(button).toHaveAttribute('title', 'Refresh (⌘R)')
  await expect.element(button).toHaveAttribute('aria-keyshortcuts', 'Meta+R')
  for (const [nth, pressed] of ['{Meta>}r{/Meta}', '{F5}'].entries()) {
    await keys(pressed)
    await expect.poll(() => bridge.requests('refresh')).toHaveLength(nth + 1)
  }
})

test('does not say that the service returned no account details before it was asked', async () => {
  const { screen, bridge, goTo } = await openUnread({ connection: aConnection({ key: 'missing' }) })
  await goTo('Account')
  const waits = 'Account details will be loaded when Siteward has connected to the service.'
  await expect.element(screen.getByText(waits)).toBeVisible()
  bridge.setState({ connection: aConnection(), refresh })
  await expect.element(screen.getByText(/^The service didn’t return any account details/)).toBeVisible()
})

test('the line above the list says that the service was not found, not that a website was not found', async () => {
  const error = { code: 'not-found', message: '', status: 404 } as const
  const { screen } = await openApp({
    state: anAppState({ reach: { state: 'online' }, refresh: { ...refresh, error } }),
  })
  const found = screen.getByRole('main').getByText('No service found at this address.')
  await expect.element(found).toBeVisible()
  await expect.element(screen.getByText(/couldn’t find this website/)).not.toBeInTheDocument()
})

const incomplete = 'Siteward hasn’t loaded all websites of this account yet, so the result may be incomplete.'

/** Opens a list whose first refresh is still running. */
async function openPart() {
  const part = { ...refresh, running: true, read: 30, total: 40, seenAt: null }
  const app = await openApp({ websites: websites(30), state: anAppState({ websites: 30, refresh: part }) })
  await expect.element(app.screen.getByText('30 websites')).toBeVisible()
  const choose = async (button: string, item: string | RegExp) => {
    await app.screen.getByRole('button', { name: button, exact: true }).click()
    await app.screen.getByRole('menuitem', { name: item }).click()
  }
  return { ...app, choose, complete: () => app.bridge.setState({ websites: 40, refresh }) }
}

test('the import of a table waits until all websites are loaded, and then compares the table again', async () => {
  const { bridge, keys, choose, complete } = await openPart()
  const summary: TableSummary = {
    ...{ rows: 3, changes: 1, additions: 2, problems: 0, same: 0 },
    ...{ turnsOnReports: false, ignored: [] },
  }
  bridge.answer('openTable', () => ok(summary))
  bridge.answer('listTable', () => ok({ changes: [], additions: [], problems: [], pages: 1 }))
  bridge.answer('compareTable', () => ok({ ...summary, changes: 3, additions: 0 }))
  await choose('Import or compare', 'Import changes from a table…')
  const dialog = page.getByRole('dialog', { name: 'Import changes from a table' })
  const status = dialog.getByRole('status')
  await expect
    .element(status)
    .toMatchTextContent(`${incomplete} You can import the table when all websites are loaded.`)
  await expect.element(dialog.getByRole('button', { name: 'Import 3 rows' })).toHaveAttribute('aria-disabled', 'true')
  await keys('{Control>}{Enter}{/Control}')
  await expectAccessible()
  complete()
  await expect.element(status).toHaveTextContent('3 websites will change.')
  expect(bridge.requests('applyTable')).toEqual([])
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect.poll(() => bridge.requests('applyTable')).toHaveLength(1)
})

test('a table that is read while the last websites are loaded is compared again', async () => {
  const { bridge, choose, complete } = await openPart()
  const summary = { rows: 1, changes: 0, additions: 1, problems: 0, same: 0, turnsOnReports: false, ignored: [] }
  const reading = Promise.withResolvers<ReturnType<typeof ok<TableSummary>>>()
  bridge.answer('openTable', () => reading.promise)
  bridge.answer('listTable', () => ok({ changes: [], additions: [], problems: [], pages: 1 }))
  bridge.answer('compareTable', () => ok({ ...summary, changes: 1, additions: 0 }))
  await choose('Import or compare', 'Import changes from a table…')
  complete()
  reading.resolve(ok(summary))
  const dialog = page.getByRole('dialog', { name: 'Import changes from a table' })
  await expect.element(dialog.getByRole('status')).toHaveTextContent('1 website will change.')
})

test('the comparison with a list says that it is incomplete, and is renewed when all websites are loaded', async () => {
  const { bridge, choose, complete } = await openPart()
  bridge.answer('compareList', () => ok({ missing: ['a.example'], unlisted: [], unlistedCount: 0, both: [] }))
  await choose('Import or compare', 'Compare with a list…')
  const dialog = page.getByRole('dialog', { name: 'Compare with a list' })
  const status = dialog.getByRole('status')
  await expect.element(status).not.toMatchTextContent(incomplete)
  await dialog.getByRole('textbox', { name: 'Domains' }).fill('a.example')
  await expect.element(status).toMatchTextContent(incomplete)
  const add = dialog.getByRole('button', { name: 'Add these websites…' })
  await expect.element(add).toHaveAttribute('aria-disabled', 'true')
  bridge.answer('compareList', () => ok({ missing: [], unlisted: [], unlistedCount: 0, both: ['a.example'] }))
  complete()
  await expect.element(status).toHaveTextContent('Only in your list: 0. Only in this account: 0. In both: 1.')
})

test('adding several websites says that some may exist already, and looks again when all websites are loaded', async () => {
  const { bridge, keys, complete } = await openPart()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  const dialog = page.getByRole('dialog', { name: 'Add multiple websites' })
  await dialog.getByRole('textbox', { name: 'Domains' }).fill('a.example\nb.example')
  const status = dialog.getByRole('status')
  await expect.element(status).toHaveTextContent(`2 websites will be added. ${incomplete}`)
  await expect.poll(() => bridge.requests('takenDomains')).toHaveLength(1)
  bridge.answer('takenDomains', () => ok(['a.example']))
  complete()
  await expect.element(status).toHaveTextContent('1 website will be added. 1 line can’t be added.')
})

test('an export of the list says that it is incomplete, but not an export of the selected websites', async () => {
  const { screen, row, keys, choose } = await openPart()
  await choose('Export the list', /JSON/)
  await expect.element(screen.getByText(`30 websites exported. ${incomplete}`)).toBeVisible()
  row('harbour-bakery.example').element().focus()
  await keys(' ')
  await choose('Export the selected websites', /JSON/)
  await expect.element(screen.getByText('1 website exported.', { exact: true })).toBeVisible()
})
