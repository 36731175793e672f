import { globSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { baseLocale, m, overwriteGetLocale } from '../../../src/messages/index.ts'
import { serviceSays } from '../../../src/messages/errors.ts'
import { joinSentences } from '../../../src/shared/display/format.ts'

afterEach(() => overwriteGetLocale(() => baseLocale))

test('joins sentences with a space, except in Japanese', () => {
  const texts = () => joinSentences([m.crash_saved(), false, '', m.pending_none_online()])
  expect(texts()).toBe('Your saved changes are safe. All your changes have been sent.')
  overwriteGetLocale(() => 'ja')
  expect(texts()).toBe(`${m.crash_saved()}${m.pending_none_online()}`)
  expect(joinSentences([serviceSays('No.'), null])).toBe(serviceSays('No.'))
})

/** Matches a message that is joined with a space or punctuation in a template, and a list that is joined without `Intl`. */
const JOINED =
  /\$\{m\.\w+\([^`]*?\)\}[ .,:]|\} \$\{m\.|\{m\.\w+\(.*\)\}(?:[.,:]| \{m\.)|(?:filter\(Boolean\)|map\((?:visible|isolated)\))\s*\.join\('(?:, | )'\)/

test('no file joins texts itself', () => {
  const files = globSync('src/{main,renderer}/**/*.{ts,svelte}')
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((file) => JOINED.test(readFileSync(file, 'utf8')))).toEqual([])
})
