import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Format = typeof import('../../../src/shared/display/format.ts')
const here = process.env['TZ']

describe.each([
  ['America/Los_Angeles', /\b11\b.*\b0?6[:.]14/],
  ['Asia/Tokyo', /\b12\b.*\b11[:.]14/],
])('a time of the service, shown in %s', (zone, shown) => {
  let format: Format
  beforeEach(async () => {
    process.env['TZ'] = zone
    // The formatters keep the time zone that was set when they were created.
    vi.resetModules()
    format = await import('../../../src/shared/display/format.ts')
  })
  afterEach(() => {
    if (here === undefined) delete process.env['TZ']
    else process.env['TZ'] = here
  })

  test('is converted to local time if it has a zone', () => {
    expect(format.formatExact('2026-11-12T02:14:05.000000Z')).toMatch(shown)
    expect(format.formatExact('2026-11-12T03:14:05+01:00')).toMatch(shown)
  })

  test('is shown as it is if it has no zone', () => {
    expect(format.formatExact('2026-11-12 02:14:05')).toMatch(/\b12\b.*\b0?2[:.]14/)
    expect(format.formatDay('2026-11-12 02:14:05')).toMatch(/\b12\b/)
  })

  test('is shown to the second, and with the local zone only if the time has a zone', () => {
    expect(format.formatExact('2026-11-12T02:14:05Z')).toMatch(/14[:.]05.*\b(?:GMT[+-]\d+|[A-Z]{2,4})$/)
    expect(format.formatExact('2026-11-12 02:14:05')).toMatch(/14[:.]05(?: [AP]M)?$/)
    expect(format.formatDateTime('2026-11-12T02:14:05Z')).not.toMatch(/14[:.]05/)
  })

  test('without an hour is shown as a day', () => {
    for (const formatted of [format.formatDay, format.formatDateTime, format.formatExact]) {
      expect(formatted('2024-01-01')).toMatch(/\b1\b/)
      expect(formatted('2024-01-01')).toMatch(/2024/)
      expect(formatted('2024-01-01')).not.toMatch(/:/)
    }
  })

  test('that cannot be read is shown as it is', () => {
    expect(format.formatExact('yesterday')).toBe('yesterday')
  })
})
