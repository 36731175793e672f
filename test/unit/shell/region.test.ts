import { describe, expect, test } from 'vitest'
import { systemFormatLocale } from '../../../src/main/shell/region.ts'

describe('reads the system’s date format', () => {
  test.each([
    ['the setting for times goes before the language', { LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8' }, 'de-DE'],
    ['LC_ALL goes before both', { LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8', LC_ALL: 'sv_SE' }, 'sv-SE'],
    ['the language, where times have no setting', { LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    ['an empty setting is none', { LC_ALL: '', LC_TIME: '', LANG: 'nl_NL' }, 'nl-NL'],
    ['a modifier is left out', { LC_TIME: 'fi_FI@euro' }, 'fi-FI'],
    ['no language at all', { LC_ALL: 'C' }, 'en-GB'],
    ['POSIX, by a character set', { LC_TIME: 'C.UTF-8' }, 'en-GB'],
    ['nonsense', { LC_TIME: '../../etc' }, 'en-GB'],
    ['nothing set', {}, 'en-GB'],
  ])('Linux: %s', (_name, env, expected) => {
    expect(systemFormatLocale('linux', env, 'en-GB')).toBe(expected)
  })

  test.each([
    ['de-AT', 'de-AT'],
    ['pt_FI', 'pt-FI'],
    ['en_US@rg=dezzzz', 'en-US'],
    ['C', null],
    ['', null],
    ['not a locale', null],
  ])('macOS and Windows: the system’s locale %s, and no variable of the environment', (locale, expected) => {
    expect(systemFormatLocale('darwin', { LC_TIME: 'sv_SE' }, locale)).toBe(expected)
    expect(systemFormatLocale('win32', {}, locale)).toBe(expected)
  })
})
