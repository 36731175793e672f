import { page } from 'vitest/browser'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { openApp, openWebsite } from './support/app.ts'
import { aBulkChange, aConnection, anAppState, anEdit, aParked, LATER, websites } from './support/fixtures.ts'

test('removes a toast after ten seconds, but not while it has the focus, and never loses the focus', async () => {
  await page.viewport(1180, 740)
  const { keys, screen, row } = await openApp({ websites: websites(30) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('a.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 website' }).click()
  const undo = screen.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' })
  await expect.element(undo).toBeVisible()
  ;(undo.element() as HTMLElement).focus()
  vi.advanceTimersByTime(60_000)
  await expect.element(undo).toHaveFocus()
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await expect.element(undo).not.toBeInTheDocument()
  await expect.element(row('harbour-bakery.example')).toHaveFocus()
})

test('keeps the buttons of a toast in the line of its text, also with long words', async () => {
  await page.viewport(420, 740)
  const language = { shown: 'fr', system: 'fr', formats: 'fr' } as const
  const state = anAppState({ language, bulkChange: aBulkChange({ websites: 200, waiting: 200, canUndo: true }) })
  const { screen, bridge } = await openApp({ websites: websites(3), state })
  await expect.element(screen.getByText('3 sites web', { exact: true })).toBeVisible()
  bridge.setState({ bulkChange: aBulkChange({ websites: 200, sent: 200, canUndo: true }) })
  const text = screen.getByText('Dernière modification groupée (200 sites web) : tout est envoyé.')
  await expect.element(text).toBeVisible()
  const middle = (element: Element): number => {
    const { top, height } = element.getBoundingClientRect()
    return Math.round(top + height / 2)
  }
  const buttons = screen.getByRole('region', { name: 'Messages' }).getByRole('button').elements()
  expect(buttons.map(middle)).toEqual(buttons.map(() => middle(text.element())))
  expect(buttons).toHaveLength(2)
})

const toasts = () => page.getByRole('region', { name: 'Messages' })

async function changeThree(
  keys: (keys: string) => Promise<void>,
  text: string | RegExp = '3 websites will be changed.',
): Promise<void> {
  await keys('{Control>}k{/Control}select all websites{Enter}')
  await expect.element(page.getByText('3 selected')).toBeVisible()
  await keys('{Control>}e{/Control}')
  const dialog = page.getByRole('dialog')
  const reports = dialog.getByRole('radiogroup', { name: 'Email reports' })
  await reports.getByRole('radio', { name: 'On', exact: true }).click()
  await expect.element(dialog.getByRole('button', { name: 'Change 3 websites' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.element(page.getByText(text)).toBeVisible()
}

test.each([
  { counts: { sent: 3, canUndo: true }, text: 'Last bulk change (3 websites): all sent.', offers: ['Undo', 'Dismiss'] },
  {
    counts: { sent: 2, parked: 1 },
    text: 'Last bulk change (3 websites): 2 sent, 1 needs attention.',
    offers: ['Show results', 'Dismiss'],
  },
  {
    counts: { sent: 3, canUndo: false },
    text: 'Last bulk change (3 websites): all sent.',
    offers: ['Show results', 'Dismiss'],
  },
])(
  'replaces the toast of a queued bulk change by its result “$text” with the buttons $offers',
  async ({ counts, text: text, offers }) => {
    await page.viewport(1180, 740)
    const { keys, bridge } = await openApp({ websites: websites(3) })
    await changeThree(keys)
    bridge.setState({ bulkChange: aBulkChange({ websites: 3, waiting: 3, canUndo: true }) })
    bridge.setState({ bulkChange: aBulkChange({ websites: 3, ...counts }) })
    await expect.element(toasts().getByText(text)).toBeVisible()
    await expect.element(toasts().getByText('3 websites will be changed.')).not.toBeInTheDocument()
    const shown = toasts().getByRole('button').elements()
    expect(shown.map((one) => one.ariaLabel ?? one.textContent.trim())).toEqual(offers)
    if (!offers.includes('Undo')) return
    await toasts().getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
  },
)

test('a toast does not cover the active row of the list, even if that is the last row', async () => {
  await page.viewport(1180, 740)
  const { keys, bridge, row } = await openApp({ websites: websites(40) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await keys('{End}')
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('39')
  const below = () => {
    const [last, list] = [document.activeElement?.closest('[role="row"]'), document.querySelector('.scroller')]
    // Rounded down: a list is scrolled by whole pixels, so a row may end a fraction of a pixel below it.
    return Math.floor((last?.getBoundingClientRect().bottom ?? 0) - (list?.getBoundingClientRect().bottom ?? 0))
  }
  await expect.poll(below).toBeLessThanOrEqual(0)
  bridge.setState({ bulkChange: aBulkChange({ waiting: 50 }) })
  bridge.setState({ bulkChange: aBulkChange({ sent: 50 }) })
  await expect.element(page.getByText('Last bulk change (50 websites): all sent.')).toBeVisible()
  await expect.poll(below).toBeLessThanOrEqual(0)
  // The toast has a border at its top, where the list ends.
  expect(getComputedStyle(toasts().element()).borderTopStyle).toBe('solid')
})

test('shows the latest toast and the Save button also where large text leaves little room', async () => {
  await page.viewport(480, 700)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const { keys, row, screen, bridge } = await openApp({ websites: websites(40) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  for (const name of ['one', 'two', 'three']) {
    await row('harbour-bakery.example').click({ button: 'right' })
    await screen.getByRole('menuitem', { name: 'Tags and note…' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => bridge.requests('setNote').at(-1)?.note).toBe(name)
  }
  const dismiss = toasts().getByRole('button', { name: 'Dismiss' })
  await expect.poll(() => dismiss.elements()).toHaveLength(3)
  const isReachable = (element: Element | undefined): boolean => {
    const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
    return element?.contains(document.elementFromPoint(left + width / 2, top + height - 2)) ?? false
  }
  await expect.poll(() => isReachable(dismiss.elements().at(-1))).toBe(true)
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  await expect.element(screen.getByText('40 selected')).toBeVisible()
  await expect.poll(() => isReachable(dismiss.elements().at(-1))).toBe(true)
  await keys('{Escape}{Enter}')
  await expect.poll(() => isReachable(screen.getByRole('button', { name: 'Save' }).query() ?? undefined)).toBe(true)
  expect(isReachable(dismiss.elements().at(-1))).toBe(true)
})

test.each([
  { edits: [aParked()], text: /^The change to kestrel-press\.example needs attention before/ },
  { edits: [], text: 'There’s nothing to undo.' },
])('shows the same toast only once when Ctrl+Z is pressed again: $text', async ({ edits, text }) => {
  const { keys, bridge } = await openApp({ websites: websites(3), edits })
  await keys('{Control>}z{/Control}')
  await expect.element(toasts().getByText(text)).toBeVisible()
  await keys('{Control>}z{/Control}')
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('getLastSave')).toHaveLength(3)
  // Waits for less than the ten seconds that a second toast would stay.
  await expect.poll(() => toasts().getByText(text).elements(), { timeout: 3000 }).toHaveLength(1)
})

test('removes a toast after ten seconds, even if an earlier toast disappeared with the focus on its button', async () => {
  await page.viewport(1180, 740)
  const { screen, bridge, keys } = await openApp({ websites: websites(3) })
  await expect.element(screen.getByText('3 websites', { exact: true })).toBeVisible()
  bridge.setState({ mismatches: 1 })
  await toasts().getByRole('button', { name: 'Show activity' }).click()
  const heading = screen.getByRole('heading', { level: 1, name: 'Activity' })
  await heading.hover()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await keys('{Control>}z{/Control}')
  const toast = toasts().getByText('There’s nothing to undo.')
  await expect.element(toast).toBeVisible()
  vi.advanceTimersByTime(11_000)
  await expect.element(toast).not.toBeInTheDocument()
})

const anotherAccount = aConnection({ id: 'another', name: 'Studio Nord' })

test('offers no Undo for a delete after a switch to another account, where it would undo nothing', async () => {
  const { screen, bridge, form } = await openWebsite()
  bridge.world.edits = [anEdit({ kind: 'delete', domain: 'kestrel-press.example', reason: 'undo' })]
  await form().choose('Delete…')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const undo = toasts().getByRole('button', { name: 'Undo' })
  await expect.element(undo).toBeVisible()
  bridge.setState({ connection: anotherAccount })
  await expect.element(undo, { timeout: 3000 }).not.toBeInTheDocument()
})

test('removes the toast of a bulk change after a switch to another account, where Ctrl+Z undoes another change', async () => {
  await page.viewport(1180, 740)
  const { keys, bridge } = await openApp({ websites: websites(3) })
  await changeThree(keys)
  bridge.setState({ connection: anotherAccount })
  await expect.element(page.getByText('3 websites will be changed.'), { timeout: 3000 }).not.toBeInTheDocument()
  await keys('{Control>}z{/Control}')
  await expect.element(toasts().getByText('There’s nothing to undo.')).toBeVisible()
  expect(bridge.requests('undoBulk')).toEqual([])
})

test.each([
  ['create', /^Delete 3 websites in .?Northwind Agency.?\?$/, 'Delete'],
  ['delete', /^Add 3 websites again in .?Northwind Agency.?\?$/, 'Add again'],
] as const)(
  'if another account is shown before a bulk %s is queued, its toast names the account, and so do the question and the result of its undo',
  async (kind, name, action) => {
    await page.viewport(1180, 740)
    const { screen, keys, bridge } = await openApp({ websites: websites(3) })
    bridge.answer('bulkUpdate', ({ keys: changed }) => {
      bridge.setState({ connection: anotherAccount })
      return ok({ bulkChange: 'batch', changed: changed.length, same: 0, refused: [], unknown: [] })
    })
    await changeThree(keys, /^.?Northwind Agency.?: 3 websites will be changed\.$/)
    const undone = { bulkChange: 'back', changed: 0, same: 0, refused: [], unknown: [] }
    const sent = { kind, count: 3, domains: ['a.example'] }
    bridge.answer('undoBulk', ({ agreed }) => ok(agreed === true ? { ...undone, changed: 3 } : { ...undone, sent }))
    await toasts().getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch', account: 'northwind' }])
    await screen.getByRole('alertdialog', { name }).getByRole('button', { name: action }).click()
    await expect
      .poll(() => bridge.requests('undoBulk').at(-1))
      .toEqual({ bulkChange: 'batch', account: 'northwind', agreed: true })
    const result = /^.?Northwind Agency.?: The change was undone for 3 websites\.$/
    await expect.element(toasts().getByText(result)).toBeVisible()
  },
)

test('Ctrl+Z undoes an earlier bulk change as one, also if its saves have later times than its answer', async () => {
  await page.viewport(1180, 740)
  const { keys, bridge, screen } = await openApp({ websites: websites(3) })
  for (const [id, order] of [
    ['earlier', LATER],
    ['latest', LATER + 3],
  ] as const) {
    bridge.answer('bulkUpdate', () => ok({ bulkChange: id, changed: 3, same: 0, refused: [], unknown: [] }))
    await changeThree(keys)
    bridge.setState({
      bulkChange: aBulkChange({ id, order, websites: 3, waiting: 3, canUndo: true }),
      lastOrder: order,
    })
    bridge.world.edits = [anEdit({ id: `of-${id}`, changedAt: order })]
    await toasts().getByRole('button', { name: 'Dismiss' }).click()
    await keys('{Escape}')
    await expect.element(screen.getByText('3 selected')).not.toBeInTheDocument()
  }
  bridge.answer('undoBulk', () => ok({ bulkChange: 'back', changed: 3, same: 0, refused: [], unknown: [] }))
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'latest' }])
  await expect.element(toasts().getByText('The change was undone for 3 websites.')).toBeVisible()
  bridge.setState({ bulkChange: null })
  bridge.world.edits = [anEdit({ id: 'of-earlier', changedAt: LATER })]
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoBulk').at(-1)).toEqual({ bulkChange: 'earlier' })
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('Ctrl+Z undoes no bulk change of an account that the user left before the bulk change was queued', async () => {
  await page.viewport(1180, 740)
  const { keys, bridge } = await openApp({ websites: websites(3) })
  bridge.answer('bulkUpdate', ({ keys: changed }) => {
    bridge.setState({ connection: anotherAccount })
    return ok({ bulkChange: 'batch', changed: changed.length, same: 0, refused: [], unknown: [] })
  })
  await changeThree(keys, /^.?Northwind Agency.?: 3 websites will be changed\.$/)
  await toasts().getByRole('button', { name: 'Dismiss' }).click()
  await keys('{Control>}z{/Control}')
  await expect.element(toasts().getByText('There’s nothing to undo.')).toBeVisible()
  expect(bridge.requests('undoBulk')).toEqual([])
})

test('a dialog with fields hides an older toast until the dialog closes, and the palette leaves an older toast visible', async () => {
  await page.viewport(1180, 740)
  const { screen, keys } = await openApp({ websites: websites(3) })
  // Moves the pointer away, because a toast under the pointer stays open.
  await screen.getByText('3 websites', { exact: true }).hover()
  await keys('{Control>}z{/Control}')
  const toast = page.getByText('There’s nothing to undo.')
  await expect.element(toast).toBeVisible()
  await keys('{Control>}k{/Control}')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await expect.element(toast).toBeVisible()
  await keys('{Escape}')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await keys('{Control>}z{/Control}')
  await expect.element(toast).toBeVisible()
  vi.advanceTimersByTime(2_000)
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await expect.element(page.getByRole('dialog', { name: 'Add multiple websites' })).toBeVisible()
  await expect.element(toast).not.toBeInTheDocument()
  vi.advanceTimersByTime(7_000)
  await keys('{Escape}')
  await expect.element(toast).toBeVisible()
  vi.advanceTimersByTime(5_000)
  await expect.element(toast).toBeVisible()
  vi.advanceTimersByTime(6_000)
  await expect.element(toast).not.toBeInTheDocument()
})
