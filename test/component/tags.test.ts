import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { Tag } from '../../src/shared/local-data.ts'
import { fail, ok } from '../../src/shared/result.ts'
import type { SavedView } from '../../src/shared/saved-view.ts'
import { MAX_TAGS } from '../../src/shared/tags.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aBulkChange, aConnection, LATER, websites } from './support/fixtures.ts'
import { tabTo } from './support/tab-to.ts'

beforeEach(() => page.viewport(1180, 900))

const clientA: Tag = { name: 'client-a', colour: 'red' }
const later: Tag = { name: 'Later', colour: 'blue' }
const tagged = websites(6).map((website, n) => ({
  ...website,
  ...(n < 2 && { tags: ['client-a'] }),
  ...(n === 0 && { note: 'Invoice in May' }),
}))

/** Opens the list of websites. `name`, `box` and `button` are controls of the dialog about tags. */
async function opened(tags: Tag[] = [clientA, later], list: typeof tagged = tagged, views: SavedView[] = []) {
  const app = await openApp({ websites: list, tags, views })
  const { screen, row } = app
  await expect.element(screen.getByRole('columnheader', { name: 'Domain' })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: /^Tags/ })
  const name = dialog.getByRole('textbox', { name: /New tag|Tag name/ })
  const box = (tag: string) => dialog.getByRole('checkbox', { name: tag })
  const button = (label: string) => dialog.getByRole('button', { name: label, exact: true })
  const rowMenu = async (domain: string, item: string) => {
    await row(domain).click({ button: 'right' })
    await screen.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const [first = '', second = '', third = ''] = list.map(({ domain }) => domain)
  return { ...app, dialog, name, box, button, rowMenu, first, second, third }
}

test('makes the first tag and a note of a website, and shows them in the list and the editor', async () => {
  const { screen, dialog, name, keys, button, rowMenu, first, row, bridge, form } = await opened([], websites(3))
  await expect.element(screen.getByRole('columnheader', { name: 'Tags' })).not.toBeInTheDocument()
  await row(first).click()
  await expect.element(form().form).toBeVisible()
  await expect.element(screen.getByRole('region', { name: 'Tags and note' })).not.toBeInTheDocument()
  await rowMenu(first, 'Tags and note…')
  await expect.element(dialog).toBeVisible()
  await expectAccessible()
  await name.fill('client-a')
  await dialog.getByRole('combobox', { name: 'Color' }).selectOptions('Green')
  ;(name.element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(dialog.getByRole('checkbox', { name: 'client-a' })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Invoice in May')
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('saveTag')).toEqual([{ was: null, name: 'client-a', colour: 'green' }])
  await expect.element(screen.getByRole('columnheader', { name: 'Tags' })).toBeVisible()
  await expect
    .element(screen.getByRole('region', { name: 'Tags and note' }))
    .toHaveTextContent('client-a Invoice in May')
  await expectAccessible()
})

test('adds a tag to the selected websites and removes it again, and leaves a tag alone that only some of them have', async () => {
  const { screen, dialog, box, button, keys, bridge, row, first } = await opened()
  ;(row(first).element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  await screen.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Tags…' }).click()
  await expect.element(dialog).toBeVisible()
  await expect.poll(() => (box('client-a').element() as HTMLInputElement).indeterminate).toBe(true)
  await expectAccessible()
  await box('Later').click()
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('assignTags')).toMatchObject([{ add: ['Later'], remove: [] }])
  expect(bridge.world.websites.map(({ tags }) => tags?.length)).toEqual([2, 2, 1, 1, 1, 1])
  await keys('{Control>}k{/Control}')
  await page.getByRole('dialog').getByRole('combobox').fill('Set the tags')
  await keys('{Enter}')
  await box('Later').click()
  await button('Save').click()
  await expect.poll(() => bridge.world.websites.map(({ tags }) => tags?.length ?? 0)).toEqual([1, 1, 0, 0, 0, 0])
})

test('the list of a tag shows its websites after the deletion of the tag is undone', async () => {
  const view = { sortBy: 'id', sort: 'desc', columns: [] } as const
  const ofTag: SavedView = { ...view, id: 'v1', name: 'Client A', search: 'tag:client-a', columns: [] }
  const { button, keys, first, rowMenu, screen } = await opened([clientA, later], tagged, [ofTag])
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await button('Delete…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await button('Cancel').last().click()
  await screen.getByRole('button', { name: 'Client A', exact: true }).click()
  await expect.element(screen.getByText('“tag:client-a” isn’t a valid filter')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
})

test('Ctrl+Z after a change of tags undoes that change and not an earlier bulk change, also if the clock was set back, and restores a deleted tag', async () => {
  const { dialog, box, button, keys, bridge, row, first, rowMenu, screen } = await opened()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  bridge.setState({ bulkChange: aBulkChange({ canUndo: true, order: LATER }), lastOrder: LATER })
  const tagsOf = () => bridge.world.websites.map(({ tags }) => tags?.length ?? 0)
  ;(row(first).element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  await screen.getByRole('toolbar', { name: 'Selected websites' }).getByRole('button', { name: 'Tags…' }).click()
  await box('Later').click()
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(toasts.getByText('The tags for 6 websites were saved.')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(toasts.getByText('The tags for 6 websites were restored.')).toBeVisible()
  expect(tagsOf()).toEqual([1, 1, 0, 0, 0, 0])
  await rowMenu(first, 'Tags…')
  await button('Edit tag client-a').click()
  await button('Delete…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(tagsOf).toEqual([0, 0, 0, 0, 0, 0])
  await expect.element(page.getByText('The tag “client-a” was deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(tagsOf).toEqual([1, 1, 0, 0, 0, 0])
  expect(bridge.requests('saveTag')).toEqual([])
  expect(bridge.requests('undoBulk')).toEqual([])
})

test('says that the tags and the note were saved only when both are, and then undoes both', async () => {
  const { rowMenu, first, box, button, dialog, bridge, screen } = await opened()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await rowMenu(first, 'Tags and note…')
  await box('Later').click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('To do')
  bridge.answer('setNote', () => fail('disk-full'))
  await button('Save').click()
  await expect.element(dialog.getByText(/The disk is full/)).toBeVisible()
  await expect.element(toasts.getByText(/saved\.$/)).not.toBeInTheDocument()
  bridge.answer('setNote', () => ok(99))
  await button('Save').click()
  await expect.element(toasts.getByText(`The tags and the note for ${first} were saved.`)).toBeVisible()
  bridge.answer('undoTags', () => ok(1))
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect
    .element(toasts.getByText(`The note for ${first} was restored. The tags for ${first} were restored.`))
    .toBeVisible()
  expect(bridge.requests('undoTags').map(({ change }) => change)).toEqual([99, expect.any(Number)])
})

test('offers to undo the note alone, and the renaming of a tag alone, if both were saved in the dialog', async () => {
  const { rowMenu, first, name, button, dialog, bridge, keys, screen } = await opened()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await name.fill('client-b')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('To do')
  await button('Save').click()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toasts.getByText('The tag “client-b” was saved.')).toBeVisible()
  await expect.element(toasts.getByText(`The note for ${first} was saved.`)).toBeVisible()
  const tags = () => bridge.world.tags.map((tag) => tag.name)
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoTags')).toHaveLength(1)
  await expect.element(toasts.getByText(`The note for ${first} was restored.`)).toBeVisible()
  expect(tags()).toContain('client-b')
  await keys('{Control>}z{/Control}')
  await expect.poll(tags).toContain('client-a')
})

test('removes a tag again that was stored without the note, if it is deselected and the note is given up', async () => {
  const { rowMenu, third, box, button, dialog, bridge } = await opened()
  await rowMenu(third, 'Tags and note…')
  await box('Later').click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('To do')
  bridge.answer('setNote', () => fail('disk-full'))
  await button('Save').click()
  await expect.element(dialog.getByText(/The disk is full/)).toBeVisible()
  expect(bridge.world.websites[2]?.tags).toEqual(['Later'])
  await box('Later').click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('')
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.world.websites[2]?.tags ?? []).toEqual([])
})

test('websites that are selected in the list of a tag are no longer selected once the tag is deleted', async () => {
  const { screen, keys, first, row, rowMenu, button } = await opened()
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('tag:client-a ')
  await expect.element(screen.getByText('2 of 6 websites')).toBeVisible()
  ;(row(first).element() as HTMLElement).focus()
  await keys(' ')
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await button('Delete…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('The tag “client-a” was deleted.')).toBeVisible()
  await expect.element(screen.getByText('1 selected')).not.toBeInTheDocument()
})

test('if tags were stored but the note was not, Cancel reads the list again and offers to undo all the tags', async () => {
  const { rowMenu, second, box, button, dialog, bridge, screen } = await opened()
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await rowMenu(second, 'Tags and note…')
  bridge.answer('setNote', () => fail('disk-full'))
  await dialog.getByRole('textbox', { name: 'Note' }).fill('To do')
  for (const tag of ['Later', 'client-a']) {
    await box(tag).click()
    await button('Save').click()
    await expect.element(dialog.getByText(/The disk is full/)).toBeVisible()
  }
  const read = bridge.requests('listWebsites').length
  await button('Cancel').click()
  await expect.element(toasts.getByText(/^The tags for .* were saved\.$/)).toBeVisible()
  await expect.poll(() => bridge.requests('listWebsites').length).toBeGreaterThan(read)
  await toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.element(toasts.getByText(`The tags for ${second} were restored.`)).toBeVisible()
  expect(bridge.world.websites[1]?.tags).toEqual(['client-a'])
})

test('Ctrl+Z undoes a new tag with its assignment, then the renaming of another tag, and changes no website of the service', async () => {
  const { screen, rowMenu, first, second, name, box, button, dialog, keys, bridge } = await opened()
  bridge.setState({ bulkChange: aBulkChange({ canUndo: true }) })
  const toasts = screen.getByRole('region', { name: 'Messages' })
  const tags = () => bridge.world.tags.map((tag) => tag.name)
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('tag:client-a ')
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await name.fill('Client B')
  await button('Save tag').click()
  await expect.element(box('Client B')).toBeVisible()
  await button('Cancel').click()
  await expect.element(toasts.getByText('The tag “Client B” was saved.')).toBeVisible()
  await rowMenu(second, 'Tags and note…')
  await name.fill('New')
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.world.websites[1]?.tags).toEqual(['Client B', 'New'])
  await keys('{Control>}z{/Control}')
  await expect.poll(tags).not.toContain('New')
  await expect.element(toasts.getByText('The tag “New” was deleted.', { exact: false })).toBeVisible()
  expect(bridge.world.websites[1]?.tags).toEqual(['Client B'])
  await keys('{Control>}z{/Control}')
  await expect.poll(tags).toContain('client-a')
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3')
  expect(bridge.requests('undoBulk')).toEqual([])
  await expect.element(toasts.getByText('The tag “client-a” was restored.')).toBeVisible()
})

test('Ctrl+Z undoes the deletion of a tag together with the renaming before it, and the undo of a new tag keeps the tag on another website', async () => {
  const { screen, rowMenu, first, second, name, box, button, keys, bridge } = await opened()
  const tags = () => bridge.world.tags.map((tag) => tag.name).toSorted()
  const before = tags()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await name.fill('Client B')
  await button('Save tag').click()
  await button('Edit tag Client B').click()
  await button('Delete…').click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(box('Client B')).not.toBeInTheDocument()
  await button('Cancel').click()
  await expect.element(screen.getByText('The tag “Client B” was saved.')).not.toBeInTheDocument()
  await keys('{Control>}z{/Control}')
  await expect.poll(tags).toEqual(before)
  await rowMenu(first, 'Tags and note…')
  await name.fill('New')
  await button('Save').click()
  await expect.poll(() => bridge.world.websites[0]?.tags).toContain('New')
  await rowMenu(second, 'Tags and note…')
  await box('New').click()
  await button('Save').click()
  await expect.poll(() => bridge.world.websites[1]?.tags).toContain('New')
  await screen.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect.poll(() => bridge.world.websites[0]?.tags).not.toContain('New')
  expect(bridge.world.websites[1]?.tags).toContain('New')
})

test('Escape while a tag is edited closes the fields of the tag, and the dialog only when pressed again', async () => {
  const { rowMenu, first, button, name, keys, dialog } = await opened()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await expect.element(name).toHaveValue('client-a')
  await keys('{Escape}')
  await expect.element(dialog.getByRole('textbox', { name: 'New tag' })).toHaveFocus()
  await expect.element(name).toHaveValue('')
  await keys('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('offers the undo of a deleted tag again if the disk was full', async () => {
  const { rowMenu, first, button, bridge } = await opened()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await button('Delete…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  bridge.answer('undoTags', () => fail('disk-full'))
  await undo.click()
  await expect.element(page.getByText(/The disk is full/)).toBeVisible()
  bridge.answer('undoTags', () => ok(3))
  await undo.click()
  await expect.element(page.getByText('The tag “client-a” was restored.')).toBeVisible()
  const [request] = bridge.requests('undoTags')
  expect(bridge.requests('undoTags')).toEqual([request, request])
})

test('two changes of tags with the same message can both be undone', async () => {
  const { dialog, box, button, bridge, first, rowMenu, screen } = await opened()
  const tagsOf = () => bridge.world.websites[0]?.tags
  for (const tag of ['Later', 'client-a']) {
    await rowMenu(first, 'Tags and note…')
    await box(tag).click()
    await button('Save').click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
  expect(tagsOf()).toEqual(['Later'])
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toasts.getByText(`The tags for ${first} were saved.`)).toHaveLength(2)
  const undo = toasts.getByRole('button', { name: 'Undo', exact: true })
  await undo.nth(1).click()
  await expect.poll(tagsOf).toEqual(['client-a', 'Later'])
  await undo.click()
  await expect.poll(tagsOf).toEqual(['client-a'])
})

test('a tag can have the name of a property that every object has', async () => {
  const { rowMenu, first, box, button, dialog, bridge } = await opened(
    [{ name: 'constructor', colour: 'red' }],
    websites(3),
  )
  await rowMenu(first, 'Tags and note…')
  await expect.element(box('constructor')).not.toBeChecked()
  await box('constructor').click()
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.world.websites[0]?.tags).toEqual(['constructor'])
  await rowMenu(first, 'Tags and note…')
  await expect.element(box('constructor')).toBeChecked()
})

test('filters by tag and note, typed and chosen', async () => {
  const { screen, keys } = await opened()
  const rows = () => expect.element(page.getByRole('grid'))
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await search.fill('tag:CLIENT-A ')
  await rows().toHaveAttribute('aria-rowcount', '3')
  await expect.element(screen.getByRole('list', { name: 'Active filters' }).getByText(/client-a/)).toBeVisible()
  await search.fill('note:invoice ')
  await rows().toHaveAttribute('aria-rowcount', '2')
  await search.fill('tag:unknown ')
  await expect.element(screen.getByText(/^After “tag:”, enter the name of one of your tags\./)).toBeVisible()
  await search.fill('')
  await screen.getByRole('button', { name: /^Filter/ }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Clear filters' }).click()
  await panel.getByRole('combobox', { name: 'Tag' }).selectOptions('client-a')
  await rows().toHaveAttribute('aria-rowcount', '3')
  await panel.getByRole('textbox', { name: 'Note' }).fill('May')
  await keys('{Tab}')
  await rows().toHaveAttribute('aria-rowcount', '2')
  await expectAccessible()
})

test('the panel of the Filter button shows several filters with one name, and “Any” removes them', async () => {
  const { screen } = await opened()
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await search.fill('tag:client-a -tag:later note:May note:invoice ip:10.0.0.1 -ip:10.0.0.2 ')
  await screen.getByRole('button', { name: 'Filter (6 active)' }).click()
  const panel = page.getByRole('dialog')
  const tag = panel.getByRole('combobox', { name: 'Tag' })
  await expect.element(tag).toHaveDisplayValue(/^Tag: .*client-a.* and Tag: not .*Later/)
  const placeholder = (name: string) => (panel.getByRole('textbox', { name }).element() as HTMLInputElement).placeholder
  expect(placeholder('Note')).toMatch(/^Note: .*May.* and Note: .*invoice/)
  expect(placeholder('Excludes IP address')).toMatch(
    /^Excluded IPs: .*10\.0\.0\.1.* and Excluded IPs: not .*10\.0\.0\.2/,
  )
  await expectAccessible()
  await tag.selectOptions('Any')
  await expect.element(tag).toHaveDisplayValue('Any')
  await expect.element(screen.getByRole('button', { name: 'Filter (4 active)' })).toBeVisible()
  expect([...tag.element().querySelectorAll('option')].map(({ label }) => label)).toEqual(['Any', 'client-a', 'Later'])
})

test('says at the name of a tag what is wrong with it, keeps the input, and asks before the input is lost', async () => {
  const { dialog, name, box, button, rowMenu, first, keys, bridge } = await opened()
  await rowMenu(first, 'Tags and note…')
  for (const [typed, text] of [
    ['LATER', 'A tag with this name already exists.'],
    ['a, b', /^Enter at most 40 characters/],
    ['n'.repeat(41), /^Enter at most 40 characters/],
    ['n'.repeat(1001), /^Enter at most 40 characters/],
  ] as const) {
    await name.fill(typed)
    await button('Save').click()
    await expect.element(dialog.getByText(text)).toBeVisible()
    await expect.element(name).toHaveAttribute('aria-invalid', 'true')
    await expect.element(name).toHaveFocus()
  }
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'Discard' }).or(page.getByRole('alertdialog'))).toBeVisible()
  await keys('{Escape}')
  await name.fill('')
  await box('Later').click()
  bridge.answer('assignTags', () => fail('disk-full'))
  await button('Save').click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(box('Later')).toBeChecked()
})

test('shows a hundred tags, which can be scrolled and chosen, and no more can be made', async () => {
  const many = Array.from({ length: MAX_TAGS }, (_, n): Tag => ({ name: `tag-${n}`.padEnd(40, 'x'), colour: 'teal' }))
  const { dialog, box, button, rowMenu, name, first, bridge } = await opened(many, websites(3))
  await rowMenu(first, 'Tags and note…')
  const last = many.at(-1)?.name ?? ''
  await expect.element(dialog.getByRole('checkbox').nth(MAX_TAGS - 1)).toBeInTheDocument()
  expect(dialog.getByRole('checkbox').elements()).toHaveLength(MAX_TAGS)
  await expectAccessible()
  await name.fill('one more')
  await button('Add tag').click()
  await expect.element(dialog.getByText('You can have at most 100 tags.')).toBeVisible()
  await name.fill('')
  await box(last).click()
  await button('Save').click()
  await expect.poll(() => bridge.requests('assignTags')).toMatchObject([{ add: [last], remove: [] }])
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
})

test('reports to main that the window must stay open while the dialog “Tags and note” has unsaved text', async () => {
  const { dialog, rowMenu, first, button, bridge } = await opened()
  const held = () => expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held ?? false)
  await rowMenu(first, 'Tags and note…')
  await expect.element(dialog).toBeVisible()
  await held().toBe(false)
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Invoice in June')
  await held().toBe(true)
  await button('Save').click()
  await held().toBe(false)
})

test('renames a tag, and deletes one after a question', async () => {
  const { screen, dialog, name, button, rowMenu, first, bridge } = await opened()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await expect.element(name).toHaveValue('client-a')
  await name.fill('client-b')
  await button('Save tag').click()
  await expect.element(dialog.getByRole('checkbox', { name: 'client-b' })).toBeChecked()
  expect(bridge.world.websites.slice(0, 2).map(({ tags }) => tags)).toEqual([['client-b'], ['client-b']])
  await button('Edit tag Later').click()
  await button('Delete…').click()
  await expectAccessible()
  await screen.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'Later' })).not.toBeInTheDocument()
  expect(bridge.world.tags).toEqual([{ name: 'client-b', colour: 'red' }])
})

test('closes the question before a tag is deleted when another account is shown, which may have a tag of the same name', async () => {
  const { screen, button, rowMenu, first, bridge } = await opened()
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag Later').click()
  await button('Delete…').click()
  const question = screen.getByRole('alertdialog')
  await expect.element(question).toBeVisible()
  bridge.setState({ connection: aConnection({ id: 'another' }) })
  await expect.element(question).not.toBeInTheDocument()
})

test('chooses, renames and deletes tags, and saves, by the keyboard', async () => {
  const { screen, dialog, name, box, button, rowMenu, first, keys, bridge } = await opened()
  await rowMenu(first, 'Tags and note…')
  await tabTo(box('client-a'))
  await keys(' ')
  await tabTo(button('Edit tag client-a'))
  await keys('{Enter}')
  await expect.element(name).toHaveValue('client-a')
  await tabTo(name)
  await keys('{Control>}a{/Control}client-b{Enter}')
  await expect.element(box('client-b')).not.toBeChecked()
  await tabTo(button('Edit tag Later'))
  await keys('{Enter}')
  await tabTo(button('Delete…'))
  await keys('{Enter}')
  await tabTo(screen.getByRole('button', { name: 'Delete', exact: true }))
  await keys('{Enter}')
  await expect.element(box('Later')).not.toBeInTheDocument()
  await tabTo(button('Save'))
  await keys('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.world.tags).toEqual([{ name: 'client-b', colour: 'red' }])
  expect(bridge.world.websites.slice(0, 2).map(({ tags = [] }) => tags)).toEqual([[], ['client-b']])
})

test('a renamed tag is renamed in the search and the open view, and a deleted tag becomes an unknown one in the search', async () => {
  const view: SavedView = {
    ...{ id: 'v', name: 'Client', search: 'tag:client-a', sortBy: 'domain', sort: 'asc', columns: ['tags'] },
  }
  const { screen, dialog, name, button, rowMenu, first, keys } = await opened(undefined, undefined, [view])
  const openView = () =>
    screen.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Client', exact: true })
  await openView().click()
  const rows = () => expect.element(page.getByRole('grid'))
  await rows().toHaveAttribute('aria-rowcount', '3')
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag client-a').click()
  await name.fill('Client B')
  await button('Save tag').click()
  await button('Cancel').click()
  await expect.element(dialog).not.toBeInTheDocument()
  const chips = screen.getByRole('list', { name: 'Active filters' })
  await expect.element(chips.getByText(/Client B/)).toBeVisible()
  await rows().toHaveAttribute('aria-rowcount', '3')
  // Saving the tag has renamed it in the view and in the search, so the view has no changes to save.
  await screen.getByRole('button', { name: 'View', exact: true }).click()
  await expect.element(screen.getByRole('menuitem', { name: /^Save changes/ })).not.toBeInTheDocument()
  await keys('{Escape}')
  await rowMenu(first, 'Tags and note…')
  await button('Edit tag Client B').click()
  await button('Delete…').click()
  await screen.getByRole('button', { name: 'Delete', exact: true }).click()
  await button('Cancel').click()
  await expect.element(screen.getByText(/^After “tag:”, enter the name of one of your tags\./)).toBeVisible()
  await expect.element(openView()).toHaveAttribute('aria-current', 'page')
})

test('says that only the note was saved if no tag was changed', async () => {
  const { screen, dialog, button, rowMenu, first } = await opened()
  await rowMenu(first, 'Tags and note…')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Invoice in June')
  await button('Save').click()
  await expect.element(screen.getByText(`The note for ${first} was saved.`)).toBeVisible()
})

test('the first tag has the focus when the dialog opens', async () => {
  const { box, rowMenu, first } = await opened()
  await rowMenu(first, 'Tags and note…')
  await expect.element(box('client-a')).toHaveFocus()
})

test('a name that is typed on the checkbox of a tag is that of a new tag', async () => {
  const { rowMenu, third, box, name, keys, dialog, bridge } = await opened()
  await rowMenu(third, 'Tags and note…')
  await expect.element(box('client-a')).toHaveFocus()
  await keys(' {Control>}b{/Control}')
  await expect.element(box('client-a')).toBeChecked()
  await expect.element(box('client-a')).toHaveFocus()
  await keys('Urgent')
  await expect.element(name).toHaveValue('Urgent')
  await keys('{Enter}')
  await expect.element(box('Urgent')).toBeChecked()
  await expect.element(dialog).toBeVisible()
  expect(bridge.requests('assignTags')).toEqual([])
})

test('a letter that is typed on a checkbox doesn’t rename the tag that is being edited', async () => {
  const { rowMenu, third, box, button, name, keys } = await opened()
  await rowMenu(third, 'Tags and note…')
  await button('Edit tag client-a').click()
  ;(box('Later').element() as HTMLElement).focus()
  await keys('new')
  await expect.element(box('Later')).toHaveFocus()
  await expect.element(name).toHaveValue('client-a')
})

test('the note has the font of other texts', async () => {
  const { dialog, name, rowMenu, first } = await opened()
  await rowMenu(first, 'Tags and note…')
  const fontOf = (element: Element) => getComputedStyle(element).fontFamily
  expect(fontOf(dialog.getByRole('textbox', { name: 'Note' }).element())).toBe(fontOf(name.element()))
})
