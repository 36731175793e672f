import { expect, test } from 'vitest'
import {
  foldNamedAddresses,
  shownLineNumbers,
  withShownText,
  unfoldedText,
  textOf,
} from '../../../src/renderer/lib/exclude-list/fold-named-addresses.ts'

const office = { name: 'Office', lines: ['192.0.2.7', '2001:db8::/32'] }
const list = 'a\n192.0.2.7/32\n\nb\n2001:DB8::/32'

test('hides the lines of a complete named address, and keeps the others with their numbers', () => {
  const folded = foldNamedAddresses(list, [office])
  expect(unfoldedText(folded)).toBe('a\n\nb')
  expect(shownLineNumbers(folded)).toEqual([1, 3, 4])
  expect(textOf(folded)).toBe(list)
  for (const whole of ['a\n192.0.2.7', '192.0.2.7\r2001:db8::/32']) {
    expect(unfoldedText(foldNamedAddresses(whole, [office]))).toBe(whole)
  }
})

test('keeps the hidden lines at their places while the user types', () => {
  const folded = foldNamedAddresses(list, [office])
  const typed = (...texts: string[]) => textOf(texts.reduce(withShownText, folded))
  expect(typed('a\n\nb')).toBe(list)
  expect(typed('a\n\nb\nc')).toBe(`${list}\nc`)
  expect(typed('a', 'a\n\nb')).toBe('a\n192.0.2.7/32\n2001:DB8::/32\n\nb')
  expect(typed('')).toBe('192.0.2.7/32\n2001:DB8::/32')
  // A hidden line that the user types again is shown.
  expect(unfoldedText(withShownText(folded, 'a\n192.0.2.7'))).toBe('a\n192.0.2.7')
})
