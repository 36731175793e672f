import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const at = new Date(2026, 10, 12, 13, 5).getTime()
const changed: WebsiteView['remoteChange'] = {
  what: 'changed',
  at,
  fields: [{ name: 'privacy' }, { name: 'exclude_ips', added: 2, removed: 0 }],
}
const where = 'Privacy and Excluded IP addresses (2 added)'
const told = where.replace(/[()]/g, '\\$&')

/** Returns websites of which another client has changed the first two and added the third. */
const noted = (): WebsiteView[] => {
  const others: WebsiteView['remoteChange'][] = [changed, { what: 'changed', at, fields: [] }, { what: 'added', at }]
  return websites(8).map((one, n) => ({ ...one, ...(others[n] && { remoteChange: others[n] }) }))
}
const line = () => page.getByText('3 websites were added or changed by someone else.')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const sought = () => page.getByRole('combobox', { name: 'Search websites' })

test('shows the number of remotely changed websites, which can be listed alone', async () => {
  const { screen } = await openApp({ websites: noted() })
  await expect.element(line()).toBeVisible()
  await expectAccessible()
  await button('Show').click()
  await expect.element(button('Remove filter: State: Changed by someone else')).toBeVisible()
  await expect.element(screen.getByText('3 of 8 websites')).toBeVisible()
  await expect.element(button('Show all websites')).toHaveFocus()
  await button('Show all websites').click()
  await expect.element(button('Remove filter: State: Changed by someone else')).not.toBeInTheDocument()
  await expect.element(screen.getByText('8 websites', { exact: true })).toBeVisible()
})

test('marks all as seen at once, and moves the focus', async () => {
  const { screen, far } = await openApp({ websites: noted() })
  await button('Show').click()
  await button('Mark all as seen').click()
  expect(far.requests('allLookedAt')).toHaveLength(1)
  await expect.element(line()).not.toBeInTheDocument()
  await expect.element(screen.getByText('8 websites', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('Changed by someone else', { exact: true })).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement?.tagName).toBe('BUTTON')
})

test('marks all as seen from the palette', async () => {
  const { keys, far } = await openApp({ websites: noted() })
  await expect.element(line()).toBeVisible()
  await keys('{Control>}k{/Control}')
  await keys('mark all{Enter}')
  await expect.poll(() => far.requests('allLookedAt')).toHaveLength(1)
})

test('names the changed fields at the mark, on hover and for screen readers, and in the editor', async () => {
  const { screen, row } = await openApp({ websites: noted() })
  await expect
    .element(screen.getByTitle(new RegExp(`^Changed by someone else \\(detected .*2026.*\\): ${told}$`)))
    .toBeVisible()
  const mark = page.getByRole('row').nth(1).element()
  expect(mark.textContent).toContain(where)
  await row('harbour-bakery.example').click()
  const note = screen.getByText(new RegExp(`^Changed by someone else \\(detected .*\\): ${told}$`))
  await expect.element(note).toBeVisible()
  await expect
    .element(page.getByRole('heading', { name: 'harbour-bakery.example' }))
    .toHaveAccessibleDescription(new RegExp('Privacy and Excluded IP'))
  // The mark is gone, but the editor shows the change as long as the website is open.
  await expect.element(page.getByText('2 websites were added or changed by someone else.')).toBeVisible()
  await expect.element(note).toBeVisible()
})

test('says that a remote change is in a field that the service doesn’t show', async () => {
  const { screen } = await openApp({ websites: noted() })
  await expect
    .element(screen.getByTitle(/^Changed by someone else \(detected .*: a field that the service doesn’t show/))
    .toBeVisible()
})

test('keeps the open website in the filtered list until it is closed', async () => {
  const { row, far, keys } = await openApp({ websites: noted() })
  await button('Show').click()
  await row('harbour-bakery.example').click()
  await expect.element(page.getByRole('heading', { name: 'harbour-bakery.example' })).toBeVisible()
  expect(far.requests('lookedAt')).toEqual([])
  await keys('{Alt>}{ArrowDown}{/Alt}')
  await expect.poll(() => far.requests('lookedAt')).toEqual([{ key: 'w1' }])
  await expect.element(row('harbour-bakery.example')).not.toBeInTheDocument()
  await keys('{Escape}')
  await expect.poll(() => far.requests('lookedAt')).toHaveLength(2)
})

test('counts and names remotely deleted websites until they are marked as seen', async () => {
  const deleted = { count: 7, domains: ['one.example', 'مثال.example'] }
  const { screen } = await openApp({ websites: websites(8), deletedRemotely: deleted })
  const told = screen.getByText(
    '7 websites were deleted by someone else: one.example, \u2068مثال.example\u2069, and 5 more.',
  )
  await expect.element(told).toBeVisible()
  await expect.element(button('Show')).not.toBeInTheDocument()
  await expectAccessible()
  await sought().fill('nosuch:')
  await expect.element(screen.getByText(/nosuch/).first()).toBeVisible()
  await expect.element(told).toBeVisible()
  await sought().fill('')
  await button('Mark all as seen').click()
  await expect.element(told).not.toBeInTheDocument()
})

test('marks all as seen also with an invalid search', async () => {
  const { screen } = await openApp({ websites: noted(), deletedRemotely: { count: 1, domains: ['one.example'] } })
  await expect.element(screen.getByText('8 websites', { exact: true })).toBeVisible()
  await sought().fill('nosuch:word ')
  await expect.element(screen.getByText('0 of 8 websites')).toBeVisible()
  const told = screen.getByText(/3 websites were added or changed by someone else/)
  await expect.element(told).toBeVisible()
  await button('Mark all as seen').click()
  await expect.element(told).not.toBeInTheDocument()
  await expect.element(button('Mark all as seen')).not.toBeInTheDocument()
})

test('shows deleted websites beside changed ones', async () => {
  const { screen } = await openApp({ websites: noted(), deletedRemotely: { count: 1, domains: ['one.example'] } })
  const both = '3 websites were added or changed by someone else. 1 website was deleted by someone else: one.example.'
  await expect.element(screen.getByText(both)).toBeVisible()
})
