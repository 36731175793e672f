import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Words = typeof import('../../../src/words/dates.ts')
const here = process.env['TZ']

describe.each([
  ['America/Los_Angeles', /\b11\b.*\b0?6[:.]14/],
  ['Asia/Tokyo', /\b12\b.*\b11[:.]14/],
])('a time of the service, shown in %s', (zone, there) => {
  let words: Words
  beforeEach(async () => {
    process.env['TZ'] = zone
    // The formatters keep the time zone in which they were created.
    vi.resetModules()
    words = await import('../../../src/words/dates.ts')
  })
  afterEach(() => {
    if (here === undefined) delete process.env['TZ']
    else process.env['TZ'] = here
  })

  test('is converted to local time if it has a zone', () => {
    expect(words.exactOf('2026-11-12T02:14:05.000000Z')).toMatch(there)
    expect(words.exactOf('2026-11-12T03:14:05+01:00')).toMatch(there)
  })

  test('is shown as it is if it has no zone', () => {
    expect(words.exactOf('2026-11-12 02:14:05')).toMatch(/\b12\b.*\b0?2[:.]14/)
    expect(words.dayOf('2026-11-12 02:14:05')).toMatch(/\b12\b/)
  })

  test('is shown to the second, and with a zone only if that is known to be local', () => {
    expect(words.exactOf('2026-11-12T02:14:05Z')).toMatch(/14[:.]05.*\b(?:GMT[+-]\d+|[A-Z]{2,4})$/)
    expect(words.exactOf('2026-11-12 02:14:05')).toMatch(/14[:.]05(?: [AP]M)?$/)
    expect(words.timedOf('2026-11-12T02:14:05Z')).not.toMatch(/14[:.]05/)
  })

  test('without an hour is shown as a day', () => {
    for (const told of [words.dayOf, words.timedOf, words.exactOf]) {
      expect(told('2024-01-01')).toMatch(/\b1\b/)
      expect(told('2024-01-01')).toMatch(/2024/)
      expect(told('2024-01-01')).not.toMatch(/:/)
    }
  })

  test('that cannot be read is shown as it is', () => {
    expect(words.exactOf('yesterday')).toBe('yesterday')
  })
})
