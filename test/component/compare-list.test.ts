import { page, userEvent } from 'vitest/browser'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { compareDomainList } from '../../src/main/bulk/compare-list.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { websites } from './support/fixtures.ts'
import { tabTo } from './support/tab-to.ts'

beforeEach(() => page.viewport(1180, 740))

const rows = websites(30)
const [first = '', second = ''] = rows.map(({ domain }) => domain)

/** Fills the field in one step, because typing a long text takes too long. */
function paste(field: Element, value: string): void {
  const area = field as HTMLTextAreaElement
  area.value = value
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

async function opened() {
  const app = await openApp({ websites: rows })
  await expect.element(app.screen.getByText('30 websites')).toBeVisible()
  await app.screen.getByRole('button', { name: 'Import or compare' }).click()
  await app.screen.getByRole('menuitem', { name: 'Compare with a list…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare with a list' })
  const lines = () => [...dialog.element().querySelectorAll('li')].map((line) => line.textContent.trim())
  return {
    ...app,
    ...{ dialog, lines, status: dialog.getByRole('status') },
    text: dialog.getByRole('textbox', { name: 'Domains' }),
    tab: (name: RegExp) => dialog.getByRole('tab', { name }),
  }
}

test('compares a typed list with the account in three groups, and names the lines that are no domain', async () => {
  const { dialog, lines, status, text, tab, keys } = await opened()
  await expectAccessible()
  await text.fill(`https://www.${first.toUpperCase()}/page\nnew.example\n${first}\nnot a domain\nshop.new.example\n`)
  await expect
    .element(status)
    .toHaveTextContent(
      'Only in your list: 2. Only in this account: 29. In both: 1. 1 line isn’t a domain. 1 line repeats a domain.',
    )
  expect(lines()).toEqual(['new.example', 'shop.new.example'])
  await expectAccessible()
  ;(tab(/Only in your list/).element() as HTMLElement).focus()
  await keys('{ArrowRight}')
  await expect.poll(lines).toHaveLength(29)
  await keys('{ArrowRight}')
  await expect.poll(lines).toEqual([first])
  await keys('{ArrowRight}')
  await expect.poll(lines).toEqual(['4not a domain'])
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a toast about copied lines can be read and reached in the dialog, and stays until the dialog is closed', async () => {
  const { screen, dialog, text, keys } = await opened()
  await text.fill('new.example')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  const message = screen.getByText('1 line copied.')
  await expect.element(dialog.getByRole('region', { name: 'Messages' })).toContainElement(message.element())
  expect(message.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(740)
  ;(dialog.getByRole('button', { name: 'Close' }).element() as HTMLElement).focus()
  await keys('{Tab}')
  await expect.element(dialog.getByRole('button', { name: 'Dismiss' })).toHaveFocus()
  await keys('{Shift>}{Tab}{/Shift}')
  vi.advanceTimersByTime(11_000)
  await expect.element(message).toBeVisible()
  await keys('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(message).not.toBeInTheDocument()
  await expect
    .element(screen.getByRole('main'))
    .toContainElement(screen.getByRole('region', { name: 'Messages' }).element() as HTMLElement)
})

test('copies and selects the websites that are only in the account, and opens the form to add those that are only in the list', async () => {
  const { screen, dialog, status, text, tab, keys } = await opened()
  await text.fill(
    `new.example\n${rows
      .slice(2)
      .map(({ domain }) => domain)
      .join('\n')}`,
  )
  await expect.element(status).toMatchTextContent(/Only in this account: 2/)
  await tab(/Only in this account/).click()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.element(screen.getByText('2 lines copied.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Select these websites' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(screen.getByText('2 selected')).toBeVisible()
  await expect.element(screen.getByRole('row', { name: new RegExp(second) })).toHaveAttribute('aria-selected', 'true')

  await keys('{Control>}k{/Control}')
  await keys('compare with a list{Enter}')
  await tab(/Only in your list/).click()
  await dialog.getByRole('button', { name: 'Add these websites…' }).click()
  const add = page.getByRole('dialog', { name: 'Add multiple websites' })
  await expect.element(add.getByRole('textbox', { name: 'Domains' })).toHaveValue('new.example')
})

test('copies, selects and adds by the keyboard', async () => {
  const { screen, dialog, status, text, tab, keys } = await opened()
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  await tabTo(text)
  await keys(`new.example{Enter}${first}`)
  await expect.element(status).toMatchTextContent(/Only in this account: 29/)
  await tabTo(tab(/Only in your list/))
  await keys('{ArrowRight}')
  await tabTo(button('Copy'))
  await keys('{Enter}')
  await expect.element(screen.getByText('29 lines copied.')).toBeVisible()
  await tabTo(button('Select these websites'))
  await keys('{Enter}')
  await expect.element(screen.getByText('29 selected')).toBeVisible()

  await keys('{Control>}k{/Control}')
  await keys('compare with a list{Enter}')
  await tabTo(tab(/Only in this account/))
  await keys('{ArrowLeft}')
  await tabTo(button('Add these websites…'))
  await keys('{Enter}')
  const add = page.getByRole('dialog', { name: 'Add multiple websites' })
  await expect.element(add.getByRole('textbox', { name: 'Domains' })).toHaveValue('new.example')
})

test('compares 10,000 lines without blocking the page for a second, and shows them page by page', async () => {
  const { dialog, lines, status, text } = await opened()
  const many = Array.from({ length: 10_000 }, (_, n) => `shop-${n}.example.com`).join('\n')
  text.element().focus()
  await userEvent.fill(text, '')
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  paste(text.element(), many)
  await expect.element(status).toHaveTextContent('Only in your list: 10,000. Only in this account: 30. In both: 0.')
  clearInterval(timer)
  expect(longest).toBeLessThan(1000)
  expect(lines()).toHaveLength(100)
  await dialog.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => lines()[0]).toBe('shop-100.example.com')
})

test('compares a list of 20,000 domains whole, but only the first 100,000 of a longer list, and then hides the websites that are only in the account', async () => {
  const { dialog, status, text, tab } = await opened()
  const listed = (count: number) => Array.from({ length: count }, (_, n) => `s${n}.example`)
  paste(text.element(), [...listed(20_000), ...rows.slice(1).map(({ domain }) => domain)].join('\n'))
  await expect.element(status).toHaveTextContent('Only in your list: 20,000. Only in this account: 1. In both: 29.')
  await tab(/Only in this account/).click()
  paste(text.element(), [...listed(100_000), ...rows.map(({ domain }) => domain)].join('\n'))
  await expect
    .element(status, { timeout: 30_000 })
    .toHaveTextContent(
      'Only in your list: 100,000. In both: 0. Only the first 100,000 domains are compared, so the websites that are only in this account aren’t shown.',
    )
  expect(tab(/Only in this account/).elements()).toEqual([])
  expect(dialog.getByRole('button', { name: 'Select these websites' }).elements()).toEqual([])
  await expect.element(tab(/Only in your list/)).toHaveAttribute('aria-selected', 'true')
})

test('after a list that was too long to compare whole, shows no “Only in this account” until the comparison of a shorter list is answered', async () => {
  const { bridge, status, text } = await opened()
  const listed = Array.from({ length: 100_000 }, (_, n) => `s${n}.example`)
  paste(text.element(), [...listed, first].join('\n'))
  await expect.element(status, { timeout: 30_000 }).toMatchTextContent(/Only the first 100,000 domains are compared/)
  let answered = () => {}
  const before = bridge.requests('compareList').length
  bridge.answer('compareList', async ({ domains }) => {
    await new Promise<void>((resolve) => (answered = resolve))
    return ok(compareDomainList(domains, rows))
  })
  paste(text.element(), first)
  await expect.poll(() => bridge.requests('compareList')).toHaveLength(before + 1)
  await expect.element(status).not.toMatchTextContent(/Only in this account/)
  answered()
  await expect.element(status).toHaveTextContent('Only in your list: 0. Only in this account: 29. In both: 1.')
})

test('“Add multiple websites” asks before it closes only if the user typed, not if the list was filled in for them', async () => {
  const { dialog, text, keys } = await opened()
  await text.fill('new.example')
  await dialog.getByRole('button', { name: 'Add these websites…' }).click()
  const several = page.getByRole('dialog', { name: 'Add multiple websites' })
  await expect.element(several.getByRole('textbox', { name: 'Domains' })).toHaveValue('new.example')
  await keys('{Escape}')
  await expect.element(several).not.toBeInTheDocument()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await several.getByRole('textbox', { name: 'Domains' }).fill('typed.example')
  await keys('{Escape}')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
})

test('compares the list in a file, and says why opening or comparing failed', async () => {
  const { bridge, dialog, status, text } = await opened()
  bridge.answer('openList', () => fail('not-text'))
  await dialog.getByRole('button', { name: 'Open a file…' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  bridge.answer('openList', () => ok(`Domain,Note\n${first},mine\nnew.example,"to add"`))
  await dialog.getByRole('button', { name: 'Open a file…' }).click()
  await expect.element(status).toHaveTextContent('Only in your list: 1. Only in this account: 29. In both: 1.')
  bridge.answer('compareList', () => fail('storage'))
  await text.fill('other.example')
  await expect.element(dialog.getByRole('alert')).toBeVisible()
})

test('the comparison with a list fits into a narrow window', async () => {
  await page.viewport(480, 700)
  const app = await openApp({ websites: rows })
  await app.keys('{Control>}k{/Control}')
  await app.keys('compare with a list{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Compare with a list' })
  await dialog.getByRole('textbox', { name: 'Domains' }).fill(`new.example\n${first}\nnot a domain`)
  await expect.element(dialog.getByRole('tab', { name: /Invalid lines/ })).toBeVisible()
  await expectAccessible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
})

test('the buttons below a long group are visible in a window of the default size', async () => {
  const { dialog, text } = await opened()
  paste(
    text.element(),
    Array.from({ length: 40 }, (_, n) => `client-${String(n)}.example`)
      .join('\n')
      .concat('\nclient-1.example'),
  )
  const add = dialog.getByRole('button', { name: /^Add these websites/ })
  await expect.element(add).toBeVisible()
  const foot = dialog.getByRole('button', { name: 'Close' }).element().parentElement
  expect(add.element().getBoundingClientRect().bottom).toBeLessThan(foot?.getBoundingClientRect().top ?? 0)
})
