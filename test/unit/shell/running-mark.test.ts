import { expect, test } from 'vitest'
import { createRunningMark, type RunningMarkParts } from '../../../src/main/shell/running-mark.ts'

/** A computer on which the app is started again and again. */
function aComputer() {
  let noted: unknown
  const note = { read: () => noted, write: (mark: unknown) => void (noted = mark) }
  const usual = { platform: 'linux', env: { XDG_SESSION_ID: '2' }, now: 2000, bootedAt: 1000 } as const
  return {
    start: (change: Partial<RunningMarkParts> = {}) => createRunningMark({ ...usual, ...change, note }),
    damage: () => void (noted = 'damaged'),
  }
}

test('a run that didn’t end in order is told at the next start, and at no other', () => {
  const { start } = aComputer()
  expect(start().wasCutShort).toBe(false)
  const second = start()
  expect(second.wasCutShort).toBe(true)
  second.clear()
  expect(start().wasCutShort).toBe(false)
})

test('what ended with the computer or with its login isn’t told as an error', () => {
  const { start } = aComputer()
  start()
  expect(start({ bootedAt: 3000, now: 3500 }).wasCutShort).toBe(false)
  expect(start({ bootedAt: 3000, now: 4000, env: { XDG_SESSION_ID: '3' } }).wasCutShort).toBe(false)
  expect(start({ bootedAt: 3000, now: 4500, env: {} }).wasCutShort).toBe(false)
})

test('Windows tells nobody that it ends, so nothing is told there', () => {
  const { start } = aComputer()
  start({ platform: 'win32' })
  expect(start({ platform: 'win32' }).wasCutShort).toBe(false)
})

test('a mark that can’t be read is none', () => {
  const { start, damage } = aComputer()
  damage()
  expect(start().wasCutShort).toBe(false)
  expect(start().wasCutShort).toBe(true)
})
