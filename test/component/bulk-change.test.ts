import { page } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok, type ErrorCode } from '../../src/shared/result.ts'
import { offerUndo, undoBulkChange, bulkUndoToast } from '../../src/renderer/features/shared/undo-bulk-change.ts'
import { Toasts } from '../../src/renderer/app/toasts.svelte.ts'
import type { BulkChange, BulkWebsiteRow } from '../../src/shared/bulk-change.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aBulkChange, anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const parked = () => anEdit({ state: 'parked', reason: 'refused' })

test('shows one toast for a bulk change once none of its changes is pending, with a button that shows the results', async () => {
  const { screen, bridge } = await openApp({ websites: websites(3), edits: [parked()] })
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ waiting: 50 }) })
  bridge.setState({ bulkChange: aBulkChange({ sent: 47, waiting: 2, parked: 1 }) })
  await expect.element(screen.getByText(/^Last bulk change/)).not.toBeInTheDocument()
  bridge.setState({ bulkChange: aBulkChange({ sent: 49, parked: 1 }) })
  await expect.element(screen.getByText('Last bulk change (50 websites): 49 sent, 1 needs attention.')).toBeVisible()
  await screen.getByRole('button', { name: 'Show results' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Last bulk change' })).toBeVisible()
  await expect.element(screen.getByText(/^Change to 50 websites .*: 49 sent, 1 needs attention\.$/)).toBeVisible()
  await expectAccessible()
})

test('“Show results” in the toast of a bulk change that is gone does not open the results of the next bulk change', async () => {
  const { screen, bridge } = await openApp({ websites: websites(3), edits: [parked()] })
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ waiting: 50 }) })
  bridge.setState({ bulkChange: aBulkChange({ sent: 49, parked: 1 }) })
  const show = screen.getByRole('button', { name: 'Show results' })
  await expect.element(show).toBeVisible()
  bridge.setState({ bulkChange: null })
  await show.click()
  bridge.setState({ bulkChange: aBulkChange({ id: 'next', waiting: 50 }) })
  await tick()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()

  bridge.setState({ bulkChange: aBulkChange({ id: 'next', sent: 49, parked: 1 }) })
  await show.click()
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  bridge.setState({ bulkChange: null })
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  bridge.setState({ bulkChange: aBulkChange({ id: 'last', waiting: 50 }) })
  await tick()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test('does not repeat the toast “all sent” of a bulk change when the app state changes again', async () => {
  const { screen, bridge } = await openApp({ websites: websites(3) })
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ sent: 10, waiting: 40 }) })
  bridge.setState({ bulkChange: aBulkChange({ sent: 50 }) })
  const toast = screen.getByText('Last bulk change (50 websites): all sent.')
  await expect.element(toast).toBeVisible()
  bridge.setState({ paused: true, bulkChange: aBulkChange({ sent: 50 }) })
  expect(toast.elements()).toHaveLength(1)
})

test('shows the progress of a bulk change under Pending until it is dismissed', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ kind: 'create', sent: 40, waiting: 9, notSent: 1 }) })
  await keys('{Control>}2{/Control}')
  await expect
    .element(screen.getByText(/^Addition of 50 websites .*: 40 sent, 9 pending, 1 undone, discarded, or replaced\.$/))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Dismiss result' }).click()
  await expect.poll(() => bridge.requests('dismissBulkChange')).toHaveLength(1)
  bridge.setState({})
  await expect.element(screen.getByText(/^Addition of 50 websites/)).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('keeps the buttons of the result under Pending in one line, also in a narrow window', async () => {
  await page.viewport(420, 740)
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ sent: 40, waiting: 10, canUndo: true }) })
  await keys('{Control>}2{/Control}')
  const dismiss = screen.getByRole('button', { name: 'Dismiss result' })
  await expect.element(dismiss).toBeVisible()
  const buttons = [...(dismiss.element().parentElement?.querySelectorAll('button') ?? [])]
  const middles = buttons.map((button) => {
    const { top, height } = button.getBoundingClientRect()
    return Math.round(top + height / 2)
  })
  expect(middles).toHaveLength(3)
  expect(new Set(middles).size).toBe(1)
})

test('“Undo all” under Pending undoes a whole bulk change and says so, and is missing for a bulk change that can’t be undone', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ sent: 40, waiting: 10, canUndo: true }) })
  bridge.answer('undoBulk', () => {
    bridge.setState({ bulkChange: null })
    return ok({ bulkChange: 'back', changed: 50, same: 0, refused: [], unknown: [] })
  })
  await keys('{Control>}2{/Control}')
  const line = screen.getByText(/^Change to 50 websites/)
  await expect.element(line).toBeVisible()
  await expectAccessible()
  ;(screen.getByRole('button', { name: 'Undo all' }).element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
  await expect.element(screen.getByText('The change was undone for 50 websites.')).toBeVisible()
  await expect.element(line).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
  bridge.setState({ bulkChange: aBulkChange({ kind: 'delete', sent: 50 }) })
  await expect.element(screen.getByText(/^Deletion of 50 websites/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Undo all' })).not.toBeInTheDocument()
})

test('the toast of a bulk change keeps its Undo button while “Undo all” under Pending undoes another bulk change', async () => {
  const { screen, bridge, keys, row } = await openApp({ websites: websites(3) })
  bridge.answer('bulkDelete', () => ok({ bulkChange: 'toast', changed: 3, same: 0, refused: [], unknown: [] }))
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  ;(row(websites(3)[0]?.domain ?? '').element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  await screen.getByRole('button', { name: 'Delete…' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete 3 websites' }).click()
  await expect.element(screen.getByText('3 websites will be deleted.')).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ sent: 50, canUndo: true }) })
  await keys('{Control>}2{/Control}')
  await expect.element(screen.getByRole('button', { name: 'Undo all' })).toBeVisible()
  const undo = screen.getByRole('button', { name: 'Undo', exact: true })
  await expect.element(undo).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ id: 'toast', waiting: 3, canUndo: true }) })
  await expect.element(undo).not.toBeInTheDocument()
})

const left = (count: number) => Array.from({ length: count }, (_, n) => `left-${String(n)}.example`)

test.each([
  ['few are named at once', 2],
  ['many are named one click away', 4],
])('names the websites that an undo leaves unchanged: %s', async (_, count) => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ sent: 40, waiting: 10, canUndo: true }) })
  const refused = [{ key: 'w9', domain: 'gone.example', error: { code: 'website-gone', message: '' } as const }]
  const undone = { bulkChange: 'back', changed: 45, same: 0, refused: count > 3 ? refused : [], unknown: [] }
  bridge.answer('undoBulk', () => ok({ ...undone, changedSince: left(count) }))
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect
    .element(toasts.getByText(new RegExp(`${String(count)} websites have newer changes, which were kept`)))
    .toBeVisible()
  if (count > 3) {
    await expect.element(toasts.getByText('left-3.example')).not.toBeInTheDocument()
    await toasts.getByText('Details').click()
    await expect.element(toasts.getByText('gone.example')).toBeVisible()
  }
  for (const domain of left(count)) await expect.element(toasts.getByText(domain)).toBeVisible()
  await expectAccessible()
})

test.each([
  [3, 'The change will be undone on the service for 3 websites.'],
  [1, 'The change was undone for 2 websites. The change will be undone on the service for 1 website.'],
])('the toast of a bulk undo says for how many websites the undo is queued to be sent: %i of 3', (queued, text) => {
  const result = { bulkChange: 'back', changed: 3, queued, same: 0, refused: [], unknown: [] }
  expect(bulkUndoToast(result).text).toBe(text)
})

test.each([
  [{ changed: 0, local: 3 }, 'The change was undone for 3 websites.'],
  [{ changed: 3, local: 2 }, 'The change was undone for 5 websites.'],
  [{ changed: 3, queued: 3, local: 0 }, 'The change will be undone on the service for 3 websites.'],
])(
  'the toast of a bulk undo counts each website once, whether its settings, its tags or both were restored: %o gives “%s”',
  (result, text) => {
    expect(bulkUndoToast({ same: 0, refused: [], unknown: [], ...result }).text).toBe(text)
  },
)

test.each([
  [{ changed: 0 }, 'There’s nothing to undo.'],
  [{ changed: 0, changedSince: ['a.example'] }, '1 website has newer changes, which were kept.'],
])(
  'the toast of a bulk undo that restored no website says whether newer changes were kept: %o gives “%s”',
  (result, text) => {
    expect(bulkUndoToast({ same: 0, refused: [], unknown: [], ...result }).text).toBe(text)
  },
)

test.each([
  [{ changed: 2, same: 1 }, 'The change was undone for 2 websites. 1 website already had its previous values.'],
  [{ changed: 0, same: 3 }, '3 websites already had their previous values.'],
])('the toast of a bulk undo counts the websites that already had their previous values: %o', (result, text) => {
  expect(bulkUndoToast({ refused: [], unknown: [], ...result }).text).toBe(text)
})

test('the toast of a bulk undo names the websites with fields that could not be restored', () => {
  const result = { changed: 1, same: 0, refused: [], unknown: ['password' as const], domainsWithUnknown: ['a.example'] }
  const lost =
    'Couldn’t restore these settings because the service doesn’t show their previous values: Statistics password.'
  expect(bulkUndoToast(result)).toEqual({
    text: `The change was undone for 1 website. ${lost}`,
    details: [{ text: lost, domains: ['a.example'] }],
  })
})

test('the toast of a bulk undo groups the websites that could not be restored by the reason', () => {
  const refusedWith = (code: ErrorCode, domain: string) => ({ key: domain, domain, error: fail(code).error })
  const refused = [
    refusedWith('website-gone', 'a.example'),
    refusedWith('storage', 'b.example'),
    refusedWith('website-gone', 'c.example'),
  ]
  expect(bulkUndoToast({ changed: 2, same: 0, refused, unknown: [] })).toEqual({
    text: [
      'The change was undone for 2 websites.',
      'Couldn’t undo the changes to 2 websites. These websites were deleted here or on the service. If you still need them, add them again.',
      'Couldn’t undo the change to 1 website. Couldn’t read or write Siteward’s data on this computer. Check the disk, then restart Siteward.',
    ].join(' '),
    details: [
      { text: expect.stringContaining('2 websites'), domains: ['a.example', 'c.example'] },
      { text: expect.stringContaining('1 website'), domains: ['b.example'] },
    ],
  })
})

const asked = (kind: 'create' | 'delete') => ({
  ...{ bulkChange: 'back', changed: 1, queued: 0, same: 0, refused: [], unknown: [] },
  sent: { kind, count: 3, domains: ['a.example', '', 'b.example'] },
})

test.each([
  ['create', 'Delete 3 websites?', 'Delete'],
  ['delete', 'Add 3 websites again?', 'Add again'],
] as const)('asks once before the undo of a bulk %s that was sent', async (kind, title, action) => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ kind, sent: 2, waiting: 1, canUndo: true }) })
  const rest = { bulkChange: 'back', changed: 2, queued: 2, same: 0, refused: [], unknown: [] }
  bridge.answer('undoBulk', ({ agreed }) => ok(agreed === true ? rest : asked(kind)))
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  const dialog = screen.getByRole('alertdialog', { name: title })
  await expect.element(dialog).toMatchTextContent(/statistics/)
  const named = dialog.getByRole('listitem').elements()
  expect(named.map((item) => item.textContent)).toEqual(['a.example', 'b.example', 'and 1 more'])
  await expectAccessible()
  await dialog.getByRole('button', { name: action }).click()
  await expect
    .element(
      screen.getByText('The change was undone for 1 website. The change will be undone on the service for 2 websites.'),
    )
    .toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }, { bulkChange: 'batch', agreed: true }])
})

test('if the user keeps the websites that a bulk create has already sent, the undo removes only the unsent ones, and names the kept ones', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ kind: 'create', sent: 2, waiting: 1, canUndo: true }) })
  bridge.answer('undoBulk', () => ok(asked('create')))
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  const text = 'The change was undone for 1 website. The changes to 3 websites were already sent and were kept.'
  await expect.element(toasts.getByText(text)).toBeVisible()
  await expect.element(toasts.getByText('b.example')).toBeVisible()
  expect(bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }, { bulkChange: 'batch', agreed: false }])
})

test.each([
  ['create', 'Escape', 'Delete 3 websites?'],
  ['delete', 'Escape', 'Add 3 websites again?'],
  ['delete', 'Cancel', 'Add 3 websites again?'],
] as const)(
  'the question before the undo of a sent bulk %s closes with %s without undoing, and can be asked again',
  async (kind, by, title) => {
    const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
    bridge.setState({ bulkChange: aBulkChange({ kind, sent: 2, waiting: 1, canUndo: true }) })
    bridge.answer('undoBulk', () => ok(asked(kind)))
    await keys('{Control>}2{/Control}')
    const undo = screen.getByRole('button', { name: 'Undo all' })
    await undo.click()
    const dialog = screen.getByRole('alertdialog', { name: title })
    await expect.element(dialog).toBeVisible()
    if (by === 'Escape') await keys('{Escape}')
    else await dialog.getByRole('button', { name: by }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(screen.getByText(/^The change was undone for 1 website\. .* and were kept\.$/)).toBeVisible()
    await expect.poll(() => document.activeElement).not.toBe(document.body)
    expect(bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
    await undo.click()
    await expect.element(dialog).toBeVisible()
  },
)

test('shows no toast with the result of a bulk change while the question about its undo is open', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  const change = aBulkChange({ kind: 'delete', sent: 2, waiting: 48, canUndo: true })
  bridge.setState({ bulkChange: change })
  bridge.answer('undoBulk', () => {
    bridge.setState({ bulkChange: null })
    bridge.setState({ bulkChange: { ...change, waiting: 0, notSent: 48, left: 'again' } })
    return ok(asked('delete'))
  })
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  await expect.element(screen.getByRole('alertdialog')).toBeVisible()
  expect(
    screen
      .getByRole('region', { name: 'Messages' })
      .getByText(/^Last bulk change/)
      .elements(),
  ).toEqual([])
})

test.each([
  ['all of its changes were undone', { notSent: 2 }],
  ['one was just being sent', { sent: 1, notSent: 1 }],
])(
  'the message about websites that a bulk undo refused because their domain is taken stays visible, and Ctrl+Z then undoes the last save: %s',
  async (_, counts) => {
    const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [anEdit({ id: 'e1' })] })
    const change = aBulkChange({ kind: 'delete', order: Date.now() + 1000, waiting: 2, websites: 2, canUndo: true })
    bridge.setState({ bulkChange: change })
    const { error } = fail('domain-listed')
    const refused = [{ key: 'w9', domain: 'new.example', error }]
    const undone = { bulkChange: 'back', changed: 2, queued: 0, same: 0, refused, unknown: [] }
    bridge.answer('undoBulk', () => ok(undone))
    await keys('{Control>}2{/Control}')
    await screen.getByRole('button', { name: 'Undo all' }).click()
    await expect.element(screen.getByText(/Couldn’t undo the change/)).toBeVisible()
    bridge.setState({ bulkChange: { ...change, waiting: 0, ...counts, left: 'refused' } })
    await expect.element(screen.getByText(/Couldn’t undo the change/)).toBeVisible()
    await keys('{Control>}z{/Control}')
    await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1' }])
    expect(bridge.requests('undoBulk')).toHaveLength(1)
  },
)

test('Ctrl+Z tries the undo of a bulk change again as one if it failed for a reason that may pass', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [anEdit({ id: 'e1' })] })
  const change = aBulkChange({ order: Date.now() + 1000, sent: 2, websites: 2, canUndo: true, left: 'again' })
  bridge.setState({ bulkChange: change })
  bridge.answer('undoBulk', () => fail('disk-full'))
  await keys('{Control>}z{/Control}')
  await expect.element(screen.getByText(/The disk is full/)).toBeVisible()
  expect(bridge.requests('undoBulk')).toHaveLength(1)
  expect(bridge.requests('undoEdit')).toEqual([])
})

test.each([
  ['after the undo', (rest: BulkChange) => [rest]],
  ['with the undo', () => []],
])(
  'the end of a bulk change whose undo was refused is announced beside the message about the undo: %s',
  async (_, between) => {
    const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [anEdit({ id: 'e1' })] })
    const change = aBulkChange({ kind: 'delete', waiting: 2, websites: 2, canUndo: true })
    bridge.setState({ bulkChange: change })
    const refused = [{ key: 'w9', domain: 'new.example', error: fail('domain-listed').error }]
    bridge.answer('undoBulk', () => ok({ bulkChange: 'back', changed: 1, queued: 0, same: 0, refused, unknown: [] }))
    await keys('{Control>}2{/Control}')
    await screen.getByRole('button', { name: 'Undo all' }).click()
    await expect.element(screen.getByText(/Couldn’t undo the change/)).toBeVisible()
    const rest = { ...change, waiting: 1, notSent: 1, left: 'refused' } as const
    for (const bulkChange of [...between(rest), { ...rest, waiting: 0, parked: 1 }]) bridge.setState({ bulkChange })
    await expect.element(screen.getByRole('region', { name: 'Messages' }).getByText(/^Last bulk change/)).toBeVisible()
    await expect.element(screen.getByText(/Couldn’t undo the change/)).toBeVisible()
  },
)

test('a bulk undo asks nothing if another account is shown when its answer arrives, and says in which account what was undone', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ kind: 'create', sent: 2, waiting: 1, canUndo: true }) })
  bridge.answer('undoBulk', () => {
    const connection = bridge.world.state.connection ?? expect.fail('there is no account')
    bridge.setState({ bulkChange: null, connection: { ...connection, id: 'another' } })
    return ok(asked('create'))
  })
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  const result = /^.?Northwind Agency.?: The change was undone for 1 website\. .* and were kept\.$/
  await expect.element(screen.getByText(result)).toBeVisible()
  expect(screen.getByRole('alertdialog').elements()).toEqual([])
})

test('says for how many websites a bulk change was undone before the rest of the undo failed', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ kind: 'create', sent: 2, waiting: 1, canUndo: true }) })
  bridge.answer('undoBulk', ({ agreed }) => (agreed === undefined ? ok(asked('create')) : fail('disk-full')))
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Undo all' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByText(/^The change was undone for 1 website\. .*disk is full/i)).toBeVisible()
})

test('the undo of a bulk change removes the toast that offered Undo, and reads the tags again', async () => {
  const bridge = new MemoryBridge()
  bridge.answer('undoBulk', () => ok({ bulkChange: 'back', changed: 50, same: 0, refused: [], unknown: [] }))
  const toasts = new Toasts(() => 0)
  let reloaded = 0
  const tags = { reload: () => Promise.resolve(void (reloaded += 1)) }
  const app = { bridge: bridge.siteward, appState: null, toasts, tags }
  offerUndo(app, '50 websites changed.', 'batch')
  await undoBulkChange(app, { id: 'batch' })
  expect(toasts.list.map(({ text }) => text)).toEqual(['The change was undone for 50 websites.'])
  expect(reloaded).toBe(1)
  bridge.answer('undoBulk', () => ok(asked('create')))
  await undoBulkChange(app, { id: 'batch' })
  await toasts.question?.answer(false)
  expect(reloaded).toBe(3)
})

test('keeps the result of a bulk change if dismissing it fails, and says why', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
  bridge.setState({ bulkChange: aBulkChange({ sent: 49, parked: 1 }) })
  bridge.answer('dismissBulkChange', () => fail('disk-full'))
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Dismiss result' }).click()
  await expect.element(screen.getByText(/disk is full/i)).toBeVisible()
  await expect.element(screen.getByText(/^Change to 50 websites/)).toBeVisible()
})

const results = (): BulkWebsiteRow[] =>
  websites(5).map(({ key, domain }, n) => ({
    key,
    domain,
    is: (['parked', 'waiting', 'notSent', 'sent', 'sent'] as const)[n] ?? 'sent',
    edit:
      n === 0
        ? anEdit({ ...parked(), error: { code: 'invalid', message: '', fields: { email: ['The plan has none.'] } } })
        : null,
    exists: n !== 4,
  }))
const change = () => aBulkChange({ websites: 5, sent: 2, waiting: 1, parked: 1, notSent: 1 })

test('lists the websites of a bulk change with their results, and opens a website, by keyboard', async () => {
  const { screen, bridge, keys, form } = await openApp({
    websites: websites(5),
    edits: [parked()],
    bulkWebsites: results(),
  })
  bridge.setState({ bulkChange: change() })
  await keys('{Control>}2{/Control}')
  ;(screen.getByRole('button', { name: 'Show results' }).element() as HTMLElement).focus()
  await keys('{Enter}')
  const panel = screen.getByRole('dialog', { name: 'Last bulk change' })
  const rows = panel.getByRole('listitem')
  await expect.poll(() => rows.elements()).toHaveLength(5)
  const texts = rows.elements().map((row) => row.textContent.replace(/\s+/g, ' ').trim())
  const [refused, ...others] = results().map(({ domain }) => domain)
  expect(texts).toEqual([
    expect.stringMatching(new RegExp(`^${refused} Needs attention .*The plan has none`)),
    `${others[0]} Pending`,
    `${others[1]} Undone, discarded, or replaced`,
    `${others[2]} Sent`,
    `${others[3]} Sent No longer in the list`,
  ])
  expect(panel.getByRole('button', { name: others[3] }).elements()).toEqual([])
  await expectAccessible()
  const second = panel.getByRole('button', { name: `${others[0]} Pending` })
  await expect.element(second).toBeVisible()
  ;(second.element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(form().domain).toHaveValue(others[0])
})

test('says why a website was rejected because of the limit of the plan, before it quotes the service', async () => {
  const fields = { domain: ['You added too many websites.'] }
  const rejected = { ...parked(), reason: 'website-limit', error: { code: 'invalid', message: '', fields } } as const
  const [first, ...others] = results()
  const bulkWebsites = [{ ...(first as BulkWebsiteRow), edit: anEdit(rejected) }, ...others]
  const { screen, bridge, keys } = await openApp({ websites: websites(5), bulkWebsites })
  bridge.setState({ bulkChange: change() })
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Show results' }).click()
  await expect
    .element(screen.getByRole('dialog').getByRole('listitem').first())
    .toMatchTextContent(/Your plan doesn’t allow more websites\..*The service says: .*You added too many websites\./)
})

test('the palette opens the results of the last bulk change, which stay current and close when the bulk change is gone', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(5), bulkWebsites: results() })
  const command = screen.getByRole('option', { name: 'Show the last bulk change' })
  await keys('{Control>}k{/Control}last bulk')
  await expect.element(screen.getByText('No results')).toBeVisible()
  bridge.setState({ bulkChange: change() })
  await expect.element(command).toBeVisible()
  await keys('{Enter}')
  const panel = screen.getByRole('dialog', { name: 'Last bulk change' })
  await expect.element(panel.getByText('Pending', { exact: true })).toBeVisible()
  bridge.world.bulkWebsites = results().map((one) => ({ ...one, is: 'sent' }))
  bridge.emit('editsChanged', undefined)
  await expect.element(panel.getByText('Pending', { exact: true })).not.toBeInTheDocument()
  bridge.setState({ bulkChange: null })
  await expect.element(panel).not.toBeInTheDocument()
})

test.each([1180, 480])('fits many results into a window %i wide', async (width) => {
  await page.viewport(width, 740)
  const long = results().map((one) => ({ ...one, domain: `${'very-long-'.repeat(6)}${one.domain}` }))
  const many = Array.from({ length: 12 }, (_, n) => long.map((one) => ({ ...one, key: `${one.key}-${n}` }))).flat()
  const { screen, bridge, keys } = await openApp({ websites: websites(5), edits: [parked()], bulkWebsites: many })
  bridge.setState({ bulkChange: change() })
  await keys('{Control>}2{/Control}')
  await screen.getByRole('button', { name: 'Show results' }).click()
  const panel = screen.getByRole('dialog', { name: 'Last bulk change' })
  await expect.element(panel.getByText('1 of 2')).toBeInTheDocument()
  const dialog = panel.element()
  expect(dialog.scrollWidth).toBe(dialog.clientWidth)
  await panel.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => panel.getByRole('listitem').elements()).toHaveLength(10)
})

test.each([1180, 640, 480])(
  'aligns the line of a bulk change with the pending changes in a window %i wide',
  async (width) => {
    await page.viewport(width, 740)
    const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [parked()] })
    bridge.setState({ bulkChange: aBulkChange({ sent: 40, waiting: 9, parked: 1, canUndo: true }) })
    await keys('{Control>}2{/Control}')
    const line = screen.getByText(/^Change to 50 websites/)
    await expect.element(line).toBeVisible()
    const left = (of: { element: () => Element }) => Math.round(of.element().getBoundingClientRect().left)
    expect(left(line)).toBe(left(page.getByRole('listitem').getByRole('heading')))
    const end = page.getByRole('button', { name: 'Dismiss result' }).element().getBoundingClientRect().right
    expect(Math.round(end)).toBe(Math.round(page.getByRole('listitem').element().getBoundingClientRect().right) - 24)
    const body = page.getByRole('region', { name: 'Pending changes' }).element()
    expect(body.scrollWidth).toBe(body.clientWidth)
  },
)
