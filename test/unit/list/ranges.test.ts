import { expect, test } from 'vitest'
import { overlapsWith } from '../../../src/main/replica/filter.ts'

test.each([
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.1.0.0/16', ' 10.0.0.0/8 ', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.1', '10.0.0.1', true],
  ['2001:db8::/32', '2001:db8:1::/48', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['10.0.0.0/8', '2001:db8::1', false],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['10.0.0.0/8', 'nonsense', false],
  ['10.0.0.0/8', '10.1', false],
  ['nonsense', '10.1.2.3', false],
])('the filter for %s matches the list entry %s: %s', (wanted, entry, expected) => {
  expect(overlapsWith(wanted)(entry)).toBe(expected)
})
