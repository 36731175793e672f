import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { CommandAnswer } from '../../src/preload/bridge.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

async function openSearch() {
  const app = await openApp({ websites: websites(30) })
  await expect.element(app.screen.getByText('30 websites')).toBeVisible()
  await app.keys('/')
  const field = app.screen.getByRole('combobox', { name: 'Search websites' })
  await expect.element(field).toHaveFocus()
  const option = (name: string) => app.screen.getByRole('option', { name: new RegExp(`^${name}`) })
  return { ...app, field, option }
}

test('searches at each key, one request at a time: the next request has the latest text, and outdated results are not shown', async () => {
  const { screen, bridge, field } = await openSearch()
  const all = bridge.world.websites
  const pendingAnswers: (() => void)[] = []
  bridge.answer('listWebsites', ({ search }) => {
    const found = all.filter(({ domain }) => domain.includes(search))
    const answer = ok({
      websites: found,
      matching: found.length,
      total: all.length,
      page: 1,
      pages: 1,
    })
    return new Promise((resolve) => pendingAnswers.push(() => resolve(answer)))
  })
  const requestedSearches = () => bridge.requests('listWebsites').map(({ search }) => search)
  const before = requestedSearches().length
  const typed = (text: string) => {
    const input = field.element() as HTMLInputElement
    input.value = text
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  typed('l')
  expect(requestedSearches().slice(before)).toEqual(['l'])
  for (const text of ['lu', 'lum', 'lume', 'lumen']) typed(text)
  expect(requestedSearches().slice(before)).toEqual(['l'])
  pendingAnswers.shift()?.()
  await expect.poll(() => requestedSearches().slice(before)).toEqual(['l', 'lumen'])
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
  pendingAnswers.shift()?.()
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  expect(pendingAnswers).toEqual([])
})

test('shows no error of a search that has been replaced', async () => {
  const { screen, bridge, keys } = await openSearch()
  const pendingAnswers: ((answer: CommandAnswer<'listWebsites'>) => void)[] = []
  bridge.answer('listWebsites', () => new Promise((resolve) => pendingAnswers.push(resolve)))
  await keys('lz')
  pendingAnswers.shift()?.(fail('storage'))
  await expect.poll(() => bridge.requests('listWebsites').at(-1)?.search).toBe('lz')
  expect(screen.getByRole('alert').elements()).toEqual([])
  pendingAnswers.shift()?.(ok({ websites: [], matching: 0, total: 30, page: 1, pages: 1 }))
  await expect.element(screen.getByText('No domain contains “lz”')).toBeVisible()
})

test('filters the list by typed text and filters together while the user types', async () => {
  const { screen, keys, bridge } = await openSearch()
  await keys('lumen privacy:password ')
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  expect(bridge.requests('listWebsites').at(-1)).toMatchObject({
    search: 'lumen',
    filters: [{ name: 'privacy', value: 'password', not: false }],
  })
  await keys('-reports:on')
  await expect.poll(() => bridge.requests('listWebsites').at(-1)?.filters).toHaveLength(2)
})

test('completes a filter by keyboard: its name, then its value', async () => {
  const { screen, keys, field, option } = await openSearch()
  await keys('pri')
  await expect.element(option('privacy:')).toBeVisible()
  await expect.element(field).toHaveAttribute('aria-expanded', 'true')
  await keys('{ArrowDown}{Enter}')
  await expect.element(field).toHaveValue('privacy:')
  await keys('{ArrowDown}{ArrowDown}')
  await expect.element(option('privacy:private')).toHaveAttribute('aria-selected', 'true')
  await keys('{Tab}')
  await expect.element(field).toHaveValue('')
  await expect.element(screen.getByRole('listitem').getByText('Privacy: Private')).toBeVisible()
  await expect.element(field).toHaveFocus()
  await expect.element(screen.getByText('10 of 30 websites')).toBeVisible()
  await keys('{ArrowDown}')
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('0')
})

test('takes the only completion by Tab, and by Enter if it completes a value', async () => {
  const { screen, keys, field, option } = await openSearch()
  const chip = (text: string) => screen.getByRole('listitem').getByText(text)
  await keys('priv')
  await expect.element(option('privacy:')).toBeVisible()
  await keys('{Tab}')
  await expect.element(field).toHaveValue('privacy:')
  await keys('pub{Enter}')
  await expect.element(chip('Privacy: Public')).toBeVisible()
  await keys('bots:e{Tab}')
  await expect.element(chip('Exclude bots: On')).toBeVisible()
  await expect.element(field).toHaveFocus()
  await keys('{Tab}')
  await expect.element(field).not.toHaveFocus()
})

test('says that Enter completes the beginning of a filter if no domain contains it, and completes it by Enter or a click', async () => {
  const { screen, keys, field } = await openSearch()
  await keys('lumen priv')
  await expect.element(screen.getByText('Press Enter to use the filter “privacy:”.')).toBeVisible()
  // Escape closes the list of filters. Without the list, Enter completes the filter too.
  await keys('{Escape}{Enter}')
  await expect.element(field).toHaveValue('lumen privacy:')
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  await keys('{Escape}{Escape}sta')
  await screen.getByRole('button', { name: 'Use the filter “state:”' }).click()
  await expect.element(field).toHaveValue('state:')
  await expect.element(field).toHaveFocus()
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
})

test('Enter leaves the search text unchanged if a domain contains it, and the suggested filters are named like the columns', async () => {
  const { screen, keys, field } = await openSearch()
  await keys('b{Enter}')
  await expect.element(screen.getByText(/of 30 websites/)).toBeVisible()
  await expect.element(field).toHaveValue('b')
  await expect.element(screen.getByText('“Exclude bots” is on (bots:excluded) or off (bots:counted)')).toBeVisible()
  await keys('{Escape}{Escape}{ArrowDown}')
  await expect.element(screen.getByText('State is pending or needs-attention')).toBeVisible()
})

test('turns a finished filter into a chip, and removes it by mouse or keyboard', async () => {
  const { screen, keys, bridge, field } = await openSearch()
  const chips = screen.getByRole('list', { name: 'Active filters' })
  const remove = (name: string) => screen.getByRole('button', { name: `Remove filter: ${name}` })
  const lastRequest = () => bridge.requests('listWebsites').at(-1)
  await keys('lumen privacy:password')
  await expect.element(field).toHaveValue('lumen privacy:password')
  expect(chips.elements()).toEqual([])
  await keys('{Enter}')
  await expect.element(field).toHaveValue('lumen ')
  await expect.element(remove('Privacy: Password')).toBeVisible()
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Clear filters' }).elements()).toEqual([])
  await keys('-bots:counted ip:10.0.0.0/8 ')
  await expect.element(remove('Excluded IPs: 10.0.0.0/8')).toBeVisible()
  await expect.element(remove('Exclude bots: On')).toBeVisible()
  await expectAccessible()
  await remove('Privacy: Password').click()
  await expect.element(remove('Exclude bots: On')).toHaveFocus()
  await keys('{Delete}')
  await expect.element(remove('Excluded IPs: 10.0.0.0/8')).toHaveFocus()
  await keys('{Backspace}')
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('lumen ')
  expect(lastRequest()).toMatchObject({ search: 'lumen', filters: [] })

  await keys('{Escape}bots:excluded reports:off {Shift>}{Tab}{Tab}{/Shift}')
  await expect.element(remove('Email reports: Off')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(remove('Exclude bots: On')).toHaveFocus()
  await keys(' ')
  await expect.element(field).toHaveFocus()
  expect(lastRequest()).toMatchObject({ filters: [] })
})

test('shows a filter that is typed twice as one chip, and still shows the list after a visit to another screen', async () => {
  const { screen, keys, field, goTo, row } = await openSearch()
  const chips = () => screen.getByRole('list', { name: 'Active filters' }).getByRole('listitem').elements()
  await keys('privacy:public privacy:public ')
  await expect.element(field).toHaveValue('')
  expect(chips()).toHaveLength(1)
  await keys('privacy:public{Enter}')
  await expect.element(field).toHaveValue('')
  expect(chips()).toHaveLength(1)
  await goTo('Pending')
  await goTo('Websites')
  await expect.element(row('harbour-bakery.example')).toBeVisible()
})

test('takes the last chip away with Backspace in an empty field, and all of them with Clear filters', async () => {
  const { screen, keys, bridge, field } = await openSearch()
  const chips = () => screen.getByRole('listitem').elements().length
  const filters = () =>
    bridge
      .requests('listWebsites')
      .at(-1)
      ?.filters.map(({ name }) => name)
  await keys('privacy:public bots:excluded reports:off lu')
  await expect.poll(chips).toBe(3)
  await keys('{Backspace}{Backspace}')
  await expect.poll(filters).toEqual(['privacy', 'bots', 'reports'])
  await keys('{Backspace}')
  await expect.poll(filters).toEqual(['privacy', 'bots'])
  await keys('lumen')
  await screen.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(chips).toBe(0)
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('lumen')
  await keys(' privacy:public {Escape}')
  await expect.element(field).toHaveValue('')
  await expect.poll(chips).toBe(1)
  await keys('{Escape}')
  await expect.poll(chips).toBe(0)
})

test.each([
  [1180, 'privacy:public bots:excluded reports:off created:30d ', 1],
  [1180, 'privacy:public bots:excluded reports:off state:needs-attention created:30d parameters:some ', 2],
  [1180, '-privacy:public created:2026-01-01..2026-06-30 bots:excluded ', 1],
  [800, 'privacy:public created:30d ', 1],
  [800, 'created:2026-01-01..2026-06-30 ', 1],
  [480, 'privacy:public bots:excluded reports:off state:needs-attention ', 2],
])('at %i px, shows the chips of %s within %i lines, and cuts off none', async (width, typed, lines) => {
  await page.viewport(width, 740)
  const { screen, keys } = await openSearch()
  await keys(typed)
  const chips = screen.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect.poll(() => chips.elements().length).toBe(typed.trim().split(' ').length)
  const tops = chips.elements().map((chip) => Math.round(chip.getBoundingClientRect().top))
  expect(new Set(tops).size).toBeLessThanOrEqual(lines)
  const cut = (chip: Element) => {
    const text = chip.querySelector('span')
    return text !== null && text.scrollWidth > text.clientWidth
  }
  expect(chips.elements().filter(cut)).toEqual([])
  const main = page.getByRole('main').element()
  expect(main.scrollWidth).toBe(main.clientWidth)
})

async function openFilters() {
  const app = await openSearch()
  const button = (name: string) => app.screen.getByRole('button', { name, exact: true })
  await button('Filter').click()
  const panel = app.screen.getByRole('dialog', { name: 'Filter' })
  await expect.element(panel).toBeVisible()
  const choose = (facet: string, value: string) =>
    panel.getByRole('radiogroup', { name: facet }).getByRole('radio', { name: value, exact: true }).click()
  const filters = () =>
    app.bridge
      .requests('listWebsites')
      .at(-1)
      ?.filters.map(({ name, value }) => `${name}:${value}`)
  return { ...app, button, panel, choose, filters }
}

test('the controls of two filters beside each other are in line, even if one label has two lines', async () => {
  await page.viewport(1180, 740)
  const { panel } = await openFilters()
  const parameters = panel.getByRole('radiogroup', { name: 'Excluded URL parameters' }).element()
  const address = panel.getByRole('textbox', { name: 'Excludes IP address' }).element()
  const label = panel.getByText('Excluded URL parameters').element()
  label.textContent = 'A much longer name for the excluded URL parameters'
  expect(label.getBoundingClientRect().height).toBeGreaterThan(30)
  const bottom = (element: Element) => Math.round(element.getBoundingClientRect().bottom)
  expect(bottom(parameters)).toBe(bottom(address))
})

test('Ctrl+2 closes the open panel of filters and shows the Pending screen', async () => {
  const { screen, keys, panel } = await openFilters()
  await keys('{Control>}2{/Control}')
  await expect.element(screen.getByRole('heading', { name: 'Pending changes', exact: true })).toBeVisible()
  await expect.element(panel).not.toBeInTheDocument()
})

test.each([480, 800, 1180])(
  'at %i px, the panel of filters covers no chip of the filters that are chosen in it',
  async (width) => {
    await page.viewport(width, 740)
    const { screen, panel, choose } = await openFilters()
    const chips = screen.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
    await choose('Privacy', 'Public')
    await choose('Email reports', 'On')
    await choose('Exclude bots', 'On')
    await choose('State', 'Pending')
    await expect.poll(() => chips.elements()).toHaveLength(4)
    const isCovered = (chip: Element) => {
      const { x, y, width, height } = chip.getBoundingClientRect()
      return !chip.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }
    await expect.poll(() => chips.elements().filter(isCovered)).toEqual([])
    const { top, bottom } = panel.element().getBoundingClientRect()
    expect(top).toBeLessThan(250)
    expect(bottom).toBeLessThanOrEqual(740)
  },
)

test('chooses filters in the panel of the Filter button, which counts them', async () => {
  const { screen, keys, button, panel, choose, filters } = await openFilters()
  await choose('Privacy', 'Public')
  await expect.poll(filters).toEqual(['privacy:public'])
  await choose('Email reports', 'On')
  await choose('Privacy', 'Private')
  await choose('State', 'Needs attention')
  await choose('Excluded URL parameters', 'Not set')
  await expect.poll(filters).toEqual(['privacy:private', 'reports:on', 'state:needs-attention', 'parameters:none'])
  await expectAccessible()
  await choose('State', 'Any')
  await panel.getByRole('textbox', { name: 'Excludes IP address' }).fill('10.0.0.0/99')
  await keys('{Tab}')
  await expect.element(panel.getByRole('textbox', { name: 'Excludes IP address' })).toHaveAttribute('aria-invalid')
  await expect
    .element(panel.getByRole('alert'))
    .toMatchTextContent(/^This isn’t an IP address or a range\. Enter an address/)
  await panel.getByRole('textbox', { name: 'Excludes IP address' }).fill('10.0.0.0/8')
  await keys('{Enter}')
  await expect.poll(filters).toEqual(['privacy:private', 'reports:on', 'parameters:none', 'ip:10.0.0.0/8'])
  await keys('{Escape}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(button('Filter (4 active)')).toHaveFocus()
  await expect.element(button('Remove filter: Excluded IPs: 10.0.0.0/8')).toBeVisible()

  await keys('{Enter}')
  await expect.element(panel.getByRole('radio', { name: 'Private' })).toBeChecked()
  await panel.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(filters).toEqual([])
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
  await expect.element(panel.getByRole('radio', { name: 'Private' })).not.toBeChecked()
})

test('“Clear filters” also removes a wrong IP address with its error', async () => {
  const { keys, panel, filters } = await openFilters()
  const ip = panel.getByRole('textbox', { name: 'Excludes IP address' })
  await ip.fill('10.0.0.0/8')
  await keys('{Enter}')
  await expect.poll(filters).toEqual(['ip:10.0.0.0/8'])
  await ip.fill('10.0.0.0/99')
  await keys('{Enter}')
  await expect.element(ip).toHaveAttribute('aria-invalid')
  await panel.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(filters).toEqual([])
  await expect.element(ip).toHaveValue('')
  await expect.element(ip).not.toHaveAttribute('aria-invalid')
})

test('chooses filters in the panel by keyboard', async () => {
  const { keys, button, panel, filters } = await openFilters()
  const privacy = panel.getByRole('radiogroup', { name: 'Privacy' })
  await keys('{Escape}')
  await expect.element(button('Filter')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(privacy.getByRole('radio', { name: 'Any' })).toHaveFocus()
  await keys('{ArrowRight}')
  await expect.poll(filters).toEqual(['privacy:public'])
  await keys('{Tab}{ArrowRight}')
  await expect.poll(filters).toEqual(['privacy:public', 'reports:on'])
  await keys('{Tab}{Tab}{Tab}{Tab}10.0.0.0/8{Enter}')
  await expect.poll(filters).toEqual(['privacy:public', 'reports:on', 'ip:10.0.0.0/8'])
  await keys('{Escape}')
  await expect.element(button('Filter (3 active)')).toHaveFocus()
})

test('filters by the date on which a website was created', async () => {
  const { screen, keys, panel, choose, filters } = await openFilters()
  await choose('Created', 'Last 30 days')
  await expect.poll(filters).toEqual(['created:30d'])
  await expect.element(screen.getByRole('button', { name: 'Remove filter: Created: last 30 days' })).toBeInTheDocument()
  await panel.getByLabelText('From').fill('2026-11-01')
  await panel.getByLabelText('To').fill('2026-11-10')
  await expect.poll(filters).toEqual(['created:2026-11-01..2026-11-10'])
  await expect.element(screen.getByText('10 of 30 websites')).toBeVisible()
  await keys('{Escape}')
  await expect
    .element(screen.getByRole('listitem').getByText('Created: Nov 1 – 10, 2026', { exact: true }))
    .toBeVisible()
})

test('says that the first date is after the last one, and filters once one of them is changed', async () => {
  const { panel, choose, filters } = await openFilters()
  const [from, to] = [panel.getByLabelText('From'), panel.getByLabelText('To')]
  await from.fill('2026-11-05')
  await expect.poll(filters).toEqual(['created:2026-11-05..'])
  await to.fill('2026-11-04')
  await expect.element(panel.getByRole('alert')).toMatchTextContent('“From” is after “To”. Change one of the dates.')
  await expect.element(to).toHaveValue('2026-11-04')
  expect(filters()).toEqual(['created:2026-11-05..'])
  await expectAccessible()
  await from.fill('2026-11-01')
  await expect.poll(filters).toEqual(['created:2026-11-01..2026-11-04'])
  await expect.element(panel.getByRole('alert')).not.toBeInTheDocument()
  await from.fill('2026-12-01')
  await choose('Created', 'Any')
  await expect.poll(filters).toEqual([])
  await expect.element(to).toHaveValue('')
})

test('the panel shows a negated filter as the opposite value if there are only two values, and otherwise shows no value as chosen', async () => {
  const { screen, keys, button, panel, filters } = await openFilters()
  await keys('{Escape}/-privacy:public -bots:excluded')
  await button('Filter (2 active)').click()
  await expect.element(button('Remove filter: Exclude bots: Off')).toBeInTheDocument()
  const bots = panel.getByRole('radiogroup', { name: 'Exclude bots' })
  await expect.element(bots.getByRole('radio', { name: 'Off' })).toBeChecked()
  const privacy = panel.getByRole('radiogroup', { name: 'Privacy' })
  for (const radio of privacy.getByRole('radio').elements()) expect(radio).not.toBeChecked()
  await privacy.getByRole('radio', { name: 'Any' }).click()
  await expect.poll(filters).toEqual(['bots:excluded'])
  await expect.element(screen.getByText('0 of 30 websites')).toBeVisible()
})

test('the arrow key in an empty field lists every filter; Escape closes the list, and later clears the field', async () => {
  const { keys, field, option, screen } = await openSearch()
  await keys('{ArrowDown}')
  await expect.element(option('ip:')).toBeVisible()
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(option('ip:')).not.toBeInTheDocument()
  await keys('lumen')
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  await keys('{Escape}')
  await expect.element(field).toHaveValue('')
  await expect.element(screen.getByText('30 websites')).toBeVisible()
})

test('an invalid filter has an explanation below the field that lists the valid filters', async () => {
  const { screen, keys, field } = await openSearch()
  await keys('color:red ')
  await expect.element(screen.getByText(/There’s no filter “color:”/)).toBeVisible()
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveAccessibleDescription(/You can use privacy, reports, bots/)
  await expectAccessible()
  await keys('{Escape}bots:maybe ')
  await expect.element(screen.getByText('After “bots:”, enter excluded or counted.')).toBeVisible()
  await keys('{Escape}')
  await expect.element(field).toHaveAttribute('aria-invalid', 'false')
})

test('shows no rows for a wrong filter, and explains it in their place', async () => {
  const { screen, keys, bridge, field } = await openSearch()
  await keys('privacy:foo ')
  const explanation = screen.getByRole('heading', { name: '“privacy:foo” isn’t a valid filter' })
  await expect.element(explanation).toBeVisible()
  await expect.element(field).toHaveAccessibleDescription(/After “privacy:”, enter public, private, or password\./)
  await expect.element(screen.getByText('0 of 30 websites')).toBeVisible()
  expect(document.querySelectorAll('[data-row]')).toHaveLength(0)
  const { top } = explanation.element().getBoundingClientRect()
  expect(screen.getByText('0 of 30 websites').element().getBoundingClientRect().bottom).toBeLessThanOrEqual(top)
  await field.fill('privacy:password')
  await expect.element(screen.getByText('10 of 30 websites')).toBeVisible()
  await expect.element(explanation).not.toBeInTheDocument()
  expect(bridge.requests('listWebsites').filter(({ search }) => search.includes(':'))).toEqual([])
})

test('says that no website matches, and shows all again on a click', async () => {
  const { screen, keys } = await openSearch()
  const status = screen.getByText(/30 websites$/)
  await expect.element(status).toHaveAttribute('aria-live', 'off')
  await keys('state:needs-attention ')
  await expect.element(screen.getByText('No results')).toBeVisible()
  await expect.element(status).toHaveTextContent('0 of 30 websites')
  await expect.element(status).toHaveAttribute('aria-live', 'polite')
  await screen.getByRole('button', { name: 'Show all websites' }).click()
  await expect.element(screen.getByText('30 websites')).toBeVisible()
})

test('reports a website that was added but is hidden by the search, and shows it on a click', async () => {
  const { screen, keys, bridge, field, form, row } = await openSearch()
  await keys('lumen')
  await expect.element(screen.getByText('5 of 30 websites')).toBeVisible()
  await keys('{Control>}n{/Control}')
  await form().domain.fill('lumen-two.example')
  await keys('{Control>}{Enter}{/Control}')
  await expect.poll(() => bridge.requests('listKeys')).toHaveLength(1)
  // The domain of the new website is in the query too, because “lumen” alone may match thousands of websites.
  expect(bridge.requests('listKeys')[0]).toMatchObject({ search: 'lumen lumen-two.example' })
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(screen.getByText('6 of 31 websites')).toBeVisible()
  await keys('{Control>}n{/Control}')
  await form().domain.fill('elsewhere.example')
  await keys('{Control>}{Enter}{/Control}')
  await expect
    .element(screen.getByText('elsewhere.example was saved, but the current search or filters hide it.'))
    .toBeVisible()
  await expect.element(screen.getByText(/lumen-two\.example was added/)).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.element(row('elsewhere.example')).toBeVisible()
  await expect.element(field).toHaveValue('elsewhere.example')
})

test('says in the toast after “Add multiple websites” that the search may hide the added websites', async () => {
  const { screen, keys } = await openSearch()
  await keys('lumen{Control>}{Shift>}n{/Shift}{/Control}')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('a.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 website' }).click()
  await expect
    .element(screen.getByText('1 website will be added. The current search or filters may hide it.'))
    .toBeVisible()
})

test('the search keeps the focus while text is typed quickly: the list does not take it back', async () => {
  const { row, screen } = await openApp({ websites: websites(300) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  ;(row('harbour-bakery.example').element() as HTMLElement).focus()
  await expect.element(row('harbour-bakery.example')).toHaveFocus()
  const search = screen.getByRole('combobox', { name: 'Search websites' }).element() as HTMLInputElement
  // The keys arrive before any timer fires, as on a busy computer.
  search.focus()
  search.value = 'lumen'
  search.dispatchEvent(new InputEvent('input', { bubbles: true }))
  await expect.element(screen.getByText(/^\d+ of 300 websites$/)).toBeVisible()
  expect(document.activeElement).toBe(search)
})

test('“/” puts the next key into the search, however soon it comes', async () => {
  const { row } = await openApp({ websites: websites(30) })
  await expect.element(row('harbour-bakery.example')).toBeVisible()
  const first = row('harbour-bakery.example').element() as HTMLElement
  first.focus()
  first.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))
  expect(document.activeElement).toHaveAttribute('aria-label', 'Search websites')
})

test('undoes the last change from the empty search field, unless something was typed there', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(3), edits: [anEdit({ id: 'late' })] })
  const box = screen.getByRole('combobox', { name: 'Search websites' })
  await box.click()
  await keys('lumen')
  await keys('{Control>}a{/Control}{Delete}')
  await expect.element(box).toHaveValue('')
  await keys('{Control>}z{/Control}')
  await expect.element(box).toHaveValue('lumen')
  expect(bridge.requests('undoEdit')).toEqual([])

  await keys('{Escape}{Tab}')
  await box.click()
  await expect.element(box).toHaveValue('')
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'late' }])
})
