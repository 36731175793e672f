import { page } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { EditView, WaitReason } from '../../src/shared/edit.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { aConflict, aConnection, anAppState, anEdit, aParked } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const offline = { state: 'offline', since: Date.now(), error: { code: 'unreachable', message: '' } } as const
const three = () => ['a', 'b', 'c'].map((name) => anEdit({ id: name, domain: `${name}.example` }))

test('summarizes how many changes will be sent, how long that takes, and how many need attention', async () => {
  const { screen, bridge, goTo } = await openApp({
    edits: [aParked(), ...three().slice(0, 2)],
    state: anAppState({ reach: offline, waiting: 2, parked: 1, delivery: { done: 0, total: 3, seconds: 2.4 } }),
  })
  await goTo('Pending')
  await expect
    .element(
      screen.getByText('3 changes: 2 will be sent about 3 sec after the service can be reached, 1 needs attention'),
    )
    .toBeVisible()
  bridge.setState({ reach: { state: 'online' }, delivery: { done: 0, total: 3, seconds: null } })
  await expect.element(screen.getByText('3 changes: 2 will be sent, 1 needs attention')).toBeVisible()
  bridge.world.edits = [aParked()]
  bridge.emit('editsChanged', undefined)
  await expect.element(screen.getByRole('main').getByText('1 change needs attention')).toBeVisible()
  bridge.world.edits = three()
  bridge.emit('editsChanged', undefined)
  await expect.element(screen.getByRole('main').getByText('3 changes will be sent')).toBeVisible()
})

test('says neither that changes wait for the connection nor that they are sent once online, while the service rejects all requests', async () => {
  const error = { code: 'forbidden', message: '', status: 403 } as const
  const { screen, goTo } = await openApp({
    edits: three(),
    state: anAppState({ reach: { ...offline, error }, waiting: 3, delivery: { done: 0, total: 3, seconds: 2.4 } }),
  })
  await goTo('Pending')
  await expect.element(screen.getByRole('main').getByText('3 changes will be sent', { exact: true })).toBeVisible()
  await expect
    .element(screen.getByRole('listitem', { name: 'a.example' }))
    .toMatchTextContent(/Waiting for the service/)
})

test('does not say that changes are sent once online, while the service is under maintenance', async () => {
  const error = { code: 'unavailable', message: '', status: 503, retryAfter: 45 } as const
  const { screen, goTo } = await openApp({
    edits: three(),
    state: anAppState({ reach: { ...offline, error }, waiting: 3, delivery: { done: 0, total: 3, seconds: 45 } }),
  })
  await goTo('Pending')
  await expect.element(screen.getByRole('main').getByText('3 changes will be sent', { exact: true })).toBeVisible()
})

test('while the service limits requests, each change says when it is tried again, and the summary gives no time', async () => {
  const nextAt = Date.now() + 40_000
  const { screen, goTo } = await openApp({
    edits: three().map((edit) => ({ ...edit, reason: 'rate', nextAt })),
    state: anAppState({ waiting: 3, delivery: { done: 0, total: 3, seconds: 43 } }),
  })
  await goTo('Pending')
  await expect.element(screen.getByRole('main').getByText('3 changes will be sent', { exact: true })).toBeVisible()
  await expect
    .element(screen.getByRole('listitem', { name: 'a.example' }))
    .toMatchTextContent(/The service is limiting requests\. Next attempt/)
})

test('does not blame the service while the app itself limits its requests', async () => {
  const nextAt = Date.now() + 40_000
  const { screen, goTo } = await openApp({ edits: three().map((edit) => ({ ...edit, reason: 'budget', nextAt })) })
  await goTo('Pending')
  const change = screen.getByRole('listitem', { name: 'a.example' })
  await expect
    .element(change)
    .toMatchTextContent(/Siteward limits how many requests it sends per minute\. Next attempt/)
  await expect.element(change.getByText('Waiting for the service')).not.toBeInTheDocument()
})

test('“Import…” and “Export…” stay where they are when all changes are sent and “Send now” disappears', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: [aParked(), ...three()] })
  await goTo('Pending')
  const places = () =>
    ['Import…', 'Export…'].map((name) => screen.getByRole('button', { name }).element().getBoundingClientRect().x)
  await expect.element(screen.getByRole('button', { name: 'Send now' })).toBeVisible()
  const before = places()
  bridge.world.edits = [aParked()]
  bridge.emit('editsChanged', undefined)
  await expect.element(screen.getByRole('button', { name: 'Send now' })).not.toBeInTheDocument()
  expect(places()).toEqual(before)
  bridge.world.edits = []
  bridge.emit('editsChanged', undefined)
  await expect.element(screen.getByRole('button', { name: 'Export…' })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Import…' }).element().getBoundingClientRect().x).toBe(before[0])
})

test('in a narrow window, no line of the status begins with a separator', async () => {
  await page.viewport(480, 740)
  const error = { code: 'forbidden', message: '', status: 403 } as const
  const { screen } = await openApp({ state: anAppState({ reach: { ...offline, error }, waiting: 1 }) })
  const status = screen.getByRole('status')
  await expect.element(status.getByText('1 change pending')).toBeVisible()
  const textOf = (element: Element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect()
  }
  const parts = [...status.element().querySelectorAll(':scope > strong, :scope > span')].map(textOf)
  const start = parts[0]?.left
  expect(parts).toHaveLength(3)
  expect(parts.filter(({ left }) => left === start).length).toBeGreaterThan(1)
  for (const [n, { left, top }] of parts.entries())
    expect(left === start || top < (parts[n - 1]?.bottom ?? 0)).toBe(true)
})

test('shows the progress of a delivery, and does not announce each step', async () => {
  const { screen, bridge, goTo } = await openApp({
    edits: three(),
    state: anAppState({ waiting: 28, delivery: { done: 12, total: 40, seconds: 40 } }),
  })
  await goTo('Pending')
  const progress = screen.getByRole('progressbar', { name: '12 of 40 sent, about 40 sec left' })
  await expect.element(progress).toHaveAttribute('value', '12')
  await expect.element(screen.getByRole('status')).toMatchTextContent(/12 of 40 sent, about 40 sec left/)
  await expect.element(screen.getByRole('status')).toHaveAttribute('aria-live', 'off')
  bridge.setState({ delivery: { done: 20, total: 40, seconds: null } })
  await expect.element(screen.getByRole('progressbar', { name: '20 of 40 sent', exact: true })).toBeVisible()
  bridge.setState({ waiting: 0, delivery: null })
  await expect.element(screen.getByRole('progressbar')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('status')).toHaveAttribute('aria-live', 'polite')
})

test('says in the status that another service answered, and that the network may require a sign-in', async () => {
  const error = { code: 'not-the-service', message: '' } as const
  const { screen } = await openApp({ state: anAppState({ reach: { ...offline, error }, waiting: 1 }) })
  const status = screen.getByRole('status')
  await expect.element(status).toMatchTextContent(/Offline since/)
  await expect.element(status.getByText('A different service responded at this address.')).toBeVisible()
  await expect.element(status.getByText('This network may require you to sign in.')).toBeVisible()
})

test('focuses the next edit when the focused one is undone, and the screen when none is left', async () => {
  const { screen, goTo, keys } = await openApp({ edits: three() })
  await goTo('Pending')
  const item = (name: string) => screen.getByRole('listitem', { name: `${name}.example` })
  item('b').getByRole('button', { name: 'Undo' }).element().focus()
  await keys('{Enter}')
  await expect.element(item('c')).toHaveFocus()
  await keys('{Tab}{Tab}')
  await expect.element(item('c').getByRole('button', { name: 'Undo' })).toHaveFocus()
  await keys('{Enter}')
  await expect.element(item('a')).toHaveFocus()
  await keys('{Tab}{Tab}{Enter}')
  await expect.element(screen.getByText('No pending changes')).toBeVisible()
  await expect.element(screen.getByRole('region', { name: 'Pending changes' })).toHaveFocus()
})

test('a second click on Undo before the first is answered sends no second undo', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: three() })
  const held = Promise.withResolvers<undefined>()
  bridge.answer('undoEdit', async () => {
    await held.promise
    return ok('undone')
  })
  await goTo('Pending')
  await screen.getByRole('listitem', { name: 'a.example' }).getByRole('button', { name: 'Undo' }).dblClick()
  held.resolve(undefined)
  await expect.element(screen.getByText('The change to a.example was undone.').first()).toBeVisible()
  expect(bridge.requests('undoEdit')).toHaveLength(1)
})

test('continues with the next edit after discarding by keyboard', async () => {
  const can = { undo: false, discard: true, sendNow: false }
  const { screen, goTo, keys } = await openApp({ edits: three().map((edit) => ({ ...edit, can })) })
  await goTo('Pending')
  screen.getByRole('button', { name: 'Discard…' }).first().element().focus()
  await keys('{Enter}')
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await keys('{Tab}{Enter}')
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('listitem', { name: 'b.example' })).toHaveFocus()
})

test('focuses the edit when its buttons disappear because it is being sent', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: three() })
  await goTo('Pending')
  const item = screen.getByRole('listitem', { name: 'b.example' })
  item.getByRole('button', { name: 'Undo' }).element().focus()
  const can = { undo: false, discard: false, sendNow: false }
  const sending = anEdit({ id: 'b', domain: 'b.example', state: 'sending', reason: null, kind: 'delete', can })
  bridge.world.edits = bridge.world.edits.with(1, sending)
  bridge.emit('editsChanged', undefined)
  await expect.element(item).toMatchTextContent(/Sending/)
  await expect.element(item).toHaveFocus()
})

test.each([
  {
    kind: 'create' as const,
    title: 'Delete a.example?',
    body: /permanently deletes the website and its statistics/,
    action: 'Delete',
    done: 'a.example will be deleted.',
  },
  {
    kind: 'delete' as const,
    title: 'Add a.example again?',
    body: /without its statistics/,
    action: 'Add again',
    done: 'a.example will be added again.',
  },
])('asks before the undo of a $kind that was sent', async ({ kind, title, body, action, done }) => {
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({ domain: 'a.example', kind, state: 'sending' })] })
  bridge.answer('undoEdit', ({ agreed }) => ok(agreed === true ? 'queued' : 'asks'))
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Undo' }).click()
  const dialog = screen.getByRole('alertdialog', { name: title })
  await expect.element(dialog).toMatchTextContent(body)
  expect(bridge.requests('undoEdit')).toEqual([{ id: 'e1' }])
  await dialog.getByRole('button', { name: action }).click()
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1' }, { id: 'e1', agreed: true }])
  await expect.element(screen.getByText(done).first()).toBeVisible()
})

const parkedDelete = (reason: WaitReason, change: Partial<EditView> = {}): EditView =>
  aParked({ kind: 'delete', settings: {}, fields: [], reason, ways: [], conflict: null, ...change })

test.each(['refused', 'failing', 'restored', 'unread'] as const)(
  'says that a parked delete deletes the website if its reason “%s” does not say so',
  async (reason) => {
    const { screen, goTo } = await openApp({ edits: [parkedDelete(reason)] })
    await goTo('Pending')
    const item = screen.getByRole('listitem', { name: 'kestrel-press.example' })
    await expect.element(item).toMatchTextContent(/Your change: delete the website and its statistics\./)
  },
)

test.each([
  ['change', aParked({ reason: 'conflict', ways: [], conflict: null }), /Your change: /],
  ['delete', parkedDelete('conflict', { ways: ['delete', 'keep'] }), /Your change: delete the website/],
])('a parked %s that was made for another domain names both domains', async (_, edit, summary) => {
  const { screen, goTo } = await openApp({ edits: [{ ...edit, madeForDomain: 'former.example' }] })
  await goTo('Pending')
  const item = screen.getByRole('listitem', { name: 'kestrel-press.example' })
  await expect
    .element(item)
    .toMatchTextContent(/made for former\.example, but the domain of this website is kestrel-press\.example/)
  await expect.element(item).toMatchTextContent(summary)
  await expect.element(item).not.toMatchTextContent(/elsewhere/)
})

test.each([
  ['conflict', ['delete', 'keep'], /Do you still want to delete it/],
  ['vanished', ['recreate'], /The deletion seemed to have failed/],
] as const)('does not repeat what a parked delete does if its reason “%s” says so', async (reason, ways, text) => {
  const { screen, goTo } = await openApp({ edits: [parkedDelete(reason, { ways: [...ways] })] })
  await goTo('Pending')
  const item = screen.getByRole('listitem', { name: 'kestrel-press.example' })
  await expect.element(item).toMatchTextContent(text)
  await expect.element(item).not.toMatchTextContent(/Your change/)
})

test('advises to send a rejected delete again, because it has no values to correct', async () => {
  const error = { code: 'invalid' as const, message: 'Not now.' }
  const { screen, goTo } = await openApp({ edits: [parkedDelete('refused', { error })] })
  await goTo('Pending')
  const item = screen.getByRole('listitem', { name: 'kestrel-press.example' })
  await expect.element(item).toMatchTextContent(/Send this change again, or discard it\./)
  await expect.element(item).not.toMatchTextContent(/Correct the values/)
})

test('says that a website was kept, after the undo of its delete', async () => {
  const removal = anEdit({ kind: 'delete', domain: 'a.example', settings: {}, fields: [], reason: 'undo' })
  const { screen, goTo } = await openApp({ edits: [removal] })
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText('a.example was kept.')).toBeInTheDocument()
})

test('announces what was undone or discarded', async () => {
  const can = { undo: false, discard: true, sendNow: false }
  const [first = anEdit(), second = anEdit()] = three()
  const { screen, goTo } = await openApp({ edits: [first, { ...second, state: 'parked', reason: 'refused', can }] })
  await goTo('Pending')
  const announcement = screen.getByText(/was undone|was discarded/)
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(announcement).toHaveTextContent('The change to a.example was undone.')
  await expect.element(announcement).toHaveAttribute('aria-live', 'polite')
  await screen.getByRole('button', { name: 'Discard…' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect.element(announcement).toHaveTextContent('The change to b.example was discarded.')
})

test('says the reason and the error of each pending edit only once', async () => {
  const nextAt = Date.now() + 60_000
  const error = { code: 'unavailable', message: 'Server Error', status: 500 } as const
  const fields = { domain: ['The domain has already been taken.'] }
  const { screen, goTo } = await openApp({
    edits: [
      anEdit({ id: 'a', domain: 'a.example', reason: 'backoff', error, nextAt }),
      anEdit({ id: 'b', domain: 'b.example', kind: 'delete', reason: 'undo', nextAt, settings: {} }),
      aParked({
        ...{ id: 'c', domain: 'c.example', kind: 'create', reason: 'domain-taken', conflict: null, ways: [] },
        error: { code: 'invalid', message: '', fields, status: 422 },
      }),
      anEdit({
        ...{ id: 'd', domain: 'd.example', reason: 'backoff', nextAt },
        error: { code: 'invalid', message: 'The plan has none.', status: 422 },
      }),
    ],
  })
  await goTo('Pending')
  const item = (name: string) => screen.getByRole('listitem', { name: `${name}.example` })
  await expect.element(item('d')).toMatchTextContent(/The service rejected.*The service says: “The plan has none\.”/)
  await expect.element(item('a')).toMatchTextContent(/The service reported an error\. Next attempt/)
  await expect.element(item('a')).not.toMatchTextContent(/Server Error|HTTP status/)
  await item('a').getByText('Details').click()
  await expect.element(item('a')).toMatchTextContent(/The service says: “Server Error”.*HTTP status 500/)
  await expect
    .element(item('b'))
    .toMatchTextContent(/Will be deleted.*The website’s statistics will be permanently deleted too\./)
  await expect.element(item('b')).not.toMatchTextContent(/Will be deleted.*Will be deleted/)
  await expect
    .element(item('c'))
    .toMatchTextContent(/already in use on the service, possibly.*“Domain: The domain has already been/)
  await expect.element(item('c')).not.toMatchTextContent(/The service rejected/)
})

test('requests and shows only one page of ten thousand edits', async () => {
  const edits = Array.from({ length: 10_000 }, (_, i) => anEdit({ id: `e${i}`, domain: `site-${i}.example` }))
  const { screen, bridge, goTo } = await openApp({ edits, state: anAppState({ waiting: 10_000 }) })
  await goTo('Pending')
  await expect.element(screen.getByText('1 of 200')).toBeVisible()
  expect(screen.getByRole('listitem').elements()).toHaveLength(50)
  await screen.getByRole('button', { name: 'Next page' }).click()
  await expect.element(screen.getByRole('listitem', { name: 'site-50.example' })).toBeVisible()
  expect(bridge.requests('listEdits').every(({ per_page }) => per_page <= 100)).toBe(true)
})

test.each([640, 480])(
  'shows the number of ten thousand edits beside the name of the screen, not over it, in a window %i wide',
  async (width) => {
    await page.viewport(width, 700)
    const { screen } = await openApp({ state: anAppState({ waiting: 10_000, parked: 1 }) })
    const button = screen.getByRole('button', { name: 'Pending' }).element()
    const number = screen.getByText('10,001').element().getBoundingClientRect()
    const seen = [...button.children].map((part) => part.getBoundingClientRect()).filter((part) => part.width > 1)
    expect(seen).toHaveLength(width === 640 ? 2 : 1)
    expect(number.left).toBeGreaterThan(Math.max(...seen.map(({ right }) => right)))
  },
)

test('shortens a long request, and shows the whole on request', async () => {
  const value = Array.from({ length: 300 }, (_, i) => `198.51.100.${i}`).join('\n')
  const request = { method: 'PUT', path: '/api/v1/websites/1', form: [['exclude_ips', value]] as [string, string][] }
  const { screen, goTo } = await openApp({ edits: [anEdit({ request })] })
  await goTo('Pending')
  await screen.getByText('Details').click()
  await expect.element(screen.getByText(/198\.51\.100\.299/)).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Show more' }).click()
  await expect.element(screen.getByText(/198\.51\.100\.298⏎198\.51\.100\.299/)).toBeVisible()
})

test('says how many passwords an export of pending changes left out', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: three() })
  await goTo('Pending')
  bridge.answer('exportEdits', () => ok({ saved: true, edits: 3, secrets: 2 }))
  await screen.getByRole('button', { name: 'Export…' }).click()
  await expect
    .element(screen.getByRole('region', { name: 'Messages' }))
    .toMatchTextContent(/3 changes exported\. 2 statistics passwords aren’t included/)
})

test('says nothing if the user cancels an export of pending changes', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: three() })
  await goTo('Pending')
  bridge.answer('exportEdits', () => ok({ saved: false, edits: 0, secrets: 0 }))
  await screen.getByRole('button', { name: 'Export…' }).click()
  await expect.poll(() => bridge.requests('exportEdits').length).toBe(1)
  await expect.element(screen.getByText(/exported/)).not.toBeInTheDocument()
})

test('shows the result of an import for each change of the file', async () => {
  const { screen, bridge, goTo } = await openApp({})
  await goTo('Pending')
  const fields = { domain: ['Other changes to busy.example are already pending.'] }
  const refused = [
    { domain: 'taken.example', error: { code: 'website-gone' as const, message: '' } },
    { domain: 'busy.example', error: { code: 'invalid-input' as const, message: '', fields } },
  ]
  bridge.answer('finishImport', () => ok({ added: 3, skipped: 1, parked: 2, refused }))
  await screen.getByRole('button', { name: 'Import…' }).click()
  await screen.getByRole('button', { name: 'Import changes' }).click()
  const page = screen.getByRole('region', { name: 'Pending changes' })
  await expect
    .element(page)
    .toMatchTextContent(
      /3 changes imported\. Enter the statistics passwords again for 2 changes\. 1 change was already imported or sent\. Couldn’t import 2 changes:/,
    )
  await expect.element(page).toMatchTextContent(/taken\.example This website no longer exists/)
  await expect
    .element(page)
    .toMatchTextContent(/busy\.example Domain: Other changes to busy\.example are already pending/)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('Import finished')).not.toBeInTheDocument()
  bridge.answer('finishImport', () => ok({ added: 0, skipped: 1, parked: 0, refused: [] }))
  await screen.getByRole('button', { name: 'Import…' }).click()
  await screen.getByRole('button', { name: 'Import changes' }).click()
  await expect.element(page.getByText('Import finished')).toBeVisible()
  await expect.element(page).toMatchTextContent(/No changes were imported\. 1 change was already imported or sent\./)
  await goTo('Websites')
  await goTo('Pending')
  await expect.element(screen.getByRole('heading', { name: 'Pending changes' })).toBeVisible()
  expect(page.getByText('Import finished').elements()).toEqual([])
})

test('says that a held create waits for the create that the website limit refused, which “Send again” sends again', async () => {
  const can = { undo: false, discard: true, sendNow: true }
  const limit = { kind: 'create', reason: 'website-limit', can } as const
  const { screen, bridge, goTo } = await openApp({
    edits: [
      aParked({ ...limit, conflict: null, ways: [] }),
      anEdit({ ...limit, id: 'e2', domain: 'b.example', state: 'held' }),
    ],
  })
  await goTo('Pending')
  const behind = screen.getByRole('listitem', { name: 'b.example' })
  await expect.element(behind).toMatchTextContent(/Website limit reached/)
  await expect
    .element(behind)
    .toMatchTextContent(
      /delete websites in Siteward\. If you upgrade your plan, choose “Send again” for the new website that needs attention/,
    )
  const refused = screen.getByRole('listitem', { name: 'kestrel-press.example' })
  await expect
    .element(refused)
    .toMatchTextContent(/If you delete a website in Siteward, this change is sent automatically\./)
  await refused.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => bridge.requests('sendNow')).toEqual([{ id: 'p1' }])
})

test('shows what an import would do, with the domain of each delete, and imports nothing if the user cancels', async () => {
  const { screen, bridge, goTo } = await openApp({})
  await goTo('Pending')
  const deletes = ['one.example', 'two.example']
  bridge.answer('importEdits', () => ok({ creates: 0, updates: 40, deletes, published: 3 }))
  await screen.getByRole('button', { name: 'Import…' }).click()
  const summary = screen.getByRole('group', { name: 'Import these changes?' })
  await expect.element(summary).toMatchTextContent(/2 websites will be deleted/)
  await expect.element(summary).toMatchTextContent(/3 websites will be made public/)
  await expect.element(summary).toMatchTextContent(/40 websites will be changed/)
  for (const domain of deletes) await expect.element(summary.getByText(domain)).toBeVisible()
  expect(bridge.requests('finishImport')).toEqual([])
  // The window is not unloaded while this question is open.
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)
  await summary.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(summary).not.toBeInTheDocument()
  expect(bridge.requests('finishImport')).toEqual([{ confirmed: false }])
})

test.each([
  ['of another account', 'other-connection', /exported from a different account/],
  ['of a newer version', 'newer-version', /This file was exported by a newer version of Siteward/],
] as const)('refuses a file %s, and says so', async (_name, code, text) => {
  const { screen, bridge, goTo } = await openApp({})
  await goTo('Pending')
  bridge.answer('importEdits', () => fail(code))
  await screen.getByRole('button', { name: 'Import…' }).click()
  await expect.element(screen.getByRole('alert')).toMatchTextContent(text)
})

test('shows no error of an import if another account is shown when its file was read', async () => {
  const { screen, bridge, goTo } = await openApp({})
  await goTo('Pending')
  const answer = Promise.withResolvers<ReturnType<typeof fail>>()
  bridge.answer('importEdits', () => answer.promise)
  const button = screen.getByRole('button', { name: 'Import…' })
  await button.click()
  await expect.poll(() => bridge.requests('importEdits')).toHaveLength(1)
  bridge.setState({ connection: aConnection({ id: 'other' }) })
  await goTo('Pending')
  answer.resolve(fail('no-connection'))
  await expect.element(button).not.toHaveAttribute('aria-disabled')
  await tick()
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
})

test('says of an unconfirmed change that it is being checked, but not why its outcome is unknown', async () => {
  const { screen, goTo } = await openApp({ edits: [anEdit({ state: 'inDoubt', reason: null })] })
  await goTo('Pending')
  const text = 'Siteward is checking whether this change was applied.'
  await expect.element(screen.getByText(text, { exact: true })).toBeVisible()
})

test('only shows and exports data of a newer version', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: three(), state: anAppState({ readOnly: true, waiting: 3 }) })
  await expect.element(screen.getByText('This data was written by a newer version of Siteward')).toBeVisible()
  await expect
    .element(screen.getByRole('status'))
    .toMatchTextContent(/^3 changes pending until you install the newer version$/)
  await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeDisabled()
  await screen.getByRole('button', { name: 'Export pending changes…' }).click()
  await expect.poll(() => bridge.requests('exportEdits').length).toBe(1)
  await goTo('Pending')
  await expect.element(screen.getByRole('listitem', { name: 'a.example' })).toBeVisible()
  for (const name of ['Send now', 'Undo', 'Import…']) {
    await expect.element(screen.getByRole('button', { name })).not.toBeInTheDocument()
  }
})

test('says on any screen why the pending changes of a newer version were not exported', async () => {
  const { screen, bridge } = await openApp({ edits: three(), state: anAppState({ readOnly: true, waiting: 3 }) })
  bridge.answer('exportEdits', () => fail('disk-full'))
  await screen.getByRole('button', { name: 'Export pending changes…' }).click()
  await expect
    .element(screen.getByRole('region', { name: 'Messages' }))
    .toMatchTextContent(/The disk is full, so nothing was saved\./)
})

test.each([
  [ok({ saved: true, edits: 3, secrets: 0 }), /3 changes exported\./],
  [fail('disk-full'), /The disk is full, so nothing was saved\./],
])(
  'an export of pending changes that ends after another account was shown says how it ended: %o',
  async (ended, text) => {
    const { screen, bridge, goTo } = await openApp({ edits: three() })
    await goTo('Pending')
    const answer = Promise.withResolvers<typeof ended>()
    bridge.answer('exportEdits', () => answer.promise)
    await screen.getByRole('button', { name: 'Export…' }).click()
    await expect.poll(() => bridge.requests('exportEdits')).toHaveLength(1)
    bridge.setState({ connection: aConnection({ id: 'other' }) })
    answer.resolve(ended)
    await expect.element(screen.getByRole('region', { name: 'Messages' })).toMatchTextContent(text)
    await goTo('Pending')
    expect(screen.getByRole('alert').elements()).toEqual([])
  },
)

test('shows what was restored instead of a damaged file until it is dismissed', async () => {
  const file = { why: 'damaged' as const, at: Date.now(), quarantined: '/data/northwind.db.damaged' }
  const salvaged = { ...file, of: 'connection' as const, websites: 428, edits: 3, backupAt: null }
  const { screen, bridge } = await openApp({ state: anAppState({ salvaged }) })
  await expect.element(screen.getByText(/No backup was found.*428 websites and 3 pending changes/)).toBeVisible()
  await expect.element(screen.getByText('/data/northwind.db.damaged')).toBeVisible()
  bridge.setState({ salvaged: { ...salvaged, backupAt: Date.now() } })
  await expect.element(screen.getByText(/A backup from .* was restored.*later may be missing/)).toBeVisible()
  bridge.setState({ salvaged: { ...salvaged, quarantined: '' } })
  await expect.element(screen.getByText(/The old file was moved/)).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => bridge.requests('dismissSalvage').length).toBe(1)
  bridge.setState({ salvaged: null })
  await expect.element(screen.getByText(/data was damaged/)).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement !== document.body).toBe(true)
})

test('reports damaged settings, not lost websites, if only the app’s own file was damaged, on every screen and on the connect form', async () => {
  const file = { why: 'damaged' as const, at: Date.now(), quarantined: '/data/siteward.db.damaged' }
  const salvaged = { ...file, of: 'app' as const, websites: 0, edits: 0, backupAt: null }
  const { screen, bridge } = await openApp({ state: anAppState({ salvaged }) })
  for (const connection of [anAppState().connection, null]) {
    bridge.setState({ connection })
    await expect.element(screen.getByText('Siteward’s settings were damaged')).toBeVisible()
    await expect.element(screen.getByText(/named addresses.*Your websites and changes weren’t affected/)).toBeVisible()
    await expect.element(screen.getByText('/data/siteward.db.damaged')).toBeVisible()
    await expect.element(screen.getByText(/0 pending/)).not.toBeInTheDocument()
  }
  bridge.setState({ salvaged: { ...salvaged, lostAccounts: 2 } })
  await expect.element(screen.getByText(/2 accounts couldn’t be restored/)).toBeVisible()
  await expect.element(screen.getByText(/weren’t affected/)).not.toBeInTheDocument()
  bridge.setState({ salvaged: { ...salvaged, lostAccounts: 0, heldAccounts: 1 } })
  await expect.element(screen.getByText(/1 account .* at the moment\. Before you dismiss/)).toBeVisible()
  await expect.element(screen.getByText(/weren’t affected|Add the account/)).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => bridge.requests('dismissSalvage').length).toBe(1)
})

test('says that the app restarted until the user dismisses the message, on every screen and on the connect form', async () => {
  const { screen, bridge } = await openApp({ state: anAppState({ mishap: 'restarted' }) })
  await expect.element(screen.getByText(/restarted after an unexpected error/)).toBeVisible()
  await expect
    .element(screen.getByText(/If you had unsaved text in the editor, it was restored, except passwords/))
    .toBeVisible()
  bridge.setState({ connection: null })
  await expect.element(screen.getByText(/restarted after an unexpected error/)).toBeVisible()
  await screen.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => bridge.requests('dismissMishap').length).toBe(1)
  bridge.setState({ mishap: null })
  await expect.element(screen.getByText(/restarted after an unexpected error/)).not.toBeInTheDocument()
})

test('before it discards a create whose domain is taken, says that the existing website stays on the service', async () => {
  const { screen, goTo } = await openApp({
    edits: [aParked({ kind: 'create', reason: 'domain-taken', conflict: aConflict({ units: [] }), ways: ['adopt'] })],
  })
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Discard…', exact: true }).click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog).toMatchTextContent(/The existing website stays as it is on the service\./)
  await expect.element(dialog).not.toMatchTextContent(/won’t be added/)
})
