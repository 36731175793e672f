import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok, type Result } from '../../src/shared/result.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp, openWebsite } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aHistoryEntry, anAppState, anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const [first, second] = ['kestrel-press.example', 'harbour-bakery.example'] as const

/** Saves a change of a website. Main answers the save only when the test says so. */
async function saving() {
  const app = await openApp({ websites: [aWebsite(), aWebsite({ key: 'w2', domain: second })] })
  const ways: ((answer: Result<WebsiteView>) => void)[] = []
  app.bridge.answer('updateWebsite', () => new Promise((resolve) => ways.push(resolve)))
  await app.row(first).click()
  const form = app.form()
  await form.email.click()
  await app.keys('{Control>}{Enter}{/Control}')
  await expect.poll(() => ways.length).toBe(1)
  const saved = (change: Partial<WebsiteView> = {}) => {
    const website = aWebsite({ email: true, state: 'changed', pending: ['email'], ...change })
    app.bridge.world.websites = app.bridge.world.websites.map((each) => (each.key === website.key ? website : each))
    return ok(website)
  }
  const dialog = app.screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  const end = (answer: Result<WebsiteView>) => ways.shift()?.(answer)
  return { ...app, fields: form, dialog, saved, end, ways }
}

test('Escape during a save closes the form without a question as soon as it is saved', async () => {
  const { fields, keys, dialog, saved, end } = await saving()
  await keys('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  end(saved())
  await expect.element(fields.form).not.toBeInTheDocument()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('as soon as the form is saved, opens the website that the user chose last during the save', async () => {
  const { fields, keys, row, saved, end } = await saving()
  await keys('{Escape}')
  await row(second).click()
  end(saved())
  await expect.element(fields.domain).toHaveValue(second)
})

test('a form that is left during a save stays open with the input and the reason if the save fails', async () => {
  const { fields, keys, dialog, end } = await saving()
  await keys('{Escape}')
  end(fail('disk-full'))
  await expect.element(fields.form).toMatchTextContent(/The disk is full/)
  await expect.element(fields.email).toBeChecked()
  await expect.element(dialog).not.toBeInTheDocument()
  await keys('{Escape}')
  await expect.element(dialog).toBeVisible()
})

test('asks about text that was typed during a save, and keeps it', async () => {
  const { fields, keys, dialog, saved, end } = await saving()
  await fields.params.fill('ref')
  await keys('{Escape}')
  end(saved())
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(fields.params).toHaveValue('ref')
  await expect.element(fields.email).toBeChecked()
})

test('sends the old value of a field again if the user sets the field back while its change is being saved', async () => {
  const { fields, bridge, keys, saved, end, ways } = await saving()
  await fields.email.click()
  const answer = saved()
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(fields.email).not.toBeChecked()
  end(answer)
  await expect.element(fields.email).not.toBeChecked()
  await keys('{Control>}{Enter}{/Control}')
  await expect.poll(() => ways.length).toBe(1)
  expect(bridge.requests('updateWebsite').map(({ changes }) => changes)).toEqual([{ email: true }, { email: false }])
})

test('a save that is requested during another save sends only the text that was typed after the first', async () => {
  const { fields, bridge, keys, saved, end, ways } = await saving()
  await fields.params.fill('ref')
  // The first save already includes all of the typed text.
  await keys('{Control>}s{/Control}')
  end(saved())
  await expect.poll(() => ways.length).toBe(1)
  expect(bridge.requests('updateWebsite').at(-1)?.changes).toEqual({ exclude_params: ['ref'] })
})

test('a save in progress can’t be canceled', async () => {
  const { fields, saved, end } = await saving()
  await expect.element(fields.button('Cancel')).toHaveAttribute('aria-disabled', 'true')
  end(saved())
  await expect.element(fields.button('Close').last()).not.toHaveAttribute('aria-disabled')
})

test('keeps the text on disk until it is saved, in case the app ends during a save', async () => {
  const { fields, bridge, saved, end } = await saving()
  const typed = () => bridge.requests('keepFormDrafts').at(-1)?.form?.typed
  await fields.params.fill('ref')
  await expect.poll(typed).toEqual({ email: true, exclude_params: 'ref' })
  end(saved())
  await expect.poll(typed).toEqual({ exclude_params: 'ref' })
})

test('“Save” in the question before leaving shows the invalid field or the error, also from another screen', async () => {
  const app = await openApp({ state: anAppState({ others: [{ name: 'Studio Nord' }] }) })
  const { screen, bridge, keys, goTo } = app
  const dialog = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await screen.getByRole('button', { name: 'Add website' }).first().click()
  const form = app.form()
  await form.domain.fill('not a domain')
  await goTo('Pending')
  await keys('{Control>}{Alt>}2{/Alt}{/Control}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.domain).toHaveFocus()
  await expect.element(form.domain).toHaveAccessibleDescription(/isn’t a valid domain/)

  bridge.answer('createWebsite', () => fail('disk-full'))
  await form.domain.fill('harbour-bakery.example')
  await goTo('Pending')
  await keys('{Control>}{Alt>}2{/Alt}{/Control}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.form).toMatchTextContent(/The disk is full/)
  expect(bridge.requests('switchConnection')).toEqual([])
})

test('“Save” in the question before leaving shows the invalid field behind the history', async () => {
  const { screen, bridge, keys, form } = await openWebsite()
  bridge.answer('updateWebsite', () => fail('invalid-input', { fields: { exclude_ips: ['too long'] } }))
  await form().ips.fill('192.0.2.1')
  await screen.getByRole('tab', { name: 'History' }).click()
  await keys('{Escape}')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await expect.element(form().ips).toHaveFocus()
  await expect.element(form().ips).toHaveAccessibleDescription(/too long/)
})

test.each([
  ['pending', { edits: [anEdit({ website: 'w1', domain: first })] }, 'undoEdit'],
  ['sent', { history: [aHistoryEntry({ website: 'w1', domain: first })] }, 'revertEdit'],
] as const)(
  'after Ctrl+Z has undone a save that is %s, the editor says “Saved” no more and has no Undo button, which would undo an earlier save',
  async (_, world, undo) => {
    const { bridge, form, keys } = await openWebsite()
    const f = form()
    await f.email.click()
    await keys('{Control>}{Enter}{/Control}')
    await expect.element(f.button('Undo')).toBeVisible()
    Object.assign(bridge.world, world)
    await keys('{Control>}z{/Control}')
    await expect.poll(() => bridge.requests(undo)).toHaveLength(1)
    await expect.element(f.button('Undo')).not.toBeInTheDocument()
    await expect.element(f.form.getByText(/^Saved\./)).not.toBeInTheDocument()
  },
)

test.each([
  [1180, 740],
  [480, 480],
])('an error of a save is visible above Save in a window of %i × %i pixels, also in the history', async (...size) => {
  await page.viewport(...size)
  const { screen, fields, keys, end } = await saving()
  const save = fields.button('Save')
  ;(save.element() as HTMLElement).focus()
  end(fail('keychain-locked'))
  const error = fields.form.getByRole('alert')
  await expect.element(error).toMatchTextContent('The keychain is locked. Unlock it, then try again.')
  await expect.element(error).toBeInViewport({ ratio: 1 })
  await expect.element(save).toBeInViewport({ ratio: 1 })
  await expect.element(save).toHaveFocus()
  await expectAccessible()
  await screen.getByRole('tab', { name: 'History' }).click()
  await keys('{Control>}s{/Control}')
  await expect.element(error).not.toBeInTheDocument()
  end(fail('keychain-locked'))
  await expect.element(error).toBeInViewport({ ratio: 1 })
})
