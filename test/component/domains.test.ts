import { page, type Locator } from 'vitest/browser'
import { describe, expect, test } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { splitForEllipsis, displayDomain, readingOf } from '../../src/shared/display/domain.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aHistoryEntry, aParked, aWebsite, anAccountView, anAppState, anEdit } from './support/fixtures.ts'

const ascii = (unicode: string): string => new URL(`http://${unicode}`).hostname

test.each(['bücher.example', 'пример.example', '例え.example', 'münchen-ost.bäckerei.example', 'مثال.example'])(
  'shows %s in Unicode beside its ASCII form',
  (unicode) => {
    expect(readingOf(ascii(unicode))).toEqual({ unicode, lookalike: false })
  },
)

test.each(['аррӏе.example', 'раураӏ.example', 'gооgle.example', 'exαmple.example'])(
  'warns of %s, which looks like Latin letters, and never shows it in Unicode',
  (unicode) => {
    expect(readingOf(ascii(unicode))).toEqual({ lookalike: true })
  },
)

test('warns of a lookalike that the service returns in Unicode', () => {
  expect(readingOf('bücher.example')).toEqual({ lookalike: false })
  expect(readingOf('gооgle.example')).toEqual({ lookalike: true })
})

test('warns of a lookalike in the editor, before it is deleted, and while it is typed', async () => {
  const domain = ascii('раураӏ.example')
  const { row, form, screen, keys } = await openApp({ websites: [aWebsite({ domain })] })
  const warning = /may imitate another one/
  await row(displayDomain(domain).label).click()
  await expect.element(form().domain).toHaveAccessibleDescription(warning)
  await form().choose('Delete…')
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(warning)
  await keys('{Escape}')
  await form().button('Close').click()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await screen.getByRole('textbox', { name: 'Domains' }).fill('раураӏ.example\nplain.example')
  await expect.element(screen.getByRole('dialog').getByText(warning)).toBeVisible()
})

const like = ascii('раураӏ.example')
const long = `${'a-long-label-'.repeat(18)}end-of-it.example`
const warned = `${like} Possible lookalike`

async function expectSafe(within: Locator): Promise<void> {
  await expect.element(within.getByText('Possible lookalike', { exact: true })).toBeVisible()
  const end = within.getByText('-of-it.example', { exact: true })
  await end.element().scrollIntoView()
  await expect.element(end).toBeInViewport({ ratio: 1 })
  await expectAccessible()
}

describe('marks a lookalike, and shows the end of a long domain', () => {
  const edits = [aParked({ id: 'e1', website: 'w1', domain: like }), anEdit({ id: 'e2', website: 'w2', domain: long })]
  const history = [like, long].map((domain, n) => aHistoryEntry({ id: `h${String(n)}`, domain }))
  const presets = [{ id: 'p', name: 'Ours', change: { email: true } }]
  const open = () =>
    openApp({
      websites: [aWebsite({ domain: like }), aWebsite({ key: 'w2', domain: long })],
      edits,
      history,
      presets,
    })

  test('in the palette', async () => {
    const { row, keys } = await open()
    await expect.element(row(warned)).toBeVisible()
    await keys('{Control>}k{/Control}example')
    await expect.element(page.getByRole('option', { name: warned, exact: true })).toBeVisible()
    await expectSafe(page.getByRole('dialog'))
  })

  test('in the preview of a bulk change', async () => {
    const { row, keys, bridge } = await open()
    const change = { from: { email: false }, to: { email: true }, password: false, error: null }
    const rows = [like, long].map((domain, n) => ({ key: `w${String(n + 1)}`, domain, ...change }))
    bridge.answer('previewBulk', () => ok({ changing: 2, same: 0, refused: 0, unlocked: 0, rows, pages: 1 }))
    await expect.element(row(warned)).toBeVisible()
    ;(row(warned).element() as HTMLElement).focus()
    await keys('{Shift>}{ArrowDown}{/Shift}{Control>}e{/Control}')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('radiogroup', { name: 'Email reports' })
      .getByRole('radio', { name: 'On', exact: true })
      .click()
    await expectSafe(dialog.getByRole('list', { name: 'What will change' }))
  })

  test.each([1180, 480])('in the preview of new websites, in a window %i wide', async (width) => {
    await page.viewport(width, 740)
    const { keys } = await openApp()
    await keys('{Control>}{Shift>}n{/Shift}{/Control}')
    await page.getByRole('textbox', { name: 'Domains' }).fill([like, long].join('\n'))
    const rows = page.getByRole('region', { name: 'Websites to add' })
    await expectSafe(rows)
    await expect.element(rows.getByTitle(long, { exact: true })).toBeVisible()
    expect(rows.element().scrollWidth).toBeLessThanOrEqual(rows.element().clientWidth)
    await page.viewport(1180, 740)
  })

  test('in the websites that differ from a preset', async () => {
    const { goTo } = await open()
    await goTo('Presets')
    await page.getByText('Differences').click()
    await expectSafe(page.getByRole('article'))
  })

  test('in pending changes, conflicts and the activity', async () => {
    const { goTo } = await open()
    await goTo('Pending')
    await expect.element(page.getByRole('heading', { name: warned, exact: true })).toBeVisible()
    await expectSafe(page.getByRole('main'))
    await goTo('Activity')
    await expect.element(page.getByRole('heading', { name: long, exact: true })).toBeVisible()
    await expectSafe(page.getByRole('main'))
  })
})

test('shows a plain domain, and one that can’t be decoded, unchanged', () => {
  expect(readingOf('plain.example')).toEqual({ lookalike: false })
  expect(readingOf('xn--.example').unicode).toBeUndefined()
  expect(readingOf('xn--99999999.example').unicode).toBeUndefined()
})

test('splits a long domain into a start and an end, but not a short one and not one that is written from right to left', () => {
  const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`
  const [start, end] = splitForEllipsis(domain)
  expect(start + end).toBe(domain)
  expect(end).toBe('-of-it.example')
  expect(splitForEllipsis('archive.cedar-coaching.example')).toEqual(['archive.cedar-coaching', '.example'])
  expect(splitForEllipsis('members.allinonewordalone.com')[1]).toBe('ordalone.com')
  expect(splitForEllipsis('short.example')).toEqual(['short.example', ''])
  expect(splitForEllipsis('bücher-und-zeitschriften-aus-zweiter-hand.example')[1]).toBe('-hand.example')
  expect(splitForEllipsis('антикварные-книги-и-журналы.пример')[1]).toBe('-журналы.пример')
  expect(splitForEllipsis('例え'.repeat(40))[1]).toBe('例え'.repeat(6))
  expect(splitForEllipsis('a.مثال-طويل-جدا-لا-يقطع-في-وسطه.example')[1]).toBe('')
  expect(splitForEllipsis('אבגדהוזחטיכלמנסעפצקרשת-ארוך-מאוד.example')[1]).toBe('')
})

test('shows the end of a long domain, and names its row by the whole domain', async () => {
  const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`
  const { screen, row } = await openApp({
    websites: [
      aWebsite({ domain }),
      aWebsite({ key: 'b', domain: ascii('bücher.example') }),
      aWebsite({ key: 'c', domain: ascii('аррӏе.example') }),
    ],
  })
  await expect.element(row(domain)).toHaveAttribute('title', domain)
  await expect.element(screen.getByText('-of-it.example', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect.element(row(`${ascii('bücher.example')} bücher.example`)).toBeVisible()
  await expect.element(row(`${ascii('аррӏе.example')} Possible lookalike`)).toBeVisible()
  await expectAccessible()
})

test('marks lookalikes in the questions before changes are discarded or a connection is left', async () => {
  const edits = [aParked({ id: 'e1', domain: like }), anEdit({ id: 'e2', domain: long })]
  const state = anAppState({ waiting: 1, parked: 1 })
  const { screen, goTo, keys } = await openApp({ edits, state, account: anAccountView() })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: warned, exact: true })).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: long, exact: true })).toBeVisible()
  await expectSafe(dialog)
  await keys('{Escape}')
  await goTo('Settings')
  await screen.getByRole('button', { name: /^Remove / }).click()
  await expectSafe(dialog)
  await keys('{Escape}')
  await goTo('Pending')
  await screen.getByRole('button', { name: 'Discard…' }).first().click()
  await expect.element(dialog).toMatchTextContent(/Discard the change.*may imitate another one/)
})

test('shows both ends of a long domain in the title of a question, and all of it below', async () => {
  const { row, form } = await openApp({ websites: [aWebsite({ domain: long })] })
  await row(long).click()
  await form().choose('Delete…')
  const dialog = page.getByRole('alertdialog', { name: /^Delete .*a-long-label-.*….*end-of-it\.example.*\?$/ })
  await expect.element(dialog.getByText(long, { exact: true })).toBeVisible()
})

test('shows the Unicode form of a selected domain in the question before websites are deleted', async () => {
  const selected = ['bücher.example', 'аррӏе.example'].map((unicode, n) =>
    aWebsite({ key: `k${String(n)}`, domain: ascii(unicode) }),
  )
  const { keys, row, screen } = await openApp({ websites: selected })
  const first = row(`${ascii('bücher.example')} bücher.example`)
  await expect.element(first).toBeVisible()
  ;(first.element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}')
  await screen.getByRole('button', { name: 'Delete…' }).click()
  const items = page.getByRole('alertdialog').getByRole('listitem')
  await expect.element(items.nth(0)).toHaveTextContent(`${ascii('bücher.example')} bücher.example`)
  await expect.element(items.nth(1)).toHaveTextContent(`${ascii('аррӏе.example')} Possible lookalike`)
})
