import { expect, test } from 'vitest'
import { newPassword } from '../../../src/renderer/state/new-password.ts'
import { strengthOf } from '../../../src/renderer/state/password-strength.ts'

const grade = (password: string): string => strengthOf(password, 'shop.kestrel-press.example').grade

test.each([
  'password',
  'P@ssw0rd!',
  'qwertzuiop',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  '12345678',
  'kestrel-press',
  'summer2024',
  'x7!',
])('%s is easy to guess', (password) => expect(grade(password)).toBe('easy'))

test.each(['T7#qLm2!', 'otter harbor', 'zkq3vx8w'])('%s is guessed with patience', (password) =>
  expect(grade(password)).toBe('fair'),
)

test.each(['plum-otter-quilt-harbor', 'x9$Kq!v2LwZp', 'correct horse battery staple', 'øre 漢字 ключ 42 ñandú'])(
  '%s is hard to guess',
  (password) => expect(grade(password)).toBe('hard'),
)

test('an empty one and one of signs alone are read too', () => {
  expect([grade(''), grade('\n\n'), grade('🦉🦉🦉🦉')]).toEqual(['easy', 'easy', 'easy'])
})

test('of ten thousand made none comes twice, each is hard to guess, and every sign comes about as often', () => {
  const made = Array.from({ length: 10_000 }, newPassword)
  expect(new Set(made).size).toBe(made.length)
  expect(made.slice(0, 300).map(grade)).not.toContain('easy')
  const counts = new Map<string, number>()
  for (const sign of made.join('').replaceAll('-', '')) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const expected = 200_000 / 31
  expect(counts.size).toBe(31)
  // Eight standard deviations: a letter that came more often by the way it's drawn would be 4 in 256 over it.
  for (const n of counts.values()) expect(Math.abs(n - expected)).toBeLessThan(8 * Math.sqrt(expected))
})
