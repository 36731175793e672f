import { expect, test } from 'vitest'
import { createRunningMark, type RunningMarkOptions } from '../../../src/main/shell/running-mark.ts'

/** Returns a function that starts the app again on the same computer. */
function aComputer() {
  let noted: unknown
  const note = { read: () => noted, write: (mark: unknown) => void (noted = mark) }
  const usual = { platform: 'linux', env: { XDG_SESSION_ID: '2' }, now: 2000, bootedAt: 1000 } as const
  return {
    start: (change: Partial<RunningMarkOptions> = {}) => createRunningMark({ ...usual, ...change, note }),
    damage: () => void (noted = 'damaged'),
  }
}

test('reports an unexpected end once, at the next start', () => {
  const { start } = aComputer()
  expect(start().endedUnexpectedly).toBe(false)
  const second = start()
  expect(second.endedUnexpectedly).toBe(true)
  second.clear()
  expect(start().endedUnexpectedly).toBe(false)
})

test('does not report an end by shutdown or logout', () => {
  const { start } = aComputer()
  start()
  expect(start({ bootedAt: 3000, now: 3500 }).endedUnexpectedly).toBe(false)
  expect(start({ bootedAt: 3000, now: 4000, env: { XDG_SESSION_ID: '3' } }).endedUnexpectedly).toBe(false)
  expect(start({ bootedAt: 3000, now: 4500, env: {} }).endedUnexpectedly).toBe(false)
})

test('reports nothing on Windows, which ends apps without notice', () => {
  const { start } = aComputer()
  start({ platform: 'win32' })
  expect(start({ platform: 'win32' }).endedUnexpectedly).toBe(false)
})

test('ignores a malformed mark', () => {
  const { start, damage } = aComputer()
  damage()
  expect(start().endedUnexpectedly).toBe(false)
  expect(start().endedUnexpectedly).toBe(true)
})
