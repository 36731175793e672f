import { describe, expect, it } from 'vitest'
import { countRunnerFailure, sum } from '../../../scripts/test/reports.mjs'

describe('counting a run', () => {
  it.each([
    ['leaves no report', 0, null, { passed: 0, failed: 1, skipped: 0 }],
    ['runs no test', 0, { passed: 0, failed: 0, skipped: 0 }, { passed: 0, failed: 1, skipped: 0 }],
    ['skips every test', 0, { passed: 0, failed: 0, skipped: 4 }, { passed: 0, failed: 1, skipped: 4 }],
    ['crashes after its tests', 1, { passed: 4, failed: 0, skipped: 0 }, { passed: 4, failed: 1, skipped: 0 }],
  ])('counts a runner that %s as one failure', (_, exitCode, counts, expected) => {
    expect(countRunnerFailure(exitCode, counts)).toEqual(expected)
  })

  it('counts a failed test once, although its runner fails too', () => {
    expect(countRunnerFailure(1, { passed: 4, failed: 1, skipped: 0 })).toEqual({ passed: 4, failed: 1, skipped: 0 })
  })

  it('adds up the counts of all runners', () => {
    const all = [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 20, failed: 2, skipped: 3 },
    ]
    expect(sum(all)).toEqual({ passed: 21, failed: 2, skipped: 3 })
  })
})
