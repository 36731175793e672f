import { expect, test } from 'vitest'
import { checkChanges, checkDraft, tidyLines, toConnectionName } from '../../../src/shared/validate.ts'
import { websiteChangesSchema } from '../../../src/shared/website.ts'
import { draft } from './rig.ts'
import { isUncommonDomain, normalizeDomain } from '../../../src/shared/domain.ts'

test.each([
  ['https://www.Example.com', 'example.com'],
  [' WWW.example.com:8080/path?query#part ', 'example.com'],
  ['//example.com.', 'example.com'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['www.com', 'www.com'],
  ['10.0.0.1', '10.0.0.1'],
  ['a-b.c1.example', 'a-b.c1.example'],
  ['intranet', 'intranet'],
  ['http://localhost:8080/', 'localhost'],
  ['a_b.example', 'a_b.example'],
])('stores the typed domain %s as %s', (typed, domain) => {
  expect(normalizeDomain(typed)).toBe(domain)
})

test.each([
  '',
  'https://',
  'two words.example',
  'someone@host.example',
  '-a.example',
  'a..example',
  '1.2',
  '0x7f.1',
  '[::1]',
  'ex%61mple.com',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(126)}example`,
])('rejects %s as a domain', (typed) => {
  expect(normalizeDomain(typed)).toBeNull()
})

test('warns of a domain name that not every host accepts', () => {
  expect(['intranet', 'https://A_b.example/'].map(isUncommonDomain)).toEqual([true, true])
  expect(['example.com', '10.0.0.1', 'two words', ''].map(isUncommonDomain)).toEqual([false, false, false, false])
  expect(checkDraft(draft('intranet'))).toEqual({})
})

test('accepts a password only with the privacy "Password", and requires one for a new website with that privacy', () => {
  expect(checkDraft(draft('a.example', { privacy: 2, password: 'x' }))).toEqual({})
  expect(Object.keys(checkDraft(draft('a.example', { privacy: 2 })))).toEqual(['password'])
  expect(Object.keys(checkDraft(draft('a.example', { privacy: 0, password: 'x' })))).toEqual(['password'])
  expect(checkChanges({ privacy: 2 }, { privacy: 1 })).toEqual({})
  expect(checkChanges({ password: 'x' }, { privacy: 2 })).toEqual({})
  expect(Object.keys(checkChanges({ password: 'x' }, { privacy: 1 }))).toEqual(['password'])
  expect(Object.keys(checkChanges({ password: 'x', privacy: 0 }, { privacy: 2 }))).toEqual(['password'])
})

test('trims lines and drops empty ones, however they were pasted', () => {
  expect(tidyLines([' a ', '', 'b\r\nc\rd', '   '])).toEqual(['a', 'b', 'c', 'd'])
})

test('rejects a list of more than 64 KiB at its field', () => {
  const line = 'x'.repeat(511)
  const fits = Array.from({ length: 128 }, () => line)
  expect(checkChanges({ exclude_ips: fits, exclude_params: fits }, { privacy: 1 })).toEqual({})
  expect(Object.keys(checkChanges({ exclude_params: [...fits, 'y'] }, { privacy: 1 }))).toEqual(['exclude_params'])
  expect(Object.keys(checkDraft(draft('a.example', { exclude_ips: [...fits, 'y'] })))).toEqual(['exclude_ips'])
  // The limit counts bytes, not characters.
  expect(Object.keys(checkChanges({ exclude_params: fits.map(() => 'ü'.repeat(600)) }, {}))).toEqual(['exclude_params'])
})

test('a list of more than 64 KiB, which another client has stored, may become shorter but not longer', () => {
  const stored = Array.from({ length: 200 }, () => 'x'.repeat(511))
  const current = { exclude_ips: stored }
  expect(checkChanges({ exclude_ips: stored.slice(1) }, current)).toEqual({})
  expect(Object.keys(checkChanges({ exclude_ips: [...stored, 'y'] }, current))).toEqual(['exclude_ips'])
  expect(Object.keys(checkChanges({ exclude_params: stored }, current))).toEqual(['exclude_params'])
})

test.each([
  ['a line', { exclude_params: ['x'.repeat(1000)] }, { exclude_params: ['x'.repeat(1001)] }],
  ['lines', { exclude_ips: Array<string>(10_000).fill('a') }, { exclude_ips: Array<string>(10_001).fill('a') }],
  ['a password', { password: 'x'.repeat(1000) }, { password: 'x'.repeat(1001) }],
])('limits %s to what the bridge accepts, and says so at the field', (_what, fits, exceeds) => {
  const current = { privacy: 2 } as const
  expect(checkChanges(fits, current)).toEqual({})
  expect(websiteChangesSchema.safeParse(fits).success).toBe(true)
  expect(Object.keys(checkChanges(exceeds, current))).toEqual(Object.keys(exceeds))
  expect(Object.keys(checkDraft(draft('a.example', { ...current, password: 'x', ...exceeds })))).toEqual(
    Object.keys(exceeds),
  )
})

test.each([
  ['half a character', `${'x'.repeat(99)}🙂`],
  ['a space', `${'x'.repeat(99)} Acme`],
])('an account name that is too long is cut so that it does not end with %s', (_what, name) => {
  expect(toConnectionName(name)).toBe('x'.repeat(99))
})
