import { page } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { CommandAnswer } from '../../src/preload/bridge.ts'
import { fail, ok } from '../../src/shared/result.ts'
import type { TablePage, TableSummary } from '../../src/shared/table.ts'
import { createDefaults } from '../../src/shared/fields.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAccountView, anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const none: TableSummary = {
  ...{ rows: 3, changes: 0, additions: 0, problems: 0, same: 3 },
  turnsOnReports: false,
  ignored: [],
}
const pages: Record<string, TablePage> = {
  changes: {
    ...{ additions: [], problems: [], pages: 2 },
    changes: [
      {
        ...{ row: 2, key: 'w1', domain: 'harbour-bakery.example' },
        from: { privacy: 1, email: false, exclude_ips: ['10.0.0.1'] },
        to: { privacy: 0, email: true, exclude_ips: ['10.0.0.1', '10.0.0.2'] },
      },
      {
        ...{ row: 3, key: 'w2', domain: 'bücher.example', from: {}, to: { exclude_params: [] } },
        local: { from: { tags: [], note: '' }, to: { tags: ['client-a', 'Later'], note: 'Invoice in May' } },
      },
    ],
  },
  additions: {
    ...{ changes: [], problems: [], pages: 1 },
    additions: [
      { row: 1200, draft: { ...createDefaults, domain: 'new.example', email: true }, local: { tags: ['Later'] } },
    ],
  },
  problems: {
    ...{ changes: [], additions: [], pages: 1 },
    problems: [
      { kind: 'switch', row: 4, domain: 'a.example', column: 'email', value: 'maybe' },
      { kind: 'repeated', row: 5, domain: 'a.example', column: null, value: '7', other: 4 },
      { kind: 'gone', row: 6, domain: '', column: null, value: '99' },
    ],
  },
}

/** Opens the import of a table. `summary` is null if the user cancels the file dialog. */
async function opened(
  summary: TableSummary | null = { ...none, changes: 52, additions: 1, problems: 3, ignored: ['Notes'] },
) {
  const app = await openApp({ websites: websites(30), account: anAccountView() })
  await expect.element(app.screen.getByText('30 websites')).toBeVisible()
  app.bridge.answer('openTable', () => ok(summary))
  app.bridge.answer('listTable', ({ group }) => ok(pages[group] as TablePage))
  const button = app.screen.getByRole('button', { name: 'Import or compare' })
  const open = async () => {
    await button.click()
    await app.screen.getByRole('menuitem', { name: 'Import changes from a table…' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: 'Import changes from a table' })
  return { ...app, button, open, dialog, status: dialog.getByRole('status') }
}

const cells = (dialog: Awaited<ReturnType<typeof opened>>['dialog']) =>
  [...dialog.element().querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()),
  )

test('the import of a table warns of email reports that the plan does not include, if it turns them on', async () => {
  const text = /plan doesn’t include email reports/
  const first = await opened({ ...none, changes: 52, turnsOnReports: true })
  await expect.element(first.dialog.getByText(text)).toBeVisible()
  await first.screen.unmount()
  const { dialog, status } = await opened({ ...none, changes: 52 })
  await expect.element(status).toHaveTextContent('52 websites will change.')
  await expect.element(dialog.getByText(text)).not.toBeInTheDocument()
})

test('the import of a table shows the differing cells, the new websites and the problems, which the keyboard reaches', async () => {
  const { bridge, keys, dialog, status } = await opened()
  await expect
    .element(status)
    .toHaveTextContent('52 websites will change. 1 website will be added. 3 problems were found.')
  await expect.element(dialog.getByText('Not imported: Notes.')).toBeVisible()
  expect(cells(dialog)).toEqual([
    ['2', 'harbour-bakery.example', 'Privacy', 'Private', 'Public'],
    ['', '', 'Email reports', 'Off', 'On'],
    ['', '', 'Excluded IP addresses', '1 line', '+\u00a010.0.0.2'],
    ['3', 'bücher.example', 'Excluded URL parameters', '–', 'None'],
    ['', '', 'Tags', 'None', 'client-a, Later'],
    ['', '', 'Note', 'Not set', 'Invoice in May'],
  ])
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Next page' }).click()
  expect(bridge.requests('listTable').at(-1)).toEqual({ group: 'changes', page: 2 })
  ;(dialog.getByRole('tab', { name: /Changes/ }).element() as HTMLElement).focus()
  await keys('{ArrowRight}')
  await expect.element(dialog.getByText('new.example')).toBeVisible()
  expect(cells(dialog)).toEqual([['1,200', 'new.example', 'Private · Email reports: On · Tags: Later']])
  await keys('{ArrowRight}')
  await expect
    .element(
      dialog.getByText(/^No website has the ID “99”\. .* Clear the ID in this row to match the row by its domain\.$/),
    )
    .toBeVisible()
  expect(cells(dialog)[0]).toEqual(['4', 'a.example', 'email', '“maybe” isn’t a valid value. Use on or off.'])
  expect(cells(dialog)[1]?.at(-1)).toBe('Row 4 has the same website. Only row 4 is used.')
  await expectAccessible()
  expect(bridge.requests('applyTable')).toEqual([])
})

test('the import of a table shows all lines of a long list on request, and the lines of a list that the service does not show', async () => {
  const { bridge, open, dialog, keys } = await opened(null)
  const lines = Array.from({ length: 20 }, (_, n) => `10.0.0.${n}`)
  const change = { row: 2, key: 'w1', domain: 'harbour-bakery.example', from: { exclude_ips: [] } }
  const changes = [{ ...change, to: { exclude_ips: lines, exclude_params: ['fbclid', 'gclid'] } }]
  bridge.answer('openTable', () => ok({ ...none, changes: 1 }))
  bridge.answer('listTable', () => ok({ changes, additions: [], problems: [], pages: 1 }))
  await open()
  const then = (field: RegExp) => dialog.getByRole('row', { name: field }).getByRole('cell').last()
  await expect.element(then(/Excluded URL parameters/)).toHaveTextContent('fbclid gclid')
  const cell = then(/Excluded IP addresses/)
  await expect.element(cell.getByText(/10\.0\.0\.12/)).not.toBeInTheDocument()
  ;(cell.getByText('and 8 more').element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(cell.getByText(/10\.0\.0\.12 .*10\.0\.0\.19$/)).toBeVisible()
  await expectAccessible()
})

test('imports all rows of a table as one bulk change, which can be undone as a whole', async () => {
  const { bridge, dialog, screen } = await opened()
  bridge.answer('applyTable', () => ok({ bulkChange: 'table', changed: 52, local: 0, created: 1, refused: [] }))
  await dialog.getByRole('button', { name: 'Import 53 rows' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(screen.getByText('52 websites will be changed. 1 website will be added.')).toBeVisible()
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'table' }])
})

test('after the import of a table, says separately of how many websites only tags or notes were changed, which is not sent', async () => {
  const { bridge, dialog, screen } = await opened()
  bridge.answer('applyTable', () => ok({ bulkChange: 'table', changed: 0, local: 53, created: 0, refused: [] }))
  await dialog.getByRole('button', { name: 'Import 53 rows' }).click()
  await expect
    .element(screen.getByText('The tags or notes of 53 websites were changed.', { exact: true }))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'table' }])
})

test('keeps the compared table if the import fails, and names the rows that could not be imported', async () => {
  const { bridge, dialog, status } = await opened()
  bridge.answer('applyTable', () => fail('disk-full'))
  const apply = dialog.getByRole('button', { name: 'Import 53 rows' })
  await apply.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/The disk is full/)
  expect(cells(dialog)).toHaveLength(6)
  bridge.answer('applyTable', () =>
    ok({
      ...{ bulkChange: 'table', changed: 51, local: 0, created: 1 },
      refused: [{ row: 2, domain: 'harbour-bakery.example', error: { code: 'website-gone', message: '' } }],
    }),
  )
  await apply.click()
  await expect.element(status).toHaveTextContent('Couldn’t import 1 row.')
  expect(cells(dialog)).toEqual([['2', 'harbour-bakery.example', '', 'This website no longer exists.']])
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('offers no Undo after an import that changed no website, and Ctrl+Z then undoes the last save', async () => {
  const { bridge, keys, dialog, screen } = await opened()
  bridge.world.edits = [anEdit({ id: 'e1' })]
  const error = { code: 'website-gone', message: '' } as const
  const refused = [{ row: 2, domain: 'harbour-bakery.example', error }]
  bridge.answer('applyTable', () => ok({ bulkChange: 'table', changed: 0, local: 0, created: 0, refused }))
  await dialog.getByRole('button', { name: 'Import 53 rows' }).click()
  await expect.element(screen.getByText('No changes were made.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Undo' }).elements()).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1' }])
  expect(bridge.requests('undoBulk')).toEqual([])
})

test('says that a table has no changes, or why a file is no table, and offers another one', async () => {
  const { bridge, dialog, status } = await opened(none)
  await expect.element(status).toHaveTextContent('This table contains no changes.')
  expect(dialog.getByRole('button', { name: /^Import/ }).elements()).toEqual([])
  for (const [code, text] of [
    ['not-a-table', /isn’t a table with IDs or domains.*Don’t change its first row/],
    ['unmatched-quotes', /quotation marks don’t match.*Check the quotation marks/],
    ['table-too-large', /too large.*20,000 rows and 64\sMB/],
    ['not-text', /Couldn’t read this file as text/],
  ] as const) {
    bridge.answer('openTable', () => fail(code))
    await dialog.getByRole('button', { name: 'Open another file…' }).click()
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(text)
  }
  // The button for another file is not among the answers.
  expect(
    [...dialog.element().querySelectorAll('.dialog-actions button')].map((button) => button.textContent.trim()),
  ).toEqual(['Close'])
  await expectAccessible()
})

test('keeps the shown table if the user chooses no other file, and asks before Escape closes it', async () => {
  const { bridge, keys, dialog, status } = await opened()
  bridge.answer('openTable', () => ok(null))
  await dialog.getByRole('button', { name: 'Open another file…' }).click()
  await expect.poll(() => bridge.requests('openTable')).toHaveLength(2)
  await expect.element(status).toMatchTextContent(/52 websites/)
  await keys('{Escape}')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
})

test('the import of a table opens no dialog if the user chooses no file, and can be started from the palette', async () => {
  const { bridge, keys, dialog, button } = await opened(null)
  await expect.poll(() => bridge.requests('openTable')).toHaveLength(1)
  expect(dialog.elements()).toEqual([])
  await expect.element(button).toBeEnabled()
  await keys('{Control>}k{/Control}')
  await keys('spreadsheet{Enter}')
  await expect.poll(() => bridge.requests('openTable')).toHaveLength(2)
})

test('opens no dialog if another account is shown when the table was read', async () => {
  const { bridge, dialog, open, button } = await opened(null)
  const answer = Promise.withResolvers<ReturnType<typeof fail>>()
  bridge.answer('openTable', () => answer.promise)
  await open()
  await expect.poll(() => bridge.requests('openTable')).toHaveLength(2)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  answer.resolve(fail('no-connection'))
  await expect.element(button).toBeEnabled()
  await tick()
  expect(dialog.elements()).toEqual([])
})

test('an import that ends in one account does not close the table that is open in another account', async () => {
  const { bridge, dialog, open, status, screen } = await opened()
  const applied = Promise.withResolvers<CommandAnswer<'applyTable'>>()
  bridge.answer('applyTable', () => applied.promise)
  await dialog.getByRole('button', { name: 'Import 53 rows' }).click()
  await expect.poll(() => bridge.requests('applyTable')).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  await expect.element(dialog).not.toBeInTheDocument()
  await open()
  await expect.element(status).toMatchTextContent(/^52 websites will change\./)
  const closed = bridge.requests('closeTable').length
  applied.resolve(ok({ bulkChange: 'table', changed: 51, local: 0, created: 1, refused: [] }))
  await expect
    .element(screen.getByRole('region', { name: 'Messages' }))
    .toMatchTextContent(/51 websites will be changed/)
  await expect.element(status).toMatchTextContent(/^52 websites will change\./)
  expect(bridge.requests('closeTable')).toHaveLength(closed)
})

test('an import that fails after another account was shown says why', async () => {
  const { bridge, dialog, screen } = await opened()
  const applied = Promise.withResolvers<CommandAnswer<'applyTable'>>()
  bridge.answer('applyTable', () => applied.promise)
  await dialog.getByRole('button', { name: 'Import 53 rows' }).click()
  await expect.poll(() => bridge.requests('applyTable')).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  await expect.element(dialog).not.toBeInTheDocument()
  applied.resolve(fail('disk-full'))
  await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent(/The disk is full/)
})

test('the late answer about a table of an account that is no longer shown leaves the progress of another table visible', async () => {
  const { bridge, button, open, screen } = await opened(null)
  const answers: ((answer: CommandAnswer<'openTable'>) => void)[] = []
  bridge.answer('openTable', () => new Promise((resolve) => answers.push(resolve)))
  await open()
  await expect.poll(() => answers).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  await expect.element(button).toBeEnabled()
  await open()
  await expect.poll(() => answers).toHaveLength(2)
  bridge.emit('importing', { done: 1, total: 2 })
  const bar = screen.getByRole('progressbar')
  await expect.element(bar).toBeVisible()
  answers[0]?.(fail('no-connection'))
  // During the hover, the answer about the first table arrives. The progress of the second table stays.
  await button.hover()
  expect(bar.elements()).toHaveLength(1)
})

test('shows the progress of a large table', async () => {
  const { bridge, screen, open } = await opened(null)
  bridge.answer('openTable', () => new Promise(() => undefined))
  await open()
  await expect.poll(() => bridge.requests('openTable')).toHaveLength(2)
  bridge.emit('importing', { done: 500, total: 20_000 })
  const bar = screen.getByRole('progressbar', { name: 'Reading the table…' })
  await expect.element(bar).toHaveAttribute('value', '500')
})

test('a compared table stays readable in a narrow window', async () => {
  await page.viewport(480, 700)
  const { dialog } = await opened()
  await expect.element(dialog.getByText('harbour-bakery.example')).toBeVisible()
  await expectAccessible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
})
