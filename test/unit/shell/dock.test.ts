import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDock } from '../../../src/main/shell/dock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Records calls to the dock of macOS, which shows the app when it starts. */
function start(open: boolean) {
  const told: string[] = []
  let visible = true
  const dock = {
    isVisible: () => visible,
    async show() {
      visible = true
      told.push('show')
    },
    hide() {
      visible = false
      told.push('hide')
    },
  }
  return { showInDock: createDock(dock, open), told }
}

test('leaves the dock when it starts without a window, and returns with the window', () => {
  const { showInDock, told } = start(false)
  expect(told).toEqual(['hide'])
  vi.advanceTimersByTime(1100)
  showInDock(true)
  expect(told).toEqual(['hide', 'show'])
})

test('stays in the dock when it starts with its window', () => {
  const { showInDock, told } = start(true)
  showInDock(true)
  vi.advanceTimersByTime(5000)
  expect(told).toEqual([])
})

test('applies the last of several quick changes, once the first has settled', () => {
  const { showInDock, told } = start(true)
  showInDock(false)
  showInDock(true)
  showInDock(false)
  showInDock(true)
  expect(told).toEqual(['hide'])
  vi.advanceTimersByTime(1100)
  expect(told).toEqual(['hide', 'show'])
  vi.advanceTimersByTime(5000)
  expect(told).toEqual(['hide', 'show'])
})

test('does nothing without a dock', () => {
  expect(() => createDock(undefined, false)(true)).not.toThrow()
})
