import { expect, test } from 'vitest'
import { cutInTheMiddle, domainWords, readingOf } from '../../src/words/domains.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aWebsite } from './support/fixtures.ts'

const ascii = (unicode: string): string => new URL(`http://${unicode}`).hostname

test.each(['bücher.example', 'пример.example', '例え.example', 'münchen-ost.bäckerei.example', 'مثال.example'])(
  '%s is written out beside its ASCII form',
  (unicode) => {
    expect(readingOf(ascii(unicode))).toEqual({ unicode, lookalike: false })
  },
)

test.each(['аррӏе.example', 'раураӏ.example', 'gооgle.example', 'exαmple.example'])(
  '%s, which looks like Latin and isn’t, is never written out, and warned of',
  (unicode) => {
    expect(readingOf(ascii(unicode))).toEqual({ lookalike: true })
  },
)

test('one that the service has as people write it is warned of all the same, where it looks like another', () => {
  expect(readingOf('bücher.example')).toEqual({ lookalike: false })
  expect(readingOf('gооgle.example')).toEqual({ lookalike: true })
})

test('what looks like another domain is warned of in the editor, before it is deleted, and where it is typed', async () => {
  const domain = ascii('раураӏ.example')
  const { row, form, screen, keys } = await openApp({ websites: [aWebsite({ domain })] })
  const warning = /may look like another one/
  await row(domainWords(domain).label).click()
  await expect.element(form().domain).toHaveAccessibleDescription(warning)
  await form().button('Delete').click()
  await expect.element(screen.getByRole('alertdialog')).toMatchTextContent(warning)
  await keys('{Escape}')
  await form().button('Close').click()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await screen.getByRole('textbox', { name: 'Domains' }).fill('раураӏ.example\nplain.example')
  await expect.element(screen.getByRole('dialog').getByText(warning)).toBeVisible()
})

test('a plain domain reads as it is, and one that can’t be read stays so', () => {
  expect(readingOf('plain.example')).toEqual({ lookalike: false })
  expect(readingOf('xn--.example').unicode).toBeUndefined()
  expect(readingOf('xn--99999999.example').unicode).toBeUndefined()
})

test('a long domain is cut in its middle, and nothing of it is lost', () => {
  const domain = `${'a-long-label-'.repeat(18)}end-of-it.example`
  const [start, end] = cutInTheMiddle(domain)
  expect(start + end).toBe(domain)
  expect(end).toBe('-of-it.example')
  expect(cutInTheMiddle('archive.cedar-coaching.example')).toEqual(['archive.cedar-coaching', '.example'])
  expect(cutInTheMiddle('members.allinonewordalone.com')[1]).toBe('ordalone.com')
  expect(cutInTheMiddle('short.example')).toEqual(['short.example', ''])
  expect(cutInTheMiddle('אבגדהוזחטיכלמנסעפצקרשת-ארוך-מאוד.example')[1]).toBe('')
})

test('the end of a long domain is in view, and the row is named by the whole', async () => {
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
  await expect.element(row(`${ascii('аррӏе.example')} May look like another`)).toBeVisible()
  await expectAccessible()
})
