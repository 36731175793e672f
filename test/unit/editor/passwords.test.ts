import { expect, test } from 'vitest'
import { newPassword } from '../../../src/renderer/lib/new-password.ts'

test('generates no password twice in ten thousand, and uses every character about as often', () => {
  const made = Array.from({ length: 10_000 }, newPassword)
  expect(new Set(made).size).toBe(made.length)
  const counts = new Map<string, number>()
  for (const sign of made.join('').replaceAll('-', '')) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const expected = 200_000 / 31
  expect(counts.size).toBe(31)
  // Six standard deviations. With a modulo bias, eight of the characters would be seven standard deviations too frequent.
  for (const n of counts.values()) expect(Math.abs(n - expected)).toBeLessThan(6 * Math.sqrt(expected))
})
