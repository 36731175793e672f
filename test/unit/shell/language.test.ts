import { afterEach, describe, expect, test } from 'vitest'
import { bestLanguage, createLanguage } from '../../../src/main/shell/language.ts'
import { fullErrorText } from '../../../src/messages/errors.ts'
import { baseLocale, m, overwriteGetLocale } from '../../../src/messages/index.ts'
import { formatDateTime, formatList, formatNumber, setFormatLocale } from '../../../src/shared/display/format.ts'
import { defaultSettings, readSettings } from '../../../src/shared/state.ts'

afterEach(() => {
  overwriteGetLocale(() => baseLocale)
  setFormatLocale(() => baseLocale)
})

describe('the chosen language', () => {
  test.each([
    ['the language without its region', ['de-AT'], 'de'],
    ['the language without its script and region', ['de-Latn-DE'], 'de'],
    ['the second, if the first has no catalog', ['pt-BR', 'de-CH', 'en'], 'de'],
    ['English before another language that comes later', ['en-GB', 'de'], 'en'],
    ['English, if no language has a catalog', ['pt-BR', 'sv'], 'en'],
    ['English, if none is given', [], 'en'],
    ['the next, after texts that are no language', ['', 'C', '../etc', 'de-CH'], 'de'],
  ])('is %s', (_name, preferred, expected) => {
    expect(bestLanguage(preferred)).toBe(expected)
  })
})

test('formats by the system’s region only if the region’s language is the one that is shown', () => {
  const language = createLanguage(['en-GB', 'de'])
  expect(language.state()).toEqual({ shown: 'en', system: 'en', formats: 'en-GB' })
  language.choose('system', 'de-AT')
  expect(language.state().formats).toBe('en-GB')
  language.choose('de', 'de-AT')
  expect(language.state().formats).toBe('de-AT')
  language.choose('de', 'en-GB')
  expect(language.state()).toEqual({ shown: 'de', system: 'en', formats: 'de' })
})

test('shows texts, numbers, dates and lists in the chosen language', () => {
  const language = createLanguage(['en-US'])
  expect(language.choose('system', null)).toBe(false)
  expect([formatNumber(1234.5), formatList(['a', 'b', 'c'], 'or')]).toEqual(['1,234.5', 'a, b, or c'])
  expect(language.choose('de', null)).toBe(true)
  expect([formatNumber(1234.5), formatList(['a', 'b', 'c'], 'or')]).toEqual(['1.234,5', 'a, b oder c'])
  expect(formatDateTime(new Date(2026, 10, 26, 22, 5).getTime())).toBe('26.11.2026, 22:05')
  expect(language.choose('system', null)).toBe(true)
  expect(m.menu_edit()).toBe('Edit')
})

test('writes an error and its advice with a space between them, but not in Japanese', () => {
  const language = createLanguage(['en'])
  const textIn = (shown: 'de' | 'ja') => {
    language.choose(shown, null)
    return fullErrorText({ code: 'key-missing', message: '' })
  }
  expect(textIn('de')).toMatch(/^[^.]+\. \S[^.]+\.$/)
  expect(textIn('ja')).toMatch(/^[^。]+。[^\s。]+。$/)
})

test('falls back to the system’s language for an unknown setting', () => {
  expect(readSettings({ language: 'tlh', theme: 'dark' })).toEqual({ ...defaultSettings, theme: 'dark' })
  expect(readSettings({ language: 'de' }).language).toBe('de')
})
