import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { HistoryEntry } from '../../src/shared/edit.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aHistoryEntry, anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'moss-and-stone.example'

async function openHistory(...history: HistoryEntry[]) {
  const app = await openApp({ history })
  await app.goTo('Pending')
  await app.screen.getByRole('tab', { name: 'Sent changes' }).click()
  const item = app.screen.getByRole('list', { name: 'Sent changes' }).getByRole('listitem')
  return { ...app, item, dialog: app.screen.getByRole('alertdialog') }
}

test('shows sent changes with the values before', async () => {
  const { item } = await openHistory(
    aHistoryEntry({ settings: { privacy: 2, exclude_ips: [] }, before: { privacy: 1 }, password: true }),
  )
  await expect
    .element(item)
    .toMatchTextContent(
      /Sent.*Changed: privacy Private → Password, a new statistics password, no excluded IP addresses\./,
    )
})

test('names overwritten remote values, and values that the service kept', async () => {
  const { item } = await openHistory(aHistoryEntry({ overwritten: { email: true }, ignored: { exclude_bots: true } }))
  await expect.element(item).toMatchTextContent(/Someone else’s values were overwritten: email reports on\./)
  await expect
    .element(item)
    .toMatchTextContent(/The service accepted the change, but saved different values: exclude bots on\./)
})

test('announces a mismatch, leads to it, and marks it until the user has looked at it', async () => {
  const { far, screen } = await openApp({ history: [aHistoryEntry({ ignored: { exclude_bots: true } })] })
  far.setState({ mismatches: 2 })
  const toast = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toast).toMatchTextContent(/2 changes were saved with different values\./)
  expect(far.requests('lookedAtHistory')).toEqual([])
  await toast.getByRole('button', { name: 'Show sent changes' }).click()
  await expect
    .element(screen.getByText(/The service accepted the change, but saved different values: exclude bots on\./))
    .toBeVisible()
  await expect.poll(() => far.requests('lookedAtHistory')).toHaveLength(1)
  far.setState({ mismatches: 0 })

  await screen.getByRole('tab', { name: /^Pending/ }).click()
  far.setState({ mismatches: 1 })
  await expect.element(screen.getByRole('tab', { name: 'Sent changes 1' })).toBeVisible()
})

test('says why a new password alone has no undo', async () => {
  const { item } = await openHistory(
    aHistoryEntry({
      settings: { privacy: 2 },
      before: { privacy: 2 },
      password: true,
      lost: ['password'],
      can: { undo: false, putBack: false },
    }),
  )
  await expect.element(item).toMatchTextContent(/This setting can’t be restored.*: Statistics password\./)
  await expect.element(item.getByRole('button')).not.toBeInTheDocument()
})

test('undoes a change at once, or restores overwritten values', async () => {
  const { screen, far, item } = await openHistory(
    aHistoryEntry({ overwritten: { privacy: 2 }, can: { undo: true, putBack: true } }),
  )
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText(`The change to ${domain} will be undone.`)).toBeVisible()
  await item.getByRole('button', { name: 'Restore' }).click()
  await expect.element(screen.getByText(`The previous values of ${domain} will be restored.`)).toBeVisible()
  expect(far.requests('revertEdit')).toEqual([
    { id: 'h1', what: 'undo' },
    { id: 'h1', what: 'putBack' },
  ])
})

test('gives the focus to an entry that has lost its button', async () => {
  const { far, item, keys } = await openHistory(aHistoryEntry())
  far.answer('revertEdit', () => {
    far.world.history = [aHistoryEntry({ can: { undo: false, putBack: false } })]
    return ok(undefined)
  })
  item.getByRole('button', { name: 'Undo' }).element().focus()
  await keys('{Enter}')
  await expect.element(item.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  await expect.element(item).toHaveFocus()
})

test('says what can’t be restored before anything is undone', async () => {
  const { far, item, dialog } = await openHistory(aHistoryEntry({ lost: ['password', 'exclude_params'] }))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(/These settings can’t be restored.*: Statistics password and Excluded URL parameters\./)
  expect(far.requests('revertEdit')).toEqual([])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => far.requests('revertEdit')).toEqual([{ id: 'h1', what: 'undo' }])
})

test('asks before the undo of a create, as for a delete', async () => {
  const { far, item, dialog } = await openHistory(aHistoryEntry({ kind: 'create' }))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(/Undoing its creation permanently deletes the website and its statistics/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(far.requests('revertEdit')).toEqual([])
})

test('creates a deleted website again without its statistics, with a new password', async () => {
  const { far, item, dialog } = await openHistory(
    aHistoryEntry({ kind: 'delete', settings: {}, before: { privacy: 2 }, lost: ['password', 'exclude_params'] }),
  )
  await expect.element(item).toMatchTextContent(/Deleted, including its statistics\./)
  await item.getByRole('button', { name: 'Create again…' }).click()
  await expect.element(dialog).toMatchTextContent(/but without its statistics/)
  await dialog.getByRole('button', { name: 'Create again' }).click()
  const password = dialog.getByLabelText('Statistics password', { exact: true })
  await expect.element(password).toHaveFocus()
  await password.fill('lantern')
  far.answer('revertEdit', () => fail('invalid-input', { fields: { password: ['Too short.'] } }))
  await dialog.getByRole('button', { name: 'Create again' }).click()
  await expect.element(password).toHaveAccessibleDescription('Too short.')
  expect(far.requests('revertEdit')).toEqual([{ id: 'h1', what: 'undo', password: 'lantern' }])
})

test('shows a refusal at its entry', async () => {
  const { far, item } = await openHistory(aHistoryEntry())
  far.answer('revertEdit', () => fail('edit-gone'))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect.element(item.getByRole('alert')).toMatchTextContent(/no longer pending/)
})

test('reads the history only when it is shown, and then keeps it current', async () => {
  const { screen, far, goTo } = await openApp({ history: [] })
  await goTo('Pending')
  far.emit('editsChanged', undefined)
  expect(far.requests('listHistory')).toEqual([])
  await screen.getByRole('tab', { name: 'Sent changes' }).click()
  await expect.element(screen.getByText('No sent changes yet')).toBeVisible()
  far.world.history = [aHistoryEntry({ became: 'adopted', kind: 'create', settings: {}, before: {} })]
  far.emit('editsChanged', undefined)
  await expect.element(screen.getByText('Existing website used', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('The existing website was used.')).toBeVisible()
  await expect.element(screen.getByText('Created.')).not.toBeInTheDocument()
})

test('undoes the last save from the editor, before and after it was sent', async () => {
  const { screen, far, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  const save = async () => {
    await form().email.click()
    await form().button('Save').click()
  }
  await save()
  far.world.edits = [anEdit({ id: 'e7', domain })]
  await form().button('Undo').click()
  await expect.poll(() => far.requests('undoEdit')).toEqual([{ id: 'e7' }])
  await expect.element(screen.getByText(`The change to ${domain} was undone.`)).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  await save()
  far.world.history = [aHistoryEntry({ id: 'h7' })]
  await form().button('Undo').click()
  await expect.poll(() => far.requests('revertEdit')).toEqual([{ id: 'h7', what: 'undo' }])
})

test('says why the last save can’t be undone while it is sent', async () => {
  const { screen, far, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  await form().params.fill('ref')
  await form().button('Save').click()
  const can = { undo: false, putBack: false }
  const settings = { exclude_params: ['ref'] }
  far.world.history = [aHistoryEntry({ domain, settings, before: {}, lost: ['exclude_params'], can })]
  await form().button('Undo').click()
  await expect
    .element(
      screen.getByText(/was sent and can’t be undone\. This setting can’t be restored.*: Excluded URL parameters\./),
    )
    .toBeVisible()
})

test('says why an entry can’t be undone any more', async () => {
  const { item } = await openHistory(aHistoryEntry({ can: { undo: false, putBack: false } }))
  await expect.element(item).toMatchTextContent(/This change has since been undone or overwritten\./)
})

test('says that an undo comes too late', async () => {
  const { screen, far, row, form } = await openApp({ websites: [aWebsite({ domain })], edits: [anEdit({ domain })] })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  far.answer('undoEdit', () => fail('edit-gone'))
  await form().button('Undo').click()
  await expect.element(screen.getByText('This change is no longer pending.')).toBeVisible()
})
