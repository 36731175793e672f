import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reportSetupTime } from '../../../scripts/setup.mjs'
import { runStep } from '../../../scripts/test/run-step.mjs'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
})
afterEach(() => vi.restoreAllMocks())

const seconds = String.raw`\(\d+\.\d s\)$`

describe('a part of the test run', () => {
  it('prints a line when it starts, and one with its counts and seconds when it ends', async () => {
    const counts = { passed: 3, failed: 0, skipped: 1 }
    const run = async () => {
      expect(lines).toEqual(['unit: started'])
      return { counts, output: 'not of interest' }
    }
    expect(await runStep({ name: 'unit', run })).toEqual(counts)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(new RegExp(`^unit: 3 passed, 0 failed, 1 skipped ${seconds}`))
  })

  it('prints its output if it fails', async () => {
    const run = async () => ({ counts: { passed: 0, failed: 1, skipped: 0 }, output: '\nline 3: wrong\n' })
    await runStep({ name: 'lint', run })
    expect(lines.slice(0, 2)).toEqual(['lint: started', '\nline 3: wrong\n'])
    expect(lines[2]).toMatch(new RegExp(`^lint: 0 passed, 1 failed ${seconds}`))
  })

  it('counts as failed if it cannot start', async () => {
    const run = () => Promise.reject(new Error('dbus-daemon did not start'))
    expect(await runStep({ name: 'e2e', run })).toEqual({ passed: 0, failed: 1, skipped: 0 })
    expect(lines.join('\n')).toContain('dbus-daemon did not start')
  })
})

it('prints how long the set-up took', () => {
  reportSetupTime()
  expect(lines).toEqual([expect.stringMatching(/^setup: took \d+\.\d s$/)])
})
