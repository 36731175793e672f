import { page } from 'vitest/browser'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, anEdit, aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

test('lists the websites with their state, privacy and settings in words', async () => {
  const { screen } = await openApp({
    websites: [
      aWebsite({ key: 'a', domain: 'new.example', id: null, state: 'new' }),
      aWebsite({
        key: 'b',
        domain: 'two.example',
        state: 'changed',
        pending: ['email', 'privacy'],
        privacy: 2,
        email: true,
      }),
      aWebsite({ key: 'c', domain: 'parked.example', state: 'parked', exclude_bots: false }),
    ],
  })
  const table = screen.getByRole('grid', { name: 'Websites' })
  const cells = (domain: string) => table.getByRole('row').filter({ hasText: domain }).getByRole('gridcell')
  const cellTexts = (domain: string) =>
    cells(domain)
      .elements()
      .map((cell) => cell.textContent.trim())
  await expect
    .poll(() => cellTexts('new.example'))
    .toEqual(['new.example', 'New', 'Private', 'Off', 'On', expect.stringContaining('2026')])
  expect(cellTexts('two.example').slice(1, 5)).toEqual(['Pending', 'Password', 'On', 'On'])
  expect(cellTexts('parked.example').slice(1, 5)).toEqual(['Needs attention', 'Private', 'Off', 'Off'])
})

test('requests the first page, newest first, and other pages and orders on request', async () => {
  const { screen, bridge, view } = await openApp({ websites: websites(120) })
  const last = () => bridge.requests('listWebsites').at(-1)
  await view('25 per page')
  await expect.element(screen.getByText('1–25 of 120')).toBeVisible()
  expect(last()).toEqual({
    search: '',
    search_by: 'domain',
    sort_by: 'id',
    sort: 'desc',
    per_page: 25,
    page: 1,
    filters: [],
  })

  await screen.getByRole('button', { name: 'Next page' }).click()
  await expect.element(screen.getByText('26–50 of 120')).toBeVisible()

  await view('100 per page')
  await expect.element(screen.getByText('1–100 of 120')).toBeVisible()
  expect(last()).toMatchObject({ per_page: 100, page: 1 })

  const header = screen.getByRole('columnheader', { name: 'Domain' })
  await header.getByRole('button').click()
  await expect.element(header).toHaveAttribute('aria-sort', 'ascending')
  await header.getByRole('button').click()
  await expect.element(header).toHaveAttribute('aria-sort', 'descending')
  expect(last()).toMatchObject({ sort_by: 'domain', sort: 'desc' })
})

test('searches while the user types, and says when nothing is found', async () => {
  const { screen, keys } = await openApp({ websites: websites(30) })
  await expect.element(screen.getByText('30 websites')).toBeVisible()
  await keys('/')
  await expect.element(screen.getByRole('combobox', { name: 'Search websites' })).toHaveFocus()
  await keys('lumen')
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  await keys('zzz')
  await expect.element(screen.getByText('No domain contains “lumenzzz”')).toBeVisible()
  await screen.getByRole('button', { name: 'Show all websites' }).click()
  await expect.element(screen.getByText('30 websites')).toBeVisible()
})

test('moves along the rows by arrow keys, opens with Enter, and returns to the row by Escape', async () => {
  const { screen, keys, row, form } = await openApp({ websites: websites(3) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  row('harbour-bakery.example').element().focus()
  await keys('{ArrowDown}{ArrowDown}{ArrowUp}')
  await expect.element(row('fjordline-tickets.example')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(screen.getByRole('heading', { name: 'fjordline-tickets.example' })).toHaveFocus()
  await keys('{Escape}')
  await expect.element(form().form).not.toBeInTheDocument()
  await expect.element(row('fjordline-tickets.example')).toHaveFocus()
})

test('shows a website that main reports as added', async () => {
  const { screen, bridge } = await openApp({ websites: websites(2) })
  await expect.element(screen.getByText('2 websites')).toBeVisible()
  bridge.world.websites = [aWebsite({ key: 'x', domain: 'from-elsewhere.example' }), ...bridge.world.websites]
  bridge.emit('websitesChanged', { keys: ['x'] })
  await expect.element(screen.getByText('from-elsewhere.example')).toBeVisible()
})

test('says above the list until when a refresh waits for the rate limit of the service', async () => {
  const waitsUntil = new Date(2020, 0, 1, 11, 0).getTime()
  const refresh = { ...anAppState().refresh, running: true, waitsUntil }
  const { screen } = await openApp({ websites: websites(2), state: anAppState({ refresh }) })
  await expect.element(screen.getByText(/^The service is limiting requests\. Next attempt: .*11:00/)).toBeVisible()
})

test('says above the list that the app itself limits its requests, and until when a refresh waits for this', async () => {
  const waitsUntil = new Date(2020, 0, 1, 11, 0).getTime()
  const refresh = { ...anAppState().refresh, running: true, waitsUntil, waitsFor: 'budget' } as const
  const { screen } = await openApp({ websites: websites(2), state: anAppState({ refresh }) })
  await expect
    .element(screen.getByText(/^Siteward limits how many requests it sends per minute\. Next attempt: .*11:00/))
    .toBeVisible()
})

test('says above the list why and until when a refresh waits after an error with a Retry-After', async () => {
  const error = { code: 'unavailable', status: 503, retryAfter: 30, message: '' } as const
  const waitsUntil = new Date(2020, 0, 1, 11, 0).getTime()
  const refresh = { ...anAppState().refresh, running: true, error, waitsUntil }
  const { screen } = await openApp({ websites: websites(2), state: anAppState({ refresh }) })
  await expect
    .element(screen.getByText(/^The service is overloaded or under maintenance\. Next attempt: .*11:00/))
    .toBeVisible()
})

test('F5 reads the websites from the service again', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(2) })
  await expect.element(screen.getByText('2 websites')).toBeVisible()
  await keys('{F5}')
  await expect.poll(() => bridge.requests('refresh').length).toBe(1)
})

test.each([
  ['loading', 'unknown', /keychain isn’t responding\. Check whether the keychain is asking for a password\.$/],
  ['locked', 'locked', /keychain is locked\. Unlock it, then try again\.$/],
  ['locked', 'unknown', /keychain is locked\. Unlock it, then try again\.$/],
] as const)('F5 does not say that the account has no API key while the key is %s', async (key, keychain, text) => {
  const { screen, bridge, keys } = await openApp({ websites: websites(2) })
  bridge.setState({ connection: aConnection({ key }), keychain })
  bridge.answer('retryKeychain', () => fail('keychain-locked'))
  await keys('{F5}')
  await expect.element(screen.getByText(text)).toBeVisible()
  expect(bridge.requests('refresh')).toEqual([])
})

test('F5 reads the websites after the user has unlocked the keychain', async () => {
  const { bridge, keys } = await openApp({ websites: websites(2) })
  bridge.setState({ connection: aConnection({ key: 'locked' }), keychain: 'locked' })
  await keys('{F5}')
  await expect.poll(() => bridge.requests('refresh').length).toBe(1)
  expect(bridge.requests('retryKeychain').length).toBe(1)
})

test('does not advise a refresh if the refresh finds no service', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(2) })
  bridge.answer('refresh', () => fail('not-found'))
  await keys('{F5}')
  await expect
    .element(screen.getByText(/^Couldn’t refresh the list\. No service found at this address\.$/))
    .toBeVisible()
})

test('announces the failure of a refresh that the user requested, but not of an earlier one, and keeps the rows', async () => {
  const { screen, bridge, keys, row } = await openApp({ websites: websites(2) })
  await expect.element(screen.getByText('2 websites')).toBeVisible()
  const status = screen.getByText(
    /^Couldn’t refresh the list.* Couldn’t reach the service\. Check the address and your network connection\.$/,
  )
  const ended = (count: number) => {
    const refresh = { ...anAppState().refresh, ended: count, error: { code: 'unreachable', message: '' } as const }
    bridge.emit('state', anAppState({ refresh }))
  }
  // The app makes this refresh itself: the user did not ask for it.
  ended(3)
  bridge.answer('refresh', () => ok(5))
  await keys('{F5}')
  ended(4)
  await expect.poll(() => bridge.requests('refresh').length).toBe(1)
  await expect.element(status).not.toBeInTheDocument()
  ended(5)
  await expect.element(status).toBeVisible()
  expect(status.element().closest('[aria-live="polite"]')).not.toBeNull()
  await expect.element(row('harbour-bakery.example')).toBeVisible()
})

test('an empty list offers to add the first website', async () => {
  const { screen, form } = await openApp({})
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Add multiple websites…' })).toBeVisible()
  // One button is above the list, and one in the empty list.
  const add = screen.getByRole('button', { name: 'Add website' })
  await expect.poll(() => add.elements().length).toBe(2)
  await add.last().click()
  await expect.element(form().domain).toHaveFocus()
})

test('an empty list of read-only data offers to add nothing', async () => {
  const { screen } = await openApp({ state: anAppState({ readOnly: true }) })
  await expect.element(screen.getByText('No websites yet')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Add multiple websites…' })).not.toBeInTheDocument()
})

test('while offline before the first read, says that websites can already be added', async () => {
  const error = { code: 'unreachable', message: '' } as const
  const { screen } = await openApp({
    state: anAppState({
      reach: { state: 'offline', since: new Date(2026, 10, 12, 14, 2).getTime(), error },
      refresh: { running: false, ended: 0, read: 0, total: null, seenAt: null, error },
    }),
  })
  await expect.element(screen.getByText(/You can add websites in the meantime/)).toBeVisible()
  await expect.element(screen.getByRole('status')).toMatchTextContent(/Offline since/)
})

test('says why the websites couldn’t be loaded from the service, and tries again on a click', async () => {
  const error = { code: 'not-the-service', message: '' } as const
  const { screen, bridge } = await openApp({
    state: anAppState({ refresh: { running: false, ended: 0, read: 0, total: null, seenAt: null, error } }),
  })
  await expect.element(screen.getByText('Couldn’t load the websites')).toBeVisible()
  await expect
    .element(screen.getByText(/A different service responded at this address\. Check the address/))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => bridge.requests('refresh').length).toBe(1)
})

test('says why the list couldn’t be read from the disk, and keeps the rows', async () => {
  const { screen, bridge } = await openApp({ websites: websites(2) })
  await expect.element(screen.getByText('2 websites')).toBeVisible()
  bridge.answer('listWebsites', () => fail('storage'))
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Couldn’t read or write/)
  await expect.element(screen.getByText('harbour-bakery.example')).toBeVisible()
})

test.each([[1180], [700], [480]])('fits a domain of 253 characters into a window %i wide', async (width) => {
  await page.viewport(width, 700)
  const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`.slice(-253)
  const { screen, row } = await openApp({ websites: [aWebsite({ domain, state: 'changed', pending: ['email'] })] })
  await expect.element(row(domain)).toHaveAttribute('title', domain)
  await expect.element(screen.getByTitle('Pending: Email reports')).toBeVisible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
  expect(screen.getByRole('grid').element().getBoundingClientRect().right).toBeLessThanOrEqual(width)
})

test('says how much of an incomplete list is loaded, and that only the loaded domains were searched', async () => {
  const refresh = { running: true, ended: 0, read: 2900, total: 10_000, seenAt: null, error: null }
  const { screen, keys } = await openApp({ websites: websites(2), state: anAppState({ websites: 2900, refresh }) })
  const status = `${(2900).toLocaleString()} of ${(10_000).toLocaleString()} loaded`
  await expect.element(screen.getByText(status, { exact: true })).toBeVisible()
  await screen.getByRole('combobox', { name: 'Search websites' }).click()
  await keys('zzz')
  await expect.element(screen.getByText('None of the domains loaded so far contains “zzz”')).toBeVisible()
})

test('sorts a narrow list by a menu, as its column heads are hidden', async () => {
  await page.viewport(480, 700)
  const { bridge, view } = await openApp({ websites: websites(3) })
  await view('Oldest first')
  await expect.poll(() => bridge.requests('listWebsites').at(-1)).toMatchObject({ sort_by: 'id', sort: 'asc' })
})

test.each([[1180], [480]])(
  'shows the offer to undo above the buttons that turn the pages, in a window %i wide',
  async (width) => {
    await page.viewport(width, 700)
    const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`
    const { screen, row, form, bridge, view } = await openApp({
      websites: [aWebsite({ key: 'long', domain }), ...websites(40)],
    })
    await view('25 per page')
    bridge.world.edits = [anEdit({ id: 'e9', website: 'long', kind: 'delete', reason: 'undo' })]
    await row(domain).click()
    await form().choose('Delete…')
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const toast = screen.getByText(/^a-long-label-.*….*end-of-it\.example will be deleted\.$/)
    await expect.element(toast).toBeVisible()
    const { bottom } = screen.getByRole('region', { name: 'Messages' }).element().getBoundingClientRect()
    expect(bottom).toBeLessThanOrEqual(
      screen.getByRole('navigation', { name: 'Pages' }).element().getBoundingClientRect().top,
    )
    await screen.getByRole('button', { name: 'Undo' }).click()
    await expect.element(toast).not.toBeInTheDocument()
    await expect.poll(() => document.activeElement).not.toBe(document.body)
  },
)

test('hides the bots column while the editor is open, so that domains have enough room', async () => {
  const { screen, row } = await openApp({ websites: websites(3) })
  await expect.element(screen.getByRole('columnheader', { name: 'Exclude bots' })).toBeVisible()
  await row('harbour-bakery.example').click()
  await expect.element(screen.getByRole('columnheader', { name: 'Exclude bots' })).not.toBeInTheDocument()
  await expect.element(screen.getByRole('columnheader', { name: 'Created' })).toBeVisible()
  const domain = screen.getByRole('columnheader', { name: 'Domain' }).element().getBoundingClientRect()
  expect(domain.width).toBeGreaterThan(180)
})

test.each([false, true])(
  'no controls overlap in a window 480 wide with text of twice the size (a row selected: %s)',
  async (chosen) => {
    await page.viewport(480, 740)
    const { screen, row } = await openApp({ websites: websites(30), state: anAppState({ waiting: 2, paused: true }) })
    document.documentElement.style.fontSize = '26px'
    onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
    await expect.element(row('harbour-bakery.example')).toBeVisible()
    if (chosen) await screen.getByRole('checkbox', { name: 'Select harbour-bakery.example' }).click()
    await new Promise(requestAnimationFrame)
    const controls = [...document.querySelectorAll('nav button, main :is(button, input, select):not([role=grid] *)')]
      .filter((element) => element.checkVisibility())
      .map((element) => ({
        name: element.ariaLabel ?? element.textContent.trim(),
        box: element.getBoundingClientRect(),
      }))
    const over = controls.flatMap((a, n) =>
      controls.slice(n + 1).flatMap((b) => {
        const apart = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) < 2
        const asunder = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) < 2
        return apart || asunder ? [] : [`${a.name} / ${b.name}`]
      }),
    )
    expect(over).toEqual([])
    expect(Math.max(...controls.map(({ box }) => box.right))).toBeLessThanOrEqual(480)
    expect(document.documentElement.scrollWidth).toBe(480)
    await expect.element(row('fjordline-tickets.example')).toBeInViewport({ ratio: 1 })
    await expectAccessible()
  },
)

test('two quick clicks on “Next page” turn two pages, even if the first page is not loaded yet', async () => {
  const { screen, bridge, view } = await openApp({ websites: websites(60) })
  await view('25 per page')
  const next = screen.getByRole('button', { name: 'Next page' })
  await expect.element(screen.getByText('1–25 of 60')).toBeVisible()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('listWebsites', async ({ page }) => {
    await held.promise
    const rows = bridge.world.websites.slice((page - 1) * 25, page * 25)
    return ok({ websites: rows, matching: 60, total: 60, page, pages: 3 })
  })
  await next.click()
  await next.click()
  held.resolve(undefined)
  await expect.element(screen.getByText('51–60 of 60')).toBeVisible()
  await expect.element(next).toBeDisabled()
})
