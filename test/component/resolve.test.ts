import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { EditView } from '../../src/shared/edit.ts'
import { fail } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aConflict, anAppState, aParked, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

/** The Pending screen with one edit that needs the person. */
async function openParked(change: Partial<EditView> = {}) {
  const edit = aParked(change)
  const app = await openApp({ edits: [edit], websites: [aWebsite({ state: 'parked' })] })
  await app.goTo('Pending')
  const item = app.screen.getByRole('listitem', { name: edit.domain })
  const unit = (name: string) => {
    const group = item.getByRole('radiogroup', { name })
    return { group, choice: (label: string) => group.getByRole('radio', { name: label, exact: true }) }
  }
  return { ...app, item, unit, button: (name: string) => item.getByRole('button', { name, exact: true }) }
}

test('a conflict shows what was there, what they made of it, and what is ours', async () => {
  const { item, unit } = await openParked()
  await expect.element(item).toMatchTextContent(/Someone else changed the same value/)
  const privacy = unit('Privacy')
  await expect.element(privacy.group).toMatchTextContent(/Original\s*Private/)
  await expect.element(item).toMatchTextContent(/Theirs, as of Nov 12, 2026, 1:58\sPM.*Yours, Nov 12, 2026, 2:05\sPM/)
  await expect.element(privacy.choice('Keep theirs')).toHaveAccessibleDescription('Public')
  await expect.element(privacy.choice('Keep mine')).toHaveAccessibleDescription('Password, with a new password')
  await expect.element(privacy.choice('Keep lines of both')).not.toBeInTheDocument()
})

test('a new password is asked about in its own words, as nobody can see the old one', async () => {
  const side = { privacy: 2, password: true } as const
  const units = [{ unit: 'privacy' as const, choices: ['mine' as const, 'theirs' as const], both: null }]
  const { item } = await openParked({ conflict: { base: { privacy: 2 }, theirs: side, mine: side, units } })
  await expect.element(item).toMatchTextContent(/the password may have been changed, too/)
  await expect.element(item).not.toMatchTextContent(/same value/)
})

test('the values of the service are read again once, when they are looked at', async () => {
  const { far, item, unit } = await openParked()
  await expect.poll(() => far.requests('readConflict')).toEqual([{ id: 'p1' }])
  await unit('Privacy').choice('Keep mine').click()
  await expect.element(item).toBeVisible()
  expect(far.requests('readConflict')).toHaveLength(1)
})

test('a second question says that it comes after an answer', async () => {
  const { item } = await openParked({ answered: true })
  await expect.element(item).toMatchTextContent(/changed the same value again after you answered/)
})

test('lists are shown by what was added and removed, in words too', async () => {
  const { unit } = await openParked()
  const addresses = unit('Excluded IP addresses')
  await expect
    .element(addresses.choice('Keep theirs'))
    .toHaveAccessibleDescription(/Empty.*removed: 203\.0\.113\.7.*removed: 198/)
  await expect.element(addresses.choice('Keep mine')).toHaveAccessibleDescription(/added: 2001:db8::\/48/)
  await expect
    .element(addresses.choice('Keep lines of both'))
    .toHaveAccessibleDescription(/removed: 203\.0\.113\.7.*added: 2001:db8/)
})

test('each field is chosen by keyboard, and the choices are sent together', async () => {
  const { screen, far, keys, unit, button } = await openParked()
  unit('Privacy').choice('Keep theirs').element().focus()
  await keys('{ArrowRight}')
  await expect.element(unit('Privacy').choice('Keep mine')).toBeChecked()
  await keys('{Tab}')
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toHaveFocus()
  await keys('{ArrowUp}')
  await expect.element(unit('Excluded IP addresses').choice('Keep lines of both')).toBeChecked()
  button('Resolve').element().focus()
  await keys('{Enter}')
  const units = { privacy: 'mine', exclude_ips: 'both' }
  await expect.poll(() => far.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'units', units } }])
  await expect
    .element(screen.getByText('The values that you chose for kestrel-press.example will be sent.'))
    .toBeVisible()
  await expect.element(screen.getByRole('region', { name: 'Pending changes' })).toHaveFocus()
})

test('nothing is chosen beforehand, and Resolve says where a choice is missing', async () => {
  const { far, item, unit, button } = await openParked()
  for (const radio of item.getByRole('radio').elements()) expect(radio).not.toBeChecked()
  await unit('Privacy').choice('Keep theirs').click()
  await button('Resolve').click()
  await expect.element(item.getByText('Choose what to keep: Excluded IP addresses.')).toBeVisible()
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toHaveFocus()
  expect(far.requests('resolveEdit')).toEqual([])
})

test('all of one side can be chosen at once', async () => {
  const { unit, button } = await openParked()
  await button('Keep all theirs').click()
  await expect.element(unit('Privacy').choice('Keep theirs')).toBeChecked()
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toBeChecked()
})

test('a choice stays while other edits come and go, but not once another value is shown', async () => {
  const { far, item, unit } = await openParked()
  await unit('Privacy').choice('Keep mine').click()
  far.world.edits = [aParked(), aParked({ id: 'p2', domain: 'other.example' })]
  far.emit('editsChanged', undefined)
  await expect.element(page.getByText('other.example')).toBeVisible()
  await expect.element(unit('Privacy').choice('Keep mine')).toBeChecked()
  far.world.edits = [aParked({ conflict: aConflict({ theirs: { privacy: 2, exclude_ips: [] } }) })]
  far.emit('editsChanged', undefined)
  await expect.element(item.getByText('The website has changed again. Choose again.')).toBeVisible()
  await expect.element(unit('Privacy').choice('Keep mine')).not.toBeChecked()
})

test('a field that the service doesn’t show is asked about in words', async () => {
  const mine = { exclude_params: ['utm_source'] }
  const units = [{ unit: 'exclude_params' as const, choices: ['mine' as const, 'theirs' as const], both: null }]
  const { item, unit } = await openParked({ conflict: { base: {}, theirs: {}, mine, units }, settings: mine })
  await expect.element(item).toMatchTextContent(/possibly in a field that the service doesn’t show/)
  await expect
    .element(unit('Excluded URL parameters').choice('Keep theirs'))
    .toHaveAccessibleDescription('The service doesn’t show this value. Someone else may have changed it.')
})

test('what leaves alone what others did is said to go along', async () => {
  const { item } = await openParked({ settings: { privacy: 2, exclude_ips: [], exclude_bots: false } })
  await expect.element(item).toMatchTextContent(/Also sent, because there is no conflict: bots counted\./)
})

test('a delete of what was changed meanwhile is asked about once more, or dropped', async () => {
  const { far, screen, item, button } = await openParked({
    kind: 'delete',
    settings: {},
    fields: [],
    ways: ['delete', 'keep'],
    conflict: aConflict({ mine: {}, units: [] }),
  })
  await expect.element(item).toMatchTextContent(/Someone else changed this website/)
  await expect.element(item.getByRole('group', { name: 'Privacy' })).toMatchTextContent(/Private.*Public/)
  await button('Delete anyway').click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog).toMatchTextContent(/permanently deletes the website and all its statistics/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(far.requests('resolveEdit')).toEqual([])
  await button('Keep the website').click()
  await expect.poll(() => far.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'keep' } }])
})

test('what a late request has done isn’t “discarded”: it can be left as it is, and that is said', async () => {
  const appeared = { reason: 'appeared', kind: 'create', conflict: null, ways: ['adopt', 'delete'] } as const
  const { screen, far, item, button } = await openParked({ ...appeared, ways: [...appeared.ways] })
  await expect.element(button('Discard')).not.toBeInTheDocument()
  await button('Delete the website').click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog).toHaveAccessibleName('Delete kestrel-press.example?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Keep as is').click()
  await expect.element(dialog).toHaveAccessibleName('Keep kestrel-press.example as it is?')
  await expect.element(dialog).toMatchTextContent(/The website stays on the service/)
  await dialog.getByRole('button', { name: 'Keep as is' }).click()
  await expect.poll(() => far.requests('discardEdit')).toEqual([{ id: 'p1' }])
  await expect.element(item).not.toBeInTheDocument()
})

test('a delete that came through late leaves the website deleted, and says so', async () => {
  const { screen, button } = await openParked({
    reason: 'vanished',
    kind: 'delete',
    conflict: null,
    ways: ['recreate'],
  })
  await button('Keep deleted').click()
  const dialog = screen.getByRole('alertdialog', { name: 'Keep kestrel-press.example deleted?' })
  await expect.element(dialog).toMatchTextContent(/stay deleted/)
})

test('what nobody could find out is checked again, not sent again, or not looked for any more', async () => {
  const { screen, far, button } = await openParked({
    reason: 'unread',
    conflict: null,
    ways: [],
    error: { code: 'unavailable', message: 'Server Error', status: 500 },
    can: { undo: false, discard: true, sendNow: true },
  })
  await button('Stop checking').click()
  const dialog = screen.getByRole('alertdialog', { name: 'Keep kestrel-press.example as it is?' })
  await expect.element(dialog).toMatchTextContent(/The change stays unconfirmed/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Check again').click()
  await expect.poll(() => far.requests('sendNow')).toEqual([{ id: 'p1' }])
})

test('what is gone isn’t sent once more, and its “not found” isn’t told twice', async () => {
  const { screen, item, button } = await openParked({
    reason: 'gone',
    conflict: null,
    ways: ['recreate'],
    error: { code: 'not-found', message: 'Resource not found.', status: 404 },
    can: { undo: false, discard: true, sendNow: true },
  })
  await expect.element(button('Create again')).toBeVisible()
  await expect.element(button('Send again')).not.toBeInTheDocument()
  await expect.element(item).not.toMatchTextContent(/Resource not found/)
  await button('Discard').click()
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(/The website stays deleted/)
})

test('a website that is gone is created again, with its password typed anew', async () => {
  const { far, item, button } = await openParked({
    reason: 'gone',
    ways: ['recreate'],
    conflict: null,
    needsPassword: true,
  })
  await expect.element(item).toMatchTextContent(/This website and its statistics were deleted on the service/)
  const password = item.getByLabelText('Statistics password', { exact: true })
  await button('Create again').click()
  await expect.element(password).toHaveFocus()
  await expect.element(password).toHaveAccessibleDescription(/Enter the statistics password/)
  far.answer('resolveEdit', () => fail('invalid-input', { fields: { password: ['Too short.'] } }))
  await password.fill('lantern')
  await button('Create again').click()
  await expect.element(password).toHaveAccessibleDescription(/Too short/)
  expect(far.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'recreate', password: 'lantern' } }])
})

test('a website that may be ours is adopted, or the domain corrected', async () => {
  const { far, item, button, form } = await openParked({
    reason: 'adopt',
    kind: 'create',
    ways: ['adopt'],
    conflict: aConflict({ base: {}, units: [] }),
  })
  await expect.element(item.getByRole('group', { name: 'Email reports' })).toMatchTextContent(/On.*Off/)
  await button('Use the existing website').click()
  await expect.poll(() => far.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'adopt' } }])
  far.world.edits = [aParked({ reason: 'domain-taken', kind: 'create', ways: [], conflict: null })]
  far.emit('editsChanged', undefined)
  await button('Edit').click()
  await expect.element(form().form).toBeVisible()
})

test('a password that is to be typed anew is typed in the editor', async () => {
  const website = aWebsite({ privacy: 2, password: true, state: 'parked' })
  const edit = aParked({ reason: 'password', ways: [], conflict: null })
  const { screen, goTo, form } = await openApp({ edits: [edit], websites: [website] })
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Edit' }).click()
  await expect.element(form().password).toHaveFocus()
})

test('what was refused is corrected at the field that the service named', async () => {
  const error = { code: 'invalid' as const, message: '', fields: { exclude_ips: ['Not an address.'] } }
  const { button, form } = await openParked({ reason: 'refused', ways: [], conflict: null, error })
  await button('Edit').click()
  await expect.element(form().ips).toHaveFocus()
  await expect.element(form().ips).toHaveAccessibleDescription(/Not an address/)
})

test('an answer to Resolve is said where it was pressed', async () => {
  const { far, item, button } = await openParked({ ways: ['adopt'], reason: 'adopt' })
  far.answer('resolveEdit', () => fail('disk-full'))
  await button('Use the existing website').click()
  await expect.element(item.getByRole('alert')).toMatchTextContent(/The disk is full/)
})

test('the editor leads to what is to be resolved, and to that alone', async () => {
  const edits = [aParked({ id: 'p9', website: 'w9', domain: 'other.example' }), aParked()]
  const { screen, row, form, far } = await openApp({ edits, websites: [aWebsite({ state: 'parked' })] })
  await row('kestrel-press.example').click()
  await expect.element(form().form).toMatchTextContent(/Choose “Resolve” to compare/)
  await form().button('Resolve').click()
  await expect.element(screen.getByText(/^Only changes to kestrel-press/)).toBeVisible()
  await expect.element(screen.getByRole('listitem', { name: 'other.example' })).not.toBeInTheDocument()
  expect(far.requests('listEdits').at(-1)).toMatchObject({ website: 'w1' })
  await screen.getByRole('button', { name: 'Show all' }).click()
  await expect.element(screen.getByRole('listitem', { name: 'other.example' })).toBeVisible()
})

test('a list of thousands of lines is shown by what differs', async () => {
  const before = Array.from({ length: 5000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
  const after = Array.from({ length: 5000 }, (_, i) => `10.1.${i >> 8}.${i & 255}`)
  const conflict = aConflict({
    base: { exclude_ips: before },
    theirs: { exclude_ips: [...before, '2001:db8::1'] },
    mine: { exclude_ips: after },
    units: [{ unit: 'exclude_ips', choices: ['mine', 'theirs'], both: null }],
  })
  const { item, unit } = await openParked({ conflict, settings: { exclude_ips: after } })
  const addresses = unit('Excluded IP addresses')
  await expect.element(addresses.choice('Keep theirs')).toHaveAccessibleDescription(/4,?997 more lines, unchanged/)
  await expect.element(addresses.choice('Keep theirs')).toHaveAccessibleDescription(/added: 2001:db8::1/)
  expect(item.element().querySelectorAll('*').length).toBeLessThan(600)
})

test('nothing can be decided in data of a newer version', async () => {
  const { screen, goTo } = await openApp({
    edits: [aParked()],
    state: anAppState({ readOnly: true, parked: 1 }),
  })
  await goTo('Pending')
  const item = screen.getByRole('listitem', { name: 'kestrel-press.example' })
  await expect.element(item).toBeVisible()
  await expect.element(item.getByRole('group', { name: 'Privacy' })).toMatchTextContent(/Private.*Public.*Password/)
  expect(item.getByRole('button').elements()).toEqual([])
})
