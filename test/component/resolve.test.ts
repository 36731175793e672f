import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { EditView } from '../../src/shared/edit.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aConflict, anAppState, aParked, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

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

test('shows base, theirs and mine of a conflict', async () => {
  const { item, unit } = await openParked()
  await expect.element(item).toMatchTextContent(/The same value was changed elsewhere/)
  const privacy = unit('Privacy')
  await expect.element(privacy.group).toMatchTextContent(/Original\s*Private/)
  await expect.element(item).toMatchTextContent(/Theirs, as of Nov 12, 2026, 1:58\sPM.*Mine, Nov 12, 2026, 2:05\sPM/)
  await expect.element(privacy.choice('Keep theirs')).toHaveAccessibleDescription('Public')
  await expect.element(privacy.choice('Keep mine')).toHaveAccessibleDescription('Password (new password)')
  await expect.element(privacy.choice('Keep lines from both')).not.toBeInTheDocument()
})

test('says of a conflict over two passwords that the password may have changed, because the service shows neither', async () => {
  const side = { privacy: 2, password: true } as const
  const units = [{ unit: 'privacy' as const, choices: ['mine' as const, 'theirs' as const], both: null }]
  const { item } = await openParked({ conflict: { base: { privacy: 2 }, theirs: side, mine: side, units } })
  await expect.element(item).toMatchTextContent(/the password may have been changed too/)
  await expect.element(item).not.toMatchTextContent(/same value/)
})

test('reads the website from the service once when the user opens its parked edit', async () => {
  const { bridge, item, unit } = await openParked()
  await expect.poll(() => bridge.requests('readConflict')).toEqual([{ id: 'p1' }])
  await unit('Privacy').choice('Keep mine').click()
  await expect.element(item).toBeVisible()
  expect(bridge.requests('readConflict')).toHaveLength(1)
})

test('reads the website from the service when its parked delete is opened, even if no field differs', async () => {
  const conflict = { base: {}, theirs: {}, mine: {}, units: [] }
  const { bridge, item } = await openParked({ kind: 'delete', settings: {}, conflict, ways: ['delete', 'keep'] })
  await expect.element(item).not.toMatchTextContent(/Original/)
  await expect.poll(() => bridge.requests('readConflict')).toEqual([{ id: 'p1' }])
})

test('says that a value was changed again after the user’s choice, if the user is asked a second time', async () => {
  const { item } = await openParked({ answered: true })
  await expect.element(item).toMatchTextContent(/The same value was changed elsewhere again after you made your choice/)
})

test('a second question about a password or a field that the service doesn’t show says what was changed again after the choice', async () => {
  const password = { privacy: 2, password: true } as const
  const choices = ['mine' as const, 'theirs' as const]
  const { item, bridge } = await openParked({
    answered: true,
    conflict: {
      base: { privacy: 2 },
      theirs: password,
      mine: password,
      units: [{ unit: 'privacy', choices, both: null }],
    },
  })
  await expect.element(item).toMatchTextContent(/This website was changed elsewhere again after you made your choice/)
  const mine = { exclude_params: ['utm_source'] }
  const units = [{ unit: 'exclude_params' as const, choices, both: null }]
  bridge.world.edits = [aParked({ answered: true, conflict: { base: {}, theirs: {}, mine, units }, settings: mine })]
  bridge.emit('editsChanged', undefined)
  await expect
    .element(item)
    .toMatchTextContent(/changed elsewhere again after you made your choice, possibly in a setting/)
})

test('shows lists by their added and removed lines, in words too', async () => {
  const { unit } = await openParked()
  const addresses = unit('Excluded IP addresses')
  await expect
    .element(addresses.choice('Keep theirs'))
    .toHaveAccessibleDescription(/Empty.*Removed: 203\.0\.113\.7.*Removed: 198/)
  await expect.element(addresses.choice('Keep mine')).toHaveAccessibleDescription(/Added: 2001:db8::\/48/)
  await expect
    .element(addresses.choice('Keep lines from both'))
    .toHaveAccessibleDescription(/Removed: 203\.0\.113\.7.*Added: 2001:db8/)
})

test('chooses each field by keyboard, and sends the choices together', async () => {
  const { screen, bridge, keys, unit, button } = await openParked()
  unit('Privacy').choice('Keep theirs').element().focus()
  await keys('{ArrowRight}')
  await expect.element(unit('Privacy').choice('Keep mine')).toBeChecked()
  await keys('{Tab}')
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toHaveFocus()
  await keys('{ArrowUp}')
  await expect.element(unit('Excluded IP addresses').choice('Keep lines from both')).toBeChecked()
  button('Resolve').element().focus()
  await keys('{Enter}')
  const units = { privacy: 'mine', exclude_ips: 'both' }
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'units', units } }])
  await expect
    .element(screen.getByText('The values that you chose for kestrel-press.example will be sent.'))
    .toBeVisible()
  await expect.element(screen.getByRole('region', { name: 'Pending changes' })).toHaveFocus()
})

test.each([
  { fields: ['privacy', 'password', 'exclude_ips'], text: 'The change to kestrel-press.example was discarded.' },
  { fields: ['privacy', 'email'], text: 'The values that you chose for kestrel-press.example will be sent.' },
] as const)('says after “Keep theirs for all” whether something is sent: “$text”', async ({ fields, text }) => {
  const { screen, button } = await openParked({ fields: [...fields] })
  await button('Keep theirs for all').click()
  await button('Resolve').click()
  await expect.element(screen.getByText(text)).toBeVisible()
})

test('preselects nothing, and Resolve names the missing choice', async () => {
  const { bridge, item, unit, button } = await openParked()
  for (const radio of item.getByRole('radio').elements()) expect(radio).not.toBeChecked()
  await unit('Privacy').choice('Keep theirs').click()
  await expect.element(button('Resolve')).not.toHaveClass('primary')
  await button('Resolve').click()
  await expect.element(item.getByText('Choose what to keep: Excluded IP addresses.')).toBeVisible()
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toHaveFocus()
  expect(bridge.requests('resolveEdit')).toEqual([])
})

test('“Keep theirs for all” and “Keep mine for all” choose that side for each setting', async () => {
  const { unit, button } = await openParked()
  await button('Keep theirs for all').click()
  await expect.element(unit('Privacy').choice('Keep theirs')).toBeChecked()
  await expect.element(unit('Excluded IP addresses').choice('Keep theirs')).toBeChecked()
  await button('Keep mine for all').click()
  await expect.element(unit('Privacy').choice('Keep mine')).toBeChecked()
  await expect.element(unit('Excluded IP addresses').choice('Keep mine')).toBeChecked()
})

test('keeps the user’s choice when another edit is parked, but clears it when the remote value changes', async () => {
  const { bridge, item, unit } = await openParked()
  await unit('Privacy').choice('Keep mine').click()
  bridge.world.edits = [aParked(), aParked({ id: 'p2', domain: 'other.example' })]
  bridge.emit('editsChanged', undefined)
  await expect.element(page.getByText('other.example')).toBeVisible()
  await expect.element(unit('Privacy').choice('Keep mine')).toBeChecked()
  bridge.world.edits = [aParked({ conflict: aConflict({ theirs: { privacy: 2, exclude_ips: [] } }) })]
  bridge.emit('editsChanged', undefined)
  await expect.element(item.getByText('The website has changed again. Choose again.')).toBeVisible()
  await expect.element(unit('Privacy').choice('Keep mine')).not.toBeChecked()
})

test('explains a conflict in a field that the service doesn’t show', async () => {
  const mine = { exclude_params: ['utm_source'] }
  const units = [{ unit: 'exclude_params' as const, choices: ['mine' as const, 'theirs' as const], both: null }]
  const { item, unit } = await openParked({ conflict: { base: {}, theirs: {}, mine, units }, settings: mine })
  await expect
    .element(item)
    .toMatchTextContent(/changed elsewhere, possibly in a setting that the service doesn’t show/)
  await expect
    .element(unit('Excluded URL parameters').choice('Keep theirs'))
    .toHaveAccessibleDescription('The service doesn’t show this value. It may have been changed elsewhere.')
})

test('names the changed fields without a conflict, which are sent together with the choices', async () => {
  const { item } = await openParked({ settings: { privacy: 2, exclude_ips: [], exclude_bots: false } })
  await expect.element(item).toMatchTextContent(/Settings without a conflict will be sent too: exclude bots \(off\)\./)
})

test('“Delete anyway” for a website that was changed remotely asks first, and “Keep the website” drops the delete', async () => {
  const { bridge, screen, item, button } = await openParked({
    kind: 'delete',
    settings: {},
    fields: [],
    ways: ['delete', 'keep'],
    conflict: aConflict({ mine: {}, units: [] }),
  })
  await expect.element(item).toMatchTextContent(/This website was changed elsewhere/)
  await expect.element(item.getByRole('group', { name: 'Privacy' })).toMatchTextContent(/Private.*Public/)
  await button('Delete anyway…').click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog).toMatchTextContent(/permanently deletes the website and all its statistics/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(bridge.requests('resolveEdit')).toEqual([])
  await button('Keep the website').click()
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'keep' } }])
})

test('offers “Keep as is” instead of “Discard” for a website that a late request has created', async () => {
  const appeared = { reason: 'appeared', kind: 'create', conflict: null, ways: ['adopt', 'delete'] } as const
  const { screen, bridge, item, button } = await openParked({ ...appeared, ways: [...appeared.ways] })
  await expect.element(button('Discard…')).not.toBeInTheDocument()
  await button('Delete the website…').click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog).toHaveAccessibleName('Delete kestrel-press.example?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Keep as is…').click()
  await expect.element(dialog).toHaveAccessibleName('Keep kestrel-press.example as it is?')
  await expect.element(dialog).toMatchTextContent(/The website stays on the service/)
  await dialog.getByRole('button', { name: 'Keep as is' }).click()
  await expect.poll(() => bridge.requests('discardEdit')).toEqual([{ id: 'p1' }])
  await expect.element(item).not.toBeInTheDocument()
})

test('can keep a website that a late request has created and apply the user’s settings, and says that it was kept', async () => {
  const { screen, bridge, button } = await openParked({
    reason: 'appeared',
    kind: 'create',
    conflict: null,
    ways: ['adopt', 'delete'],
  })
  await button('Keep and apply my settings').click()
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'adopt' } }])
  await expect
    .element(screen.getByText(/kestrel-press\.example.* was kept\. Your settings will be applied/))
    .toBeVisible()
})

test('“Keep deleted” for a website that a late delete has removed asks first', async () => {
  const { screen, button } = await openParked({
    reason: 'vanished',
    kind: 'delete',
    conflict: null,
    ways: ['recreate'],
  })
  await button('Keep deleted…').click()
  const dialog = screen.getByRole('alertdialog', { name: 'Keep kestrel-press.example deleted?' })
  await expect.element(dialog).toMatchTextContent(/stay deleted/)
})

test('offers to check an unknown outcome again or to discard it, not to send again', async () => {
  const { screen, bridge, button } = await openParked({
    reason: 'unread',
    conflict: null,
    ways: [],
    error: { code: 'unavailable', message: 'Server Error', status: 500 },
    can: { undo: false, discard: true, sendNow: true },
  })
  await button('Discard…').click()
  const dialog = screen.getByRole('alertdialog', { name: /^Discard the change to kestrel-press\.example/ })
  await expect.element(dialog).toMatchTextContent(/If the service did, Siteward/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Check again').click()
  await expect.poll(() => bridge.requests('sendNow')).toEqual([{ id: 'p1' }])
})

test('offers “Add again” instead of “Send again” for a website that is gone, and does not quote the service’s “not found”', async () => {
  const { screen, item, button } = await openParked({
    reason: 'gone',
    conflict: null,
    ways: ['recreate'],
    error: { code: 'not-found', message: 'Resource not found.', status: 404 },
    can: { undo: false, discard: true, sendNow: true },
  })
  await expect.element(button('Add again')).toBeVisible()
  await expect.element(button('Send again')).not.toBeInTheDocument()
  await expect.element(item).not.toMatchTextContent(/Resource not found/)
  await button('Discard…').click()
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(/The website stays deleted/)
})

test('creates a deleted website again, with a new password', async () => {
  const { bridge, item, button } = await openParked({
    reason: 'gone',
    ways: ['recreate'],
    conflict: null,
    needsPassword: true,
  })
  await expect.element(item).toMatchTextContent(/This website and its statistics were deleted on the service/)
  const password = item.getByLabelText('Statistics password', { exact: true })
  await button('Add again').click()
  await expect.element(password).toHaveFocus()
  await expect.element(password).toHaveAccessibleDescription(/Enter the statistics password/)
  bridge.answer('resolveEdit', () => fail('invalid-input', { fields: { password: ['Too short.'] } }))
  await password.fill('lantern')
  await button('Add again').click()
  await expect.element(password).toHaveAccessibleDescription(/Too short/)
  expect(bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'recreate', password: 'lantern' } }])
})

test('adopts a website that may be ours, and opens the editor for a domain that is taken', async () => {
  const { bridge, item, button, form } = await openParked({
    reason: 'adopt',
    kind: 'create',
    ways: ['adopt'],
    conflict: aConflict({ base: {}, units: [] }),
  })
  await expect.element(item.getByRole('group', { name: 'Email reports' })).toMatchTextContent(/On.*Off/)
  await button('Use the existing website').click()
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'adopt' } }])
  bridge.world.edits = [aParked({ reason: 'domain-taken', kind: 'create', ways: [], conflict: null })]
  bridge.emit('editsChanged', undefined)
  await button('Edit').click()
  await expect.element(form().form).toBeVisible()
})

test('offers to delete an existing website, with a question, if the user has deleted the new website since', async () => {
  const { screen, bridge, item, button } = await openParked({
    reason: 'domain-taken',
    kind: 'create',
    ways: ['delete'],
    request: { method: 'DELETE', path: 'websites/7', form: [] },
  })
  await expect.element(button('Use the existing website')).not.toBeInTheDocument()
  await expect.element(item).not.toMatchTextContent(/Use the existing website/)
  await expect.element(item).toMatchTextContent(/permanently deletes the existing website and all its statistics/)
  // The website is another one, so the texts must not guess that the user has added it.
  await expect.element(item).toMatchTextContent(/A website with this domain already exists\./)
  await expect.element(item).not.toMatchTextContent(/may be the one|You deleted this website/)
  await button('Discard…').click()
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(/The existing website stays as it is/)
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await button('Delete the existing website…').click()
  const dialog = screen.getByRole('alertdialog', { name: 'Delete kestrel-press.example?' })
  await expect.element(dialog).toMatchTextContent(/permanently deletes the website and all its statistics/)
  expect(bridge.requests('resolveEdit')).toEqual([])
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'delete' } }])
  await expect.element(screen.getByText('kestrel-press.example will be deleted.')).toBeVisible()
})

test('never answers a question about a delete by using the existing website, even if the delete was undone since', async () => {
  const create = { reason: 'adopt', kind: 'create' } as const
  const { screen, bridge, button } = await openParked({ ...create, ways: ['delete'] })
  await button('Delete the existing website…').click()
  bridge.world.edits = [aParked({ ...create, ways: ['adopt'] })]
  bridge.answer('resolveEdit', () => fail('edit-gone'))
  bridge.emit('editsChanged', undefined)
  await expect.element(button('Use the existing website')).toBeVisible()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bridge.requests('resolveEdit')).toEqual([{ id: 'p1', resolution: { way: 'delete' } }])
})

test('offers no “Keep” that deletes for a website that appeared late if the user has deleted it since', async () => {
  const { button } = await openParked({
    reason: 'appeared',
    kind: 'create',
    conflict: null,
    ways: ['delete'],
    request: { method: 'DELETE', path: 'websites/7', form: [] },
  })
  await expect.element(button('Delete the existing website…')).toBeVisible()
  await expect.element(button('Keep and apply my settings')).not.toBeInTheDocument()
})

test('says that a website was kept if nothing has to be sent to use it', async () => {
  const { screen, button } = await openParked({
    reason: 'adopt',
    kind: 'create',
    ways: ['adopt'],
    request: { method: 'PUT', path: 'websites/7', form: [] },
  })
  await button('Use the existing website').click()
  await expect.element(screen.getByText('kestrel-press.example was kept.')).toBeVisible()
})

test('says that a list of an existing website is replaced if the service doesn’t show it', async () => {
  const create = { reason: 'adopt', kind: 'create' } as const
  const { bridge, item } = await openParked({
    ...create,
    conflict: aConflict({ base: {}, units: [] }),
    ways: ['adopt'],
  })
  await expect.element(item).toMatchTextContent(/Your excluded IP addresses and URL parameters are added to it/)
  const conflict = aConflict({ base: {}, mine: { exclude_params: ['utm_source'] }, units: [] })
  bridge.world.edits = [aParked({ ...create, conflict, ways: ['adopt'] })]
  bridge.emit('editsChanged', undefined)
  await expect.element(item).toMatchTextContent(/doesn’t show its excluded URL parameters, so yours replace them/)
})

test('says of a new website that the service accepted but never listed, not that it was deleted', async () => {
  const { screen, item, button } = await openParked({
    reason: 'gone',
    kind: 'create',
    ways: ['recreate'],
    conflict: null,
    possiblySent: true,
  })
  await expect.element(item).toMatchTextContent(/The service accepted this new website, but doesn’t list it\./)
  await expect.element(item).not.toMatchTextContent(/deleted/)
  await button('Discard…').click()
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(/If the service did, Siteward/)
})

test('doesn’t say that a hidden value of the existing website may have been changed', async () => {
  const mine = { exclude_params: ['utm_source'] }
  const conflict = { base: {}, theirs: {}, mine, units: [] }
  const { item } = await openParked({ reason: 'adopt', kind: 'create', ways: ['adopt'], settings: mine, conflict })
  await expect
    .element(item.getByRole('group', { name: 'Excluded URL parameters' }))
    .toMatchTextContent(/Unknown\. The service doesn’t show this value\./)
})

test('opens the editor for a password that must be typed again', async () => {
  const website = aWebsite({ privacy: 2, password: true, state: 'parked' })
  const edit = aParked({ reason: 'password', ways: [], conflict: null })
  const { screen, goTo, form } = await openApp({ edits: [edit], websites: [website] })
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Edit' }).click()
  await expect.element(form().password).toHaveFocus()
})

test('opens the editor at the field that the service rejected', async () => {
  const error = { code: 'invalid' as const, message: '', fields: { exclude_ips: ['Not an address.'] } }
  const { button, form } = await openParked({ reason: 'refused', ways: [], conflict: null, error })
  await button('Edit').click()
  await expect.element(form().ips).toHaveFocus()
  await expect.element(form().ips).toHaveAccessibleDescription(/Not an address/)
})

test('shows the error of Resolve beside its button', async () => {
  const { bridge, item, button } = await openParked({ ways: ['adopt'], reason: 'adopt' })
  bridge.answer('resolveEdit', () => fail('disk-full'))
  await button('Use the existing website').click()
  await expect.element(item.getByRole('alert')).toMatchTextContent(/The disk is full/)
})

test('resolves an edit once if its button is pressed again before the answer', async () => {
  const { bridge, item, button, keys } = await openParked({ ways: ['adopt'], reason: 'adopt' })
  const held = Promise.withResolvers<undefined>()
  bridge.answer('resolveEdit', async () => {
    await held.promise
    bridge.world.edits = []
    return ok(undefined)
  })
  button('Use the existing website').element().focus()
  await keys('{Enter}{Enter}')
  held.resolve(undefined)
  await expect.element(item).not.toBeInTheDocument()
  expect(bridge.requests('resolveEdit')).toHaveLength(1)
})

test('leads from the editor to the edit that needs a decision', async () => {
  const edits = [aParked({ id: 'p9', website: 'w9', domain: 'other.example' }), aParked()]
  const { screen, row, form, bridge } = await openApp({ edits, websites: [aWebsite({ state: 'parked' })] })
  await row('kestrel-press.example').click()
  await expect.element(form().form).toMatchTextContent(/Choose “Resolve” to see your options/)
  await form().button('Resolve').click()
  await expect.element(screen.getByText(/^Only changes to kestrel-press/)).toBeVisible()
  await expect.element(screen.getByRole('listitem', { name: 'other.example' })).not.toBeInTheDocument()
  expect(bridge.requests('listEdits').at(-1)).toMatchObject({ website: 'w1' })
  await screen.getByRole('button', { name: 'Show all' }).click()
  await expect.element(screen.getByRole('listitem', { name: 'other.example' })).toBeVisible()
})

test('shows only the difference of a list of thousands of lines', async () => {
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
  await expect.element(addresses.choice('Keep theirs')).toHaveAccessibleDescription(/Added: 2001:db8::1/)
  expect(item.element().querySelectorAll('*').length).toBeLessThan(600)
})

test('offers no decision if a newer version wrote the account’s file, which is then read-only', async () => {
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
