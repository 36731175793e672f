import { page } from 'vitest/browser'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ActivityEntry, EditStep } from '../../src/shared/activity.ts'
import type { HistoryEntry, WaitReason } from '../../src/shared/edit.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, aHistoryEntry, anEdit, aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const domain = 'moss-and-stone.example'

async function openHistory(...history: HistoryEntry[]) {
  const app = await openApp({ history })
  await app.goTo('Activity')
  const item = app.screen.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  return { ...app, item, dialog: app.screen.getByRole('alertdialog') }
}

test('shows delivered changes with the values before and after, and the lines of lists', async () => {
  const { item } = await openHistory(
    aHistoryEntry({
      settings: { privacy: 2, email: true, exclude_ips: ['198.51.100.9'] },
      before: { privacy: 1, email: true, exclude_ips: ['203.0.113.17'] },
      password: true,
    }),
  )
  await expect
    .element(item)
    .toMatchTextContent(
      /Sent.*Privacy: Private → Password.*Excluded IP addresses: \+.198\.51\.100\.9 {1,2}−.203\.0\.113\.17.*password/,
    )
  await expect.element(item).not.toMatchTextContent(/Email reports/)
})

test('names the remote values that a change overwrote, and the values that the service saved differently', async () => {
  const { item } = await openHistory(aHistoryEntry({ overwritten: { email: true }, ignored: { exclude_bots: true } }))
  await expect.element(item).toMatchTextContent(/These values on the service were overwritten: email reports \(on\)\./)
  await expect
    .element(item)
    .toMatchTextContent(/The service accepted the change, but saved different values: exclude bots \(on\)\./)
})

test('the toast about mismatches opens the activity, and the Activity button counts mismatches and remote changes together', async () => {
  const { bridge, screen, goTo } = await openApp({ history: [aHistoryEntry({ ignored: { exclude_bots: true } })] })
  bridge.setState({ mismatches: 2 })
  const toast = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toast).toMatchTextContent(/2 changes had an unexpected result\./)
  expect(bridge.requests('activitySeen')).toEqual([])
  await toast.getByRole('button', { name: 'Show activity' }).click()
  await expect
    .element(screen.getByText(/The service accepted the change, but saved different values: exclude bots \(on\)\./))
    .toBeVisible()
  await expect.poll(() => bridge.requests('activitySeen')).toHaveLength(1)
  bridge.setState({ mismatches: 0 })

  await goTo('Pending')
  bridge.setState({ mismatches: 1, remoteChanges: 2 })
  await expect.element(screen.getByRole('button', { name: 'Activity' })).toHaveAccessibleDescription('3')
})

test('counts the remote changes since the activity was last opened', async () => {
  const { bridge, screen, goTo } = await openApp()
  bridge.setState({ remoteChanges: 1200 })
  const item = screen.getByRole('button', { name: 'Activity' })
  await expect.element(item).toHaveAccessibleDescription('1,200')
  await expectAccessible()
  expect(bridge.requests('activitySeen')).toEqual([])
  await goTo('Activity')
  await expect.poll(() => bridge.requests('activitySeen')).toHaveLength(1)
  bridge.setState({ remoteChanges: 0 })
  await expect.element(item).not.toHaveAccessibleDescription('1,200')
})

test('says why a change of only the password can’t be undone', async () => {
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
  await expect.element(item.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('says which fields an undo leaves as they are, because they were changed again since', async () => {
  const { screen, item } = await openHistory(aHistoryEntry({ can: { undo: true, putBack: false }, kept: ['email'] }))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText(/Your newer changes were kept: Email reports\.$/)).toBeVisible()
})

test('Undo reverts a sent change without a question, and Restore brings back the values of another client that the change overwrote', async () => {
  const { screen, bridge, item } = await openHistory(
    aHistoryEntry({ overwritten: { privacy: 2 }, can: { undo: true, putBack: true } }),
  )
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText(`The change to ${domain} will be undone on the service.`)).toBeVisible()
  await item.getByRole('button', { name: 'Restore' }).click()
  await expect.element(screen.getByText(`The previous values of ${domain} will be restored.`)).toBeVisible()
  expect(bridge.requests('revertEdit')).toEqual([
    { id: 'h1', action: 'undo' },
    { id: 'h1', action: 'putBack' },
  ])
})

test('a second click on Undo before the first is answered sends no second undo', async () => {
  const { screen, bridge, item } = await openHistory(aHistoryEntry())
  const held = Promise.withResolvers<undefined>()
  bridge.answer('revertEdit', async () => {
    await held.promise
    return ok(undefined)
  })
  await item.getByRole('button', { name: 'Undo' }).dblClick()
  held.resolve(undefined)
  await expect.element(screen.getByText(`The change to ${domain} will be undone on the service.`)).toBeVisible()
  expect(bridge.requests('revertEdit')).toHaveLength(1)
})

test('the late answer to an undo does not close the question about another entry', async () => {
  const history = ['h1', 'h2'].map((id) => aHistoryEntry({ id, domain: `${id}.example`, lost: ['exclude_params'] }))
  const { screen, bridge, item, dialog } = await openHistory(...history)
  const held = Promise.withResolvers<undefined>()
  bridge.answer('revertEdit', async () => {
    await held.promise
    return ok(undefined)
  })
  await item.first().getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await item.last().getByRole('button', { name: 'Undo' }).click()
  held.resolve(undefined)
  await expect.element(screen.getByText('The change to h1.example will be undone on the service.')).toBeVisible()
  await expect.element(dialog).toBeVisible()
})

test('moves the focus from the Undo button of an entry to the entry when the button disappears', async () => {
  const { bridge, item, keys } = await openHistory(aHistoryEntry())
  bridge.answer('revertEdit', () => {
    bridge.world.history = [aHistoryEntry({ can: { undo: false, putBack: false } })]
    return ok(undefined)
  })
  item.getByRole('button', { name: 'Undo' }).element().focus()
  await keys('{Enter}')
  await expect.element(item.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  await expect.element(item).toHaveFocus()
})

test('asks before an undo, and names the settings that it can’t restore', async () => {
  const { bridge, item, dialog } = await openHistory(aHistoryEntry({ lost: ['password', 'exclude_params'] }))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(/These settings can’t be restored.*: Statistics password and Excluded URL parameters\./)
  expect(bridge.requests('revertEdit')).toEqual([])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('revertEdit')).toEqual([{ id: 'h1', action: 'undo' }])
})

test('asks before the undo of a create, because it deletes the website and its statistics', async () => {
  const { bridge, item, dialog } = await openHistory(aHistoryEntry({ kind: 'create' }))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(/Undoing this change permanently deletes the website and its statistics/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(bridge.requests('revertEdit')).toEqual([])
})

test('asks for a new password before a deleted website is created again without its statistics', async () => {
  const { bridge, item, dialog } = await openHistory(
    aHistoryEntry({ kind: 'delete', settings: {}, before: { privacy: 2 }, lost: ['password', 'exclude_params'] }),
  )
  await expect.element(item).toMatchTextContent(/Deleted, including its statistics\./)
  await item.getByRole('button', { name: 'Add again…' }).click()
  await expect.element(dialog).toMatchTextContent(/but without its statistics/)
  await dialog.getByRole('button', { name: 'Add again' }).click()
  const password = dialog.getByLabelText('Statistics password', { exact: true })
  await expect.element(password).toHaveFocus()
  const hint = 'Enter the password again. The service never shows passwords.'
  await expect.element(password).toHaveAccessibleDescription(`Enter the statistics password. ${hint}`)
  await password.fill('lantern')
  bridge.answer('revertEdit', () => fail('invalid-input', { fields: { password: ['Too short.'] } }))
  await dialog.getByRole('button', { name: 'Add again' }).click()
  await expect.element(password).toHaveAccessibleDescription(`Too short. ${hint}`)
  expect(bridge.requests('revertEdit')).toEqual([{ id: 'h1', action: 'undo', password: 'lantern' }])
})

test('a second press of “Add again” before the answer asks main only once', async () => {
  const { bridge, item, dialog } = await openHistory(aHistoryEntry({ kind: 'delete', settings: {} }))
  const answered = Promise.withResolvers<undefined>()
  bridge.answer('revertEdit', () => answered.promise.then(() => ok(undefined)))
  await item.getByRole('button', { name: 'Add again…' }).click()
  const again = dialog.getByRole('button', { name: 'Add again' })
  await again.click()
  await expect.element(again).toHaveAttribute('aria-disabled', 'true')
  await again.click({ force: true })
  answered.resolve(undefined)
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('revertEdit')).toHaveLength(1)
})

test('shows at an entry of the activity why its undo failed', async () => {
  const { bridge, item } = await openHistory(aHistoryEntry())
  bridge.answer('revertEdit', () => fail('edit-gone'))
  await item.getByRole('button', { name: 'Undo' }).click()
  await expect.element(item.getByRole('alert')).toMatchTextContent(/no longer pending/)
})

test('says why the undo of a sent delete was refused, although no screen lists the delete', async () => {
  const history = [aHistoryEntry({ kind: 'delete', settings: {}, before: { privacy: 0 } })]
  const { screen, bridge, keys, row } = await openApp({ websites: [aWebsite({ domain })], history })
  bridge.answer('revertEdit', () =>
    fail('invalid-input', { fields: { domain: [`${domain} is already in this account.`] } }),
  )
  await expect.element(row(domain)).toBeVisible()
  await keys('{Control>}z{/Control}')
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Add again' }).click()
  await expect
    .element(screen.getByRole('region', { name: 'Messages' }))
    .toMatchTextContent(/Domain: .?moss-and-stone\.example is already in this account/)
})

test('reads the activity only when it is shown, and then keeps it current', async () => {
  const { screen, bridge, goTo } = await openApp({ history: [] })
  await goTo('Pending')
  bridge.emit('editsChanged', undefined)
  expect(bridge.requests('listActivity')).toEqual([])
  await goTo('Activity')
  await expect.element(screen.getByText('No activity yet')).toBeVisible()
  bridge.world.history = [aHistoryEntry({ became: 'adopted', kind: 'create', settings: {}, before: {} })]
  bridge.emit('editsChanged', undefined)
  await expect.element(screen.getByText('Existing website used', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('The existing website was used.')).toBeVisible()
  await expect.element(screen.getByText('Added.')).not.toBeInTheDocument()
})

test('undoes the last save from the editor, before and after it was sent', async () => {
  const { screen, bridge, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  const save = async () => {
    await form().email.click()
    await form().button('Save').click()
  }
  await save()
  bridge.world.edits = [anEdit({ id: 'e7', domain })]
  await form().button('Undo').click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e7' }])
  await expect.element(screen.getByText(`The change to ${domain} was undone.`)).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  await save()
  bridge.world.history = [aHistoryEntry({ id: 'h7' })]
  await form().button('Undo').click()
  await expect.poll(() => bridge.requests('revertEdit')).toEqual([{ id: 'h7', action: 'undo' }])
})

test('Undo in the editor says that the last save can’t be undone while it is being sent', async () => {
  const { screen, bridge, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  bridge.world.edits = [anEdit({ domain, state: 'sending', can: { undo: false, discard: false, sendNow: false } })]
  await form().button('Undo').click()
  await expect.element(screen.getByText(/The change to .* is being sent and can’t be undone\.$/)).toBeVisible()
})

test('says why the last save can’t be undone after it was sent', async () => {
  const { screen, bridge, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  await form().params.fill('ref')
  await form().button('Save').click()
  const can = { undo: false, putBack: false }
  const settings = { exclude_params: ['ref'] }
  bridge.world.history = [aHistoryEntry({ domain, settings, before: {}, lost: ['exclude_params'], can })]
  await form().button('Undo').click()
  await expect
    .element(
      screen.getByText(
        /was sent and can’t be undone\. This setting can’t be restored.*: Excluded URL parameters\. Open Activity to see what was sent\.$/,
      ),
    )
    .toBeVisible()
})

test('offers Undo for the last save that needs attention only if it can be undone', async () => {
  const { screen, bridge, goTo, row, form } = await openApp({ websites: [aWebsite({ domain })] })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  const can = { undo: false, discard: true, sendNow: true }
  bridge.world.edits = [anEdit({ domain, state: 'parked', reason: 'unread', can })]
  // The window still offers Undo, because it has not been told that the change needs attention.
  await form().button('Undo').click()
  await expect.element(screen.getByText(/needs attention before it can be undone/)).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
  await screen.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.element(screen.getByRole('list', { name: 'Needs attention' })).toBeVisible()

  await goTo('Websites')
  await form().email.click()
  await form().button('Save').click()
  await expect.element(form().button('Undo')).toBeVisible()
  bridge.world.websites = [aWebsite({ domain, state: 'parked' })]
  bridge.emit('websitesChanged', { keys: null })
  bridge.emit('editsChanged', undefined)
  await expect.element(form().button('Undo')).not.toBeInTheDocument()
  bridge.world.edits = [anEdit({ domain, state: 'parked', reason: 'refused', can: { ...can, undo: true } })]
  bridge.emit('editsChanged', undefined)
  await form().button('Undo').click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1' }])
})

test('says why an entry can’t be undone any more', async () => {
  const { item } = await openHistory(aHistoryEntry({ can: { undo: false, putBack: false } }))
  await expect.element(item).toMatchTextContent(/This change has since been undone or overwritten\./)
})

test.each([
  ['which changed nothing', aHistoryEntry({ id: 'e1', became: 'nothing' }), /The service already had these values/],
  ['which was sent', aHistoryEntry({ id: 'e1' }), /was sent and can’t be undone/],
  ['which needs attention', anEdit({ domain, state: 'parked' }), /needs attention before it can be undone/],
] as const)('says why an undo comes too late for a change %s', async (_, became, text) => {
  const { screen, bridge, row, form } = await openApp({ websites: [aWebsite({ domain })], edits: [anEdit({ domain })] })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  bridge.answer('undoEdit', () => {
    bridge.world.edits = 'state' in became ? [became] : []
    bridge.world.history = 'state' in became ? [] : [became]
    return fail('edit-gone')
  })
  await form().button('Undo').click()
  await expect.element(screen.getByText(text)).toBeVisible()
})

test('says that a change is no longer pending if its undo comes too late and its result is not found', async () => {
  const { screen, bridge, row, form } = await openApp({ websites: [aWebsite({ domain })], edits: [anEdit({ domain })] })
  await row(domain).click()
  await form().email.click()
  await form().button('Save').click()
  bridge.answer('undoEdit', () => fail('edit-gone'))
  await form().button('Undo').click()
  await expect
    .element(
      screen.getByText(
        'This change is no longer pending. It was already sent or undone. Open Activity to see the result.',
      ),
    )
    .toBeVisible()
})

const mixedEntries = (): ActivityEntry[] => {
  const at = (hour: number) => new Date(2026, 10, 11, hour).getTime()
  const entry = { website: 'w1', domain }
  return [
    { ...entry, n: 5, kind: 'failed', at: at(9), step: { kind: 'update', reason: 'refused' } },
    { ...entry, n: 4, kind: 'resolved', at: at(8), step: { kind: 'update', way: 'units' } },
    {
      ...entry,
      ...{ n: 3, kind: 'changed', at: at(7) },
      remote: {
        fields: ['privacy', 'exclude_ips', 'password'],
        before: { privacy: 1, exclude_ips: ['10.0.0.1'], password: false },
        after: { privacy: 2, exclude_ips: ['10.0.0.2'], password: true },
      },
    },
    {
      ...{ n: 2, kind: 'deleted', at: at(6), website: null, domain: 'gone.example' },
      remote: { fields: ['privacy'], before: { privacy: 0 }, after: {} },
    },
    { ...entry, n: 1, kind: 'changed', at: at(5), remote: { fields: [], before: {}, after: {} } },
  ]
}

const openActivity = async (world: Parameters<typeof openApp>[0] = {}) => {
  const app = await openApp({ history: [aHistoryEntry()], activity: mixedEntries(), ...world })
  await app.goTo('Activity')
  const items = app.screen.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  const texts = () => items.elements().map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' '))
  return { ...app, items, texts }
}

test('shows what was changed elsewhere, with the values before and after, and why own changes were not sent', async () => {
  const { texts } = await openActivity()
  await expect.poll(texts).toHaveLength(6)
  const [, failed, resolved, changed, deleted, unseen] = texts()
  expect(failed).toMatch(/Needed attention.*The service rejected this change/)
  expect(resolved).toMatch(/Resolved by you.*You chose which values to keep\./)
  expect(changed).toMatch(/Changed elsewhere.*Privacy: Private → Password.*\+.10\.0\.0\.2 −.10\.0\.0\.1/)
  expect(changed).toMatch(/A statistics password was set\./)
  expect(deleted).toMatch(/gone\.example.*Deleted elsewhere.*Settings before the deletion: privacy \(Public\)\./)
  expect(unseen).toMatch(/A setting that the service doesn’t show was changed\./)
})

test('says that the domain of a website was changed elsewhere, and does not call it a setting that the service does not show', async () => {
  const [entry] = mixedEntries().slice(-1)
  const remote = { fields: ['domain' as const], before: {}, after: {} }
  const { texts } = await openActivity({ history: [], activity: entry ? [{ ...entry, remote }] : [] })
  await expect.poll(() => texts().join()).toMatch(/Changed elsewhere.*The domain was changed\./)
  expect(texts().join()).not.toMatch(/doesn’t show/)
})

test('filters by website, author, kind and date', async () => {
  const { screen, bridge, items } = await openActivity()
  await expect.element(items).toHaveLength(6)
  await screen.getByLabelText('Source').selectOptions('Elsewhere')
  await expect.element(items).toHaveLength(3)
  await screen.getByLabelText('Type').selectOptions('Deleted elsewhere')
  await expect.element(items).toHaveLength(1)
  await screen.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(items).toHaveLength(6)
  await screen.getByLabelText('Website').fill('gone.example')
  document.querySelector<HTMLInputElement>('input[type=search]')?.blur()
  await expect.element(items).toHaveLength(1)
  await screen.getByLabelText('From').fill('2026-11-12')
  document.querySelector<HTMLInputElement>('input[type=date]')?.blur()
  await expect.element(screen.getByText('No matching activity')).toBeVisible()
  expect(bridge.requests('listActivity').at(-1)).toMatchObject({
    domain: 'gone.example',
    from: new Date(2026, 10, 12).getTime(),
  })
})

test('filters by a date that is typed digit by digit, also in place of another date', async () => {
  const { screen, items, keys } = await openActivity()
  await expect.element(items).toHaveLength(6)
  const until = screen.getByLabelText('To', { exact: true })
  ;(until.element() as HTMLElement).focus()
  await keys('11102026')
  await expect.element(until).toHaveValue('2026-11-10')
  await expect.element(items).toHaveLength(0)
  ;(until.element() as HTMLElement).blur()
  ;(until.element() as HTMLElement).focus()
  await keys('11102027')
  await expect.element(until).toHaveValue('2027-11-10')
  await expect.element(items).toHaveLength(6)
})

test('keeps what is typed as the website, although the suggestions for an earlier text arrive late', async () => {
  const { screen, bridge, keys } = await openActivity()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('listWebsites', async ({ search }) => {
    const websites = search === domain ? [aWebsite({ domain })] : []
    if (search === domain) await held.promise
    return ok({ websites, matching: websites.length, total: 1, page: 1, pages: 1 })
  })
  const website = screen.getByLabelText('Website')
  await website.fill(domain)
  await website.fill(`${domain}.or`)
  held.resolve(undefined)
  await keys('g')
  await expect.element(website).toHaveValue(`${domain}.org`)
})

test('filters by a website whose domain the service spells with “www.”', async () => {
  const { screen, bridge } = await openActivity({ websites: [aWebsite({ domain: `www.${domain}` })] })
  const website = screen.getByLabelText('Website')
  const asked = () =>
    bridge.requests('listActivity').flatMap((request) => ('domain' in request && request.domain) || [])
  await website.fill(`www.${domain}`)
  await expect.poll(asked).toEqual([`www.${domain}`])
  ;(website.element() as HTMLElement).blur()
  await website.fill('https://www.other.example/')
  ;(website.element() as HTMLElement).blur()
  await expect.poll(asked).toEqual([`www.${domain}`, 'other.example'])
})

test('suggests a domain once, although a website that is being deleted was added again with the same domain', async () => {
  const twice = [aWebsite({ domain }), aWebsite({ key: 'w2', domain, state: 'deleting' })]
  const { screen, items, bridge } = await openActivity({ websites: twice })
  await expect.element(items).toHaveLength(6)
  await screen.getByLabelText('Website').fill(domain)
  await expect.poll(() => bridge.requests('listActivity').at(-1)).toMatchObject({ domain })
  await expect.element(items).toHaveLength(5)
  expect(document.querySelectorAll('datalist option')).toHaveLength(1)
})

test('keeps the older entries shown when the field with the chosen website gets the focus', async () => {
  const history = Array.from({ length: 70 }, (_, n) => aHistoryEntry({ id: `h${String(n)}`, at: 1000 - n }))
  const { screen, bridge, items, keys } = await openActivity({
    history,
    activity: [],
    websites: [aWebsite({ domain })],
  })
  const website = screen.getByLabelText('Website')
  await website.fill(domain)
  await screen.getByRole('button', { name: 'Show older entries' }).click()
  await expect.element(items).toHaveLength(70)
  ;(website.element() as HTMLElement).focus()
  await expect.poll(() => bridge.requests('listWebsites').filter(({ search }) => search === domain)).toHaveLength(2)
  await keys('{End}')
  expect(items.elements()).toHaveLength(70)
})

test('shows the changes since the time of a notification, by a filter that can be removed', async () => {
  const { screen, bridge, items } = await openActivity()
  await expect.element(items).toHaveLength(6)
  const from = new Date(2026, 10, 12, 14, 3, 7).getTime()
  bridge.leadTo({ to: 'activity', filter: { author: 'own', kind: 'delivered', from } })
  const since = screen.getByRole('button', { name: /^Remove filter: Since Nov 12, 2026, 2:03/ })
  await expect.element(since).toBeVisible()
  expect(bridge.requests('listActivity').at(-1)).toMatchObject({ author: 'own', kind: 'delivered', from })
  await expect.element(screen.getByLabelText('From')).toHaveValue('')
  // The whole filter fits into a narrow window.
  await page.viewport(480, 740)
  await expect.poll(() => since.element().scrollWidth - since.element().clientWidth).toBe(0)
  await since.click()
  await expect.element(since).not.toBeInTheDocument()
  await expect
    .poll(() => bridge.requests('listActivity').at(-1))
    .toEqual({ author: 'own', kind: 'delivered', limit: 50 })
})

test.each([
  { width: 480, beside: false },
  { width: 1180, beside: true },
])('the buttons of all entries are in line in a window $width wide', async ({ width, beside }) => {
  await page.viewport(width, 740)
  const { item } = await openHistory(
    aHistoryEntry(),
    aHistoryEntry({ id: 'h2', kind: 'delete', can: { undo: false, putBack: true } }),
  )
  await expect.poll(() => item.elements()).toHaveLength(2)
  for (const entry of item.elements()) {
    const [text, buttons] = entry.querySelector('.head')?.children ?? []
    if (!text || !buttons) throw new Error('The entry has no buttons.')
    expect(buttons.getBoundingClientRect().top < text.getBoundingClientRect().bottom).toBe(beside)
  }
})

test('the website filter has a row of its own in a narrow window', async () => {
  await page.viewport(480, 740)
  const { screen } = await openHistory()
  const website = screen.getByLabelText('Website').element()
  await expect.poll(() => website.getBoundingClientRect().width).toBeGreaterThan(400)
})

test('shows exactly the changes of a notification, by a filter that can be removed', async () => {
  const { screen, bridge, items } = await openActivity()
  await expect.element(items).toHaveLength(6)
  const since = new Date(2026, 10, 11, 5).getTime()
  bridge.leadTo({
    to: 'activity',
    filter: { author: 'remote', notified: { since, after: 0, until: 5, groups: ['published', 'deleted'] } },
  })
  const chip = screen.getByRole('button', {
    name: /^Remove filter: Changes in the notification, since Nov 11, 2026, 5:00/,
  })
  await expect.element(chip).toBeVisible()
  await expect.element(items).toHaveLength(1)
  await expect.element(items.first()).toMatchTextContent(/gone\.example/)
  // The list shows the changes that a notification was about. A date narrows the list further.
  await screen.getByLabelText('From').fill('2026-11-12')
  document.querySelector<HTMLInputElement>('input[type=date]')?.blur()
  await expect.element(screen.getByText('No matching activity')).toBeVisible()
  await screen.getByLabelText('From').fill('')
  document.querySelector<HTMLInputElement>('input[type=date]')?.blur()
  await expect.element(items).toHaveLength(1)
  await chip.click()
  await expect.element(chip).not.toBeInTheDocument()
  await expect.element(items).toHaveLength(3)
})

test('shows older entries of the activity on request, and keeps them shown when a new entry arrives', async () => {
  const history = Array.from({ length: 70 }, (_, n) => aHistoryEntry({ id: `h${String(n)}`, at: 1000 - n }))
  const { screen, bridge, items } = await openActivity({ history, activity: [] })
  await expect.element(items).toHaveLength(50)
  await screen.getByRole('button', { name: 'Show older entries' }).click()
  await expect.element(items).toHaveLength(70)
  await expect.element(screen.getByRole('button', { name: 'Show older entries' })).not.toBeInTheDocument()
  bridge.world.history.unshift(aHistoryEntry({ id: 'new' }))
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(items).toHaveLength(71)
})

test('exports only the entries that match the filter', async () => {
  const { screen, bridge } = await openActivity()
  await screen.getByLabelText('Source').selectOptions('Elsewhere')
  await screen.getByRole('button', { name: 'Export as CSV…' }).click()
  await expect.element(screen.getByText('6 entries exported.')).toBeVisible()
  expect(bridge.requests('exportActivity')).toEqual([{ author: 'remote' }])
})

test('the error of an export stays visible while changes are sent and after a visit to another screen, until the filter changes', async () => {
  const { screen, bridge, goTo } = await openActivity()
  bridge.answer('exportActivity', () => fail('disk-full'))
  await screen.getByRole('button', { name: 'Export as CSV…' }).click()
  const alert = screen.getByRole('alert').filter({ hasText: /disk is full/ })
  await expect.element(alert).toBeVisible()
  const reads = bridge.requests('listActivity').length
  bridge.emit('editsChanged', undefined)
  await expect.poll(() => bridge.requests('listActivity').length).toBeGreaterThan(reads)
  await goTo('Pending')
  await goTo('Activity')
  await expect.element(alert).toBeVisible()
  await screen.getByLabelText('Source').selectOptions('Elsewhere')
  await expect.element(alert).not.toBeInTheDocument()
})

test('says that an export of the activity stopped because another account was shown, and shows no error on the Activity screen of that account', async () => {
  const { screen, bridge, goTo } = await openActivity()
  const answer = Promise.withResolvers<ReturnType<typeof fail>>()
  bridge.answer('exportActivity', () => answer.promise)
  await screen.getByRole('button', { name: 'Export as CSV…' }).click()
  await expect.poll(() => bridge.requests('exportActivity')).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  answer.resolve(fail('no-connection'))
  await expect.element(screen.getByText('Export stopped. No file was saved.')).toBeVisible()
  await goTo('Activity')
  await expect.element(screen.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
  expect(screen.getByRole('alert').elements()).toEqual([])
})

test('an export that fails after the filter was changed reports the error in a toast, and not beside the entries of the new filter', async () => {
  const { screen, bridge } = await openActivity()
  const answer = Promise.withResolvers<ReturnType<typeof fail>>()
  bridge.answer('exportActivity', () => answer.promise)
  await screen.getByRole('button', { name: 'Export as CSV…' }).click()
  await screen.getByLabelText('Source').selectOptions('Elsewhere')
  answer.resolve(fail('disk-full'))
  await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent(/disk is full/)
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
})

test('the activity and its filters are accessible', async () => {
  await openActivity()
  await expectAccessible()
})

test('restores an earlier version of a website through the form', async () => {
  const website = aWebsite({ key: 'w1', domain, privacy: 2, email: true, exclude_ips: ['10.0.0.2'] })
  const { screen, bridge, row, form } = await openApp({
    websites: [website],
    history: [aHistoryEntry()],
    activity: mixedEntries(),
  })
  await row(domain).click()
  await screen.getByRole('tab', { name: 'History' }).click()
  const items = screen.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect.element(items).toHaveLength(5)
  // There is no such button for the latest version, which is the current one, or for a change that was not sent.
  expect(items.elements().map((one) => one.textContent.includes('Restore this version'))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
  await expectAccessible()
  bridge.answer('getVersion', () => ok({ privacy: 1, email: true, exclude_ips: ['10.0.0.1'] }))
  await items.nth(3).getByRole('button', { name: 'Restore this version' }).click()
  await expect.element(screen.getByText(/^Version from/)).toBeVisible()
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  await expect
    .poll(() => bridge.requests('previewSave').at(-1))
    .toMatchObject({
      changes: { privacy: 1, exclude_ips: ['10.0.0.1'] },
    })
  expect(bridge.requests('getVersion')).toEqual([{ website: 'w1', n: 3, side: 'after' }])
  expect(bridge.requests('updateWebsite')).toEqual([])
  await form().button('Save').click()
  await expect
    .poll(() => bridge.requests('updateWebsite'))
    .toMatchObject([{ key: 'w1', changes: { privacy: 1, exclude_ips: ['10.0.0.1'] } }])
  await expect.element(screen.getByText(/^Version from/)).not.toBeInTheDocument()
})

test('restores the version before a remote change, even if this change is the only entry of the history', async () => {
  const at = new Date(2026, 10, 11, 7).getTime()
  const remote = { fields: ['privacy' as const], before: { privacy: 1 as const }, after: { privacy: 0 as const } }
  const { screen, bridge, row, form } = await openApp({
    websites: [aWebsite({ key: 'w1', domain, privacy: 0, email: true })],
    history: [],
    activity: [{ n: 1, kind: 'changed', at, website: 'w1', domain, remote }],
  })
  await row(domain).click()
  await screen.getByRole('tab', { name: 'History' }).click()
  bridge.answer('getVersion', ({ side }) => ok({ privacy: side === 'before' ? 1 : 0, email: true }))
  await screen.getByRole('button', { name: 'Restore previous version' }).click()
  await expect.element(screen.getByText(/^Version before/)).toBeVisible()
  await form().button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')).toMatchObject([{ key: 'w1', changes: { privacy: 1 } }])
})

describe('an earlier version', () => {
  /** Opens the history of a website whose list of addresses the user has changed, and restores an earlier version. */
  async function restoring() {
    const [website, other] = [aWebsite({ domain, email: true }), aWebsite({ key: 'w2', domain: 'other.example' })]
    const app = await openApp({ websites: [website, other], activity: mixedEntries() })
    await app.row(domain).click()
    await app.form().ips.fill('192.0.2.1')
    await app.screen.getByRole('tab', { name: 'History' }).click()
    let answer = (): void => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    app.bridge.answer('getVersion', () => slow.then(() => ok({ privacy: 0, email: false, exclude_ips: [] })))
    await app.screen.getByRole('button', { name: 'Restore this version' }).first().click()
    return { ...app, answer }
  }

  test('replaces unsaved text only after a question that says so', async () => {
    const { screen, form, answer } = await restoring()
    const question = screen.getByRole('alertdialog', { name: 'Replace unsaved changes?' })
    answer()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await screen.getByRole('tab', { name: 'Settings' }).click()
    await expect.element(form().ips).toHaveValue('192.0.2.1')
    await expect.element(form().email).toBeChecked()
    await screen.getByRole('tab', { name: 'History' }).click()
    await screen.getByRole('button', { name: 'Restore this version' }).first().click()
    await question.getByRole('button', { name: 'Replace' }).click()
    await expect.element(form().ips).toHaveValue('')
    await expect.element(form().email).not.toBeChecked()
  })

  test('that has no password does not replace a typed password if the user chooses to keep editing', async () => {
    const website = aWebsite({ domain, privacy: 2, password: true })
    const { screen, bridge, row, form } = await openApp({ websites: [website], activity: mixedEntries() })
    bridge.answer('getVersion', () => ok({ privacy: 0 }))
    await row(domain).click()
    await form().password.fill('typed-password')
    await screen.getByRole('tab', { name: 'History' }).click()
    await screen.getByRole('button', { name: 'Restore this version' }).first().click()
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await screen.getByRole('tab', { name: 'Settings' }).click()
    await expect.element(form().password).toHaveValue('typed-password')
  })

  test('that arrives after the user has opened another website does not change the form of that website', async () => {
    const { screen, row, form, answer } = await restoring()
    await row('other.example').click()
    await screen.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(form().domain).toHaveValue('other.example')
    answer()
    await form().email.click()
    await expect.element(form().privacy('Private')).toBeChecked()
  })
})

test('opens the history of a website from the activity, unless the website is gone', async () => {
  const { screen, items } = await openActivity({ websites: [aWebsite({ key: 'w1', domain })] })
  await expect.element(screen.getByRole('button', { name: 'gone.example' })).not.toBeInTheDocument()
  await items.nth(3).getByRole('button', { name: domain }).click()
  await expect.element(screen.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
})

test('says that an earlier version needs no restore because it has the current values', async () => {
  const { screen, row } = await openApp({
    websites: [aWebsite({ domain })],
    history: [aHistoryEntry()],
    activity: mixedEntries(),
  })
  await row(domain).click()
  await screen.getByRole('tab', { name: 'History' }).click()
  await screen.getByRole('button', { name: 'Restore this version' }).first().click()
  await expect.element(screen.getByText('The website already has these values.')).toBeVisible()
})

test('says why a change needed attention, without a guess at the value in conflict or at who has the domain', async () => {
  const step = (n: number, kind: EditStep['kind'], reason: WaitReason): ActivityEntry => ({
    ...{ n, kind: 'failed', website: 'w1', domain, at: new Date(2026, 10, 11, n).getTime() },
    step: { kind, reason },
  })
  // A new password and a delete conflict with a change of any field, and a domain that is taken may be the user's own.
  const activity = [
    step(4, 'update', 'conflict'),
    step(3, 'delete', 'conflict'),
    step(2, 'create', 'domain-taken'),
    step(1, 'create', 'password'),
    step(0, 'create', 'gone'),
  ]
  const { texts } = await openActivity({ history: [], activity })
  await expect
    .poll(texts)
    .toEqual([
      expect.stringMatching(/This website was changed elsewhere\.$/),
      expect.stringMatching(/This website was changed elsewhere\.$/),
      expect.stringMatching(/This domain is already in use on the service\.$/),
      expect.stringMatching(/The statistics password was missing\.$/),
      expect.stringMatching(/The service accepted this new website, but doesn’t list it\.$/),
    ])
})

test('says only at the latest change of a website’s password that the password can’t be restored', async () => {
  const password = {
    ...{ settings: { privacy: 2 as const }, before: { privacy: 2 as const }, password: true },
    ...{ lost: ['password' as const], can: { undo: false, putBack: false } },
  }
  const { screen, goTo } = await openApp({
    history: [
      aHistoryEntry({ ...password, id: 'h3' }),
      aHistoryEntry({ ...password, id: 'h2' }),
      aHistoryEntry({ ...password, id: 'h1', website: 'w2', domain: 'other.example' }),
    ],
  })
  await goTo('Activity')
  const items = screen.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  const [newest, older, other] = [items.nth(0), items.nth(1), items.nth(2)]
  await expect.element(newest).toMatchTextContent(/can’t be restored.*: Statistics password\./)
  await expect.element(older).toMatchTextContent(/This change has since been undone or overwritten\./)
  await expect.element(older).not.toMatchTextContent(/can’t be restored/)
  await expect.element(other).toMatchTextContent(/can’t be restored.*: Statistics password\./)
})
