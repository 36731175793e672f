import { page, userEvent } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { PRIVACY } from '../../src/shared/fields.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const many = websites(5000)

async function openList(count = 5000) {
  const app = await openApp({ websites: many.slice(0, count) })
  const nth = (n: number) => app.row(many[n]?.domain ?? '')
  await expect.element(nth(0)).toBeVisible()
  const box = (n: number) => app.screen.getByRole('checkbox', { name: `Select ${many[n]?.domain ?? ''}`, exact: true })
  const chosen = () =>
    [...document.querySelectorAll('[role=row][aria-selected=true]')].map((row) => Number(row.ariaRowIndex) - 2)
  return { ...app, nth, box, chosen }
}

test('selects websites by mouse with checkboxes, Ctrl and Shift, and opens a website by a plain click', async () => {
  const { screen, nth, box, chosen, form } = await openList()
  await box(2).click()
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await nth(5).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  await nth(8).click({ modifiers: ['Shift'] })
  await expect.element(screen.getByText('4 selected')).toBeVisible()
  expect(chosen()).toEqual([5, 6, 7, 8])
  await expect.element(form().form).not.toBeInTheDocument()
  await nth(1).click()
  await expect.element(form().form).toBeVisible()
})

test('the box in the head selects all websites that match, or clears the selection', async () => {
  const { screen, nth, box, keys } = await openList(30)
  const all = screen.getByRole('checkbox', { name: 'Select all 30' })
  const state = () => ['checked', 'indeterminate'].filter((name) => all.element().matches(`:${name}`))
  await box(2).click()
  expect(state()).toEqual(['indeterminate'])
  await all.click()
  await expect.element(screen.getByText('30 selected')).toBeVisible()
  await expect
    .element(screen.getByRole('columnheader').getByRole('checkbox', { name: 'Clear selection' }))
    .toBeChecked()
  await expectAccessible()
  await nth(1).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('29 selected')).toBeVisible()
  await all.click()
  await keys('{Control>}e{/Control}')
  await expect.element(screen.getByRole('dialog', { name: 'Edit 30 websites' })).toBeVisible()
  await keys('{Escape}')
  await screen.getByRole('columnheader').getByRole('checkbox', { name: 'Clear selection' }).click()
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
})

test('the box of a selected row stays checked if a click on it selects a range that contains the row', async () => {
  const { screen, nth, box, chosen } = await openList()
  await box(2).click()
  await nth(5).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  // Selects the range from row 5 to row 2, in which all rows are selected already.
  await box(2).click({ modifiers: ['Shift'] })
  await expect.element(screen.getByText('4 selected')).toBeVisible()
  expect(chosen()).toEqual([2, 3, 4, 5])
  await expect.element(box(2)).toBeChecked()
})

test('a click anywhere in a row opens or selects it, and the keys continue from there', async () => {
  const { screen, nth, keys, chosen, form } = await openList()
  const beside = (n: number) => page.elementLocator(nth(n).element().closest('[role=row]')?.lastElementChild as Element)
  await beside(4).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await expect.element(nth(4)).toHaveFocus()
  await keys('{Shift>}{ArrowDown}{/Shift}')
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  expect(chosen()).toEqual([4, 5])
  await beside(7).dblClick()
  await expect.element(form().form).toBeVisible()
  expect(getSelection()?.toString()).toBe('')
})

test('selects websites by keyboard with Space and Shift+arrow, and deselects all by Escape, without opening the editor', async () => {
  const { screen, nth, keys, chosen, form } = await openList()
  nth(3).element().focus()
  await keys('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}')
  await expect.element(screen.getByText('3 selected')).toBeVisible()
  expect(chosen()).toEqual([3, 4, 5])
  await expect.element(nth(5)).toHaveFocus()
  await keys('{ArrowDown}{ArrowDown} ')
  await expect.element(screen.getByText('4 selected')).toBeVisible()
  await keys(' ')
  await expect.element(screen.getByText('3 selected')).toBeVisible()
  await expect.element(form().form).not.toBeInTheDocument()
  await keys('{Escape}')
  await expect.element(screen.getByText('3 selected')).not.toBeInTheDocument()
  await expect.element(nth(7)).toHaveFocus()
})

test('selects a range of rows that are not loaded', async () => {
  const { screen, nth, keys, bridge } = await openList()
  await expect.element(nth(10)).toBeInTheDocument()
  nth(10).element().focus()
  await keys('{Shift>}{End}{/Shift}')
  await expect.element(screen.getByText('4,990 selected')).toBeVisible()
  expect(bridge.requests('listKeys').at(-1)).toMatchObject({ from: 0, count: 5000 })
})

test('selects what the user chose last, although the rows of an earlier range are read later', async () => {
  const { screen, nth, keys, bridge } = await openList()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('listKeys', async ({ from, count }) => {
    await held.promise
    return ok(many.slice(from, from + count).map(({ key }) => key))
  })
  nth(10).element().focus()
  await keys('{Shift>}{End}{/Shift}{Control>}a{/Control}')
  await expect.element(screen.getByText('5,000 selected')).toBeVisible()
  held.resolve(undefined)
  // Deselects only the last row.
  await keys(' ')
  await expect.element(screen.getByText('4,999 selected')).toBeVisible()
})

test('a range starts at the website that was selected, although rows above it have changed since', async () => {
  const { screen, nth, box, chosen, keys, bridge } = await openList()
  const remove = (n: number) => {
    bridge.world.websites = bridge.world.websites.filter(({ key }) => key !== many[n]?.key)
    bridge.emit('websitesChanged', { keys: [many[n]?.key ?? ''] })
  }
  await box(3).click()
  remove(0)
  await expect.element(nth(0)).not.toBeInTheDocument()
  await nth(6).click({ modifiers: ['Shift'] })
  await expect.element(screen.getByText('4 selected')).toBeVisible()
  expect(chosen()).toEqual([2, 3, 4, 5])

  // The rows at the start of the range are not drawn, so the page doesn't read them again after this removal.
  await keys('{End}')
  await expect.element(nth(4999)).toHaveFocus()
  remove(1)
  await expect.element(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '4999')
  await nth(4999).click({ modifiers: ['Shift'] })
  await expect.element(screen.getByText('4,997 selected')).toBeVisible()
})

test('a range starts at the row that was clicked, if the last selected website is on another page or was cleared', async () => {
  const { screen, nth, box, chosen, keys, view } = await openList(60)
  await box(20).click()
  await keys('/')
  await keys('lumen')
  await expect.element(screen.getByText(/^10 of 60 websites$/)).toBeVisible()
  await nth(14).click({ modifiers: ['Shift'] })
  await nth(26).click({ modifiers: ['Shift'] })
  await expect.element(screen.getByText('3 selected')).toBeVisible()
  expect(chosen()).toEqual([2, 3, 4])

  await keys('/')
  await keys('{Escape}')
  await view('25 per page')
  await box(10).click()
  await screen.getByRole('button', { name: 'Next page' }).click()
  await nth(28).click({ modifiers: ['Shift'] })
  await expect.poll(chosen).toEqual([28])
  await expect.element(screen.getByText('1 selected')).toBeVisible()
})

test('says that a range is too long, and that too many selected websites can’t be changed or copied at once', async () => {
  const all = websites(25_000)
  const { screen, keys, row, bridge } = await openApp({ websites: all })
  const limit = screen.getByText('You can change up to 20,000 websites at once. Select fewer websites.')
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await keys('{Shift>}{End}{/Shift}')
  await expect.element(limit).toBeVisible()
  await expect.element(screen.getByText(/selected$/)).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(limit).not.toBeInTheDocument()
  await keys('{Control>}a{/Control}')
  const bar = screen.getByRole('toolbar', { name: 'Selected websites' })
  for (const name of ['Edit…', 'Tags…']) {
    await bar.getByRole('button', { name }).click()
    await expect.element(limit).toBeVisible()
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
    await screen.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(limit).not.toBeInTheDocument()
  }
  await row(all.at(-1)?.domain ?? '').click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Copy domains' }).click()
  await expect
    .element(screen.getByText('You can copy up to 20,000 domains at once. Select fewer websites.'))
    .toBeVisible()
  expect(bridge.requests('copyDomains')).toEqual([])
})

test('does not say that a range is too long if the website where it started was deleted from a list of more than 20,000', async () => {
  const all = websites(25_000)
  const { screen, row, bridge } = await openApp({ websites: all })
  const nth = (n: number) => row(all[n]?.domain ?? '')
  await expect.element(nth(1)).toBeVisible()
  await nth(1).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  bridge.world.websites = all.toSpliced(1, 1)
  bridge.emit('websitesChanged', { keys: [all[1]?.key ?? ''] })
  await expect.element(nth(1)).not.toBeInTheDocument()
  await nth(4).click({ modifiers: ['Shift'] })
  await expect.element(nth(4).element().closest<HTMLElement>('[role=row]')).toHaveAttribute('aria-selected', 'true')
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await expect.element(screen.getByText(/^You can change up to/)).not.toBeInTheDocument()
})

test('no longer counts a deselected website that has stopped matching the filter, and keeps it deselected when it matches again', async () => {
  const { screen, nth, keys, bridge } = await openList(30)
  await keys('/')
  await keys('privacy:private ')
  await expect.element(screen.getByText('10 of 30 websites')).toBeVisible()
  await keys('{ArrowDown}')
  await userEvent.keyboard('{Control>}a{/Control} ')
  await expect.element(screen.getByText('9 selected')).toBeVisible()
  const first = many.find(({ privacy }) => privacy === PRIVACY.private)
  bridge.world.websites = bridge.world.websites.map((one) => (one === first ? { ...one, privacy: 0 } : one))
  bridge.emit('websitesChanged', { keys: [first?.key ?? ''] })
  await expect.element(nth(many.indexOf(first as (typeof many)[number]))).not.toBeInTheDocument()
  await expect.element(screen.getByText('9 selected')).toBeVisible()

  // The website matches the search again, and is still deselected.
  bridge.world.websites = many.slice(0, 30)
  bridge.emit('websitesChanged', { keys: [first?.key ?? ''] })
  await expect.element(nth(many.indexOf(first as (typeof many)[number]))).toBeVisible()
  await expect.element(screen.getByText('9 selected')).toBeVisible()
})

test('a selected website is no longer selected once it has stopped matching the filter', async () => {
  const { screen, nth, box, keys, bridge } = await openList(30)
  await keys('/')
  await keys('privacy:private ')
  await expect.element(screen.getByText('10 of 30 websites')).toBeVisible()
  const [first, second] = many.flatMap(({ privacy }, at) => (privacy === PRIVACY.private ? [at] : []))
  await box(first ?? 0).click()
  await box(second ?? 0).click()
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  bridge.world.websites = bridge.world.websites.map((one, at) => (at === first ? { ...one, privacy: 0 } : one))
  bridge.emit('websitesChanged', { keys: [many[first ?? 0]?.key ?? ''] })
  await expect.element(nth(first ?? 0)).not.toBeInTheDocument()
  await expect.element(screen.getByText('1 selected')).toBeVisible()
})

test('a restored selection leaves out the websites that no longer exist', async () => {
  const bridge = new MemoryBridge({ websites: many.slice(0, 5) })
  const place = { search: '', sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0 } as const
  const list = { ...place, chosen: { all: false, keys: ['w1', 'w2', 'w4000'] } }
  bridge.world.formDrafts = { account: 'northwind', form: null, list, held: false }
  const { screen } = await openApp(bridge)
  await expect.element(screen.getByText('2 selected')).toBeVisible()
})

test('a website that is deleted no longer counts, whether it was selected or was deselected after Ctrl+A', async () => {
  const { screen, nth, box, keys, bridge } = await openList(10)
  const remove = (...indexes: number[]) => {
    const keysOfDeleted = indexes.map((n) => many[n]?.key ?? '')
    bridge.world.websites = bridge.world.websites.filter(({ key }) => !keysOfDeleted.includes(key))
    bridge.emit('websitesChanged', { keys: keysOfDeleted })
  }
  nth(0).element().focus()
  await keys('{Control>}a{/Control}')
  await box(1).click()
  await box(2).click()
  await expect.element(screen.getByText('8 selected')).toBeVisible()
  remove(1, 2)
  await expect.element(nth(1)).not.toBeInTheDocument()
  await expect.element(screen.getByText('8 selected')).toBeVisible()
  await keys('{Escape}')
  await box(3).click()
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  remove(3)
  await expect.element(screen.getByText('1 selected')).not.toBeInTheDocument()

  // While the keys of the list are read, the user selects another website.
  await box(4).click()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('listKeys', async () => {
    await held.promise
    return ok(bridge.world.websites.map(({ key }) => key))
  })
  remove(4)
  await expect.element(nth(4)).not.toBeInTheDocument()
  await box(5).click()
  held.resolve(undefined)
  await expect.element(screen.getByText('1 selected')).toBeVisible()
})

test('counts and changes all selected websites of a list of more than 20,000, except those that are deselected', async () => {
  const all = websites(20_002)
  const { screen, row, keys, bridge } = await openApp({ websites: all })
  const nth = (n: number) => row(all[n]?.domain ?? '')
  await expect.element(nth(0)).toBeVisible()
  ;(nth(0).element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  for (const n of [1, 2, 3]) await nth(n).click({ modifiers: ['Control'] })
  await expect.element(screen.getByText('19,999 selected')).toBeVisible()
  bridge.world.websites = all.toSpliced(1, 1)
  bridge.emit('websitesChanged', { keys: [all[1]?.key ?? ''] })
  await expect.element(nth(1)).not.toBeInTheDocument()
  await expect.element(screen.getByText('19,999 selected')).toBeVisible()
  await screen.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Edit…' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Edit 19,999 websites' })).toBeVisible()
})

test('Ctrl+A selects all matching websites, except those that are deselected', async () => {
  const { screen, nth, keys, chosen } = await openList()
  await keys('/')
  await keys('lumen')
  await expect.element(screen.getByText(/^833 of 5,000 websites$/)).toBeVisible()
  await keys('{ArrowDown}')
  await userEvent.keyboard('{Control>}a{/Control}')
  await expect.element(screen.getByText('833 selected')).toBeVisible()
  await keys('{ArrowDown} ')
  await expect.element(screen.getByText('832 selected')).toBeVisible()
  expect(chosen()).not.toContain(1)
  await keys('/')
  await keys('x')
  await expect.element(screen.getByText(/selected$/)).not.toBeInTheDocument()
  await keys('{Escape}')
  await expect.element(nth(0)).toBeVisible()
  expect(chosen()).toEqual([])
})

test('deletes the selected websites after a question, and undoes that as one', async () => {
  const { screen, nth, keys, bridge } = await openList(40)
  nth(0).element().focus()
  await keys('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await screen.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Delete…' }).click()
  const question = screen.getByRole('alertdialog', { name: 'Delete 3 websites?' })
  await expect.element(question.getByText(/permanently deletes/)).toBeVisible()
  await expect
    .poll(() =>
      question
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(many.slice(0, 3).map(({ domain }) => domain))
  await expectAccessible()
  await question.getByRole('button', { name: 'Delete 3 websites', exact: true }).click()
  await expect.element(screen.getByText('3 websites will be deleted.')).toBeVisible()
  expect(bridge.requests('bulkDelete')).toEqual([{ keys: many.slice(0, 3).map(({ key }) => key) }])
  await expect.element(screen.getByText('3 selected')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
})

test('reports to main that the window must stay open while the question about a bulk delete is open', async () => {
  const { screen, nth, keys, bridge } = await openList(40)
  const held = () => expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held)
  nth(0).element().focus()
  await keys('{Shift>}{ArrowDown}{/Shift}')
  await held().toBe(false)
  await screen.getByRole('button', { name: 'Delete…' }).click()
  await held().toBe(true)
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await held().toBe(false)
})

test.each([
  { codes: ['website-gone', 'website-gone'], text: '2 websites were already deleted, here or on the service.' },
  { codes: ['storage', 'storage'], text: /^Couldn’t delete 2 websites\. Couldn’t read or write Siteward’s data/ },
  {
    codes: ['website-gone', 'storage'],
    text: /^1 website was already deleted, here or on the service\. Couldn’t delete 1 website\. Couldn’t read or write/,
  },
] as const)('says why websites were not deleted: $codes', async ({ codes, text }) => {
  const { screen, bridge, keys, nth } = await openList(40)
  const refused = codes.map((code, at) => ({
    key: `w${String(at)}`,
    domain: many[at]?.domain ?? '',
    error: fail(code).error,
  }))
  bridge.answer('bulkDelete', () => ok({ bulkChange: 'batch', changed: 0, same: 0, refused, unknown: [] }))
  nth(0).element().focus()
  await keys('{Shift>}{ArrowDown}{/Shift}')
  await screen.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Delete…' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 websites', exact: true }).click()
  await expect.element(screen.getByText(text)).toBeVisible()
})

test('refuses to delete more than a thousand at once, before anything is deleted', async () => {
  const { screen, nth, keys, bridge } = await openList()
  nth(0).element().focus()
  await userEvent.keyboard('{Control>}a{/Control}')
  await screen.getByRole('button', { name: 'Delete…' }).click()
  await expect
    .element(screen.getByText('You can delete up to 1,000 websites at once. Select fewer websites.'))
    .toBeVisible()
  await keys('{Escape}')
  expect(bridge.requests('bulkDelete')).toEqual([])
})

test('after a click on a checkbox, keys act on its row: Escape clears the selection, and / opens the search', async () => {
  const { screen, nth, box, keys } = await openList(40)
  await box(2).click()
  await expect.element(nth(2)).toHaveFocus()
  await keys('{ArrowDown} ')
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  await keys('{Escape}')
  await expect.element(screen.getByText(/selected$/)).not.toBeInTheDocument()
  await box(4).click()
  ;(screen.getByRole('button', { name: 'Delete…' }).element() as HTMLElement).focus()
  await keys('{Escape}')
  await expect.element(screen.getByText(/selected$/)).not.toBeInTheDocument()
  await expect.element(nth(4)).toHaveFocus()
  await keys('/')
  await expect.element(screen.getByRole('combobox', { name: 'Search websites' })).toHaveFocus()
})

test.each([[1180], [480]])(
  'selecting a row moves nothing in a window %i wide, which stays accessible',
  async (width) => {
    await page.viewport(width, 700)
    const { box, nth, screen } = await openList(40)
    const top = nth(0).element().getBoundingClientRect().top
    await box(1).click()
    await expect.element(screen.getByText('1 selected')).toBeVisible()
    expect(nth(0).element().getBoundingClientRect().top).toBe(top)
    expect(document.documentElement.scrollWidth).toBe(width)
    await expectAccessible()
  },
)

test('the export button has the same place with and without a selection', async () => {
  for (const width of [1180, 480]) {
    await page.viewport(width, 740)
    const { screen, keys, row } = await openApp({ websites: websites(5) })
    await expect.element(row('harbour-bakery.example')).toBeVisible()
    const place = (name: string) => {
      const { right, top } = screen.getByRole('button', { name }).element().getBoundingClientRect()
      return { right: Math.round(right), top: Math.round(top) }
    }
    const before = place('Export the list')
    ;(row('harbour-bakery.example').element() as HTMLElement).focus()
    await keys(' ')
    await expect.element(screen.getByText('1 selected')).toBeVisible()
    expect(place('Export the selected websites')).toEqual(before)
    await screen.unmount()
  }
})
