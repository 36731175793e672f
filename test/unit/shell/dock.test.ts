import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDock } from '../../../src/main/shell/dock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Starts the app with an open or a closed window. Records the calls to the macOS dock, which shows the app at the start. */
function start(open: boolean) {
  const calls: string[] = []
  let visible = true
  const dock = {
    isVisible: () => visible,
    async show() {
      visible = true
      calls.push('show')
    },
    hide() {
      visible = false
      calls.push('hide')
    },
  }
  return { showInDock: createDock(dock, open), calls }
}

test('leaves the dock when it starts without a window, and returns with the window', () => {
  const { showInDock, calls } = start(false)
  expect(calls).toEqual(['hide'])
  vi.advanceTimersByTime(1100)
  showInDock(true)
  expect(calls).toEqual(['hide', 'show'])
})

test('stays in the dock when it starts with its window', () => {
  const { showInDock, calls } = start(true)
  showInDock(true)
  vi.advanceTimersByTime(5000)
  expect(calls).toEqual([])
})

test('applies the last of several quick changes, once the first has settled', () => {
  const { showInDock, calls } = start(true)
  showInDock(false)
  showInDock(true)
  showInDock(false)
  showInDock(true)
  expect(calls).toEqual(['hide'])
  vi.advanceTimersByTime(1100)
  expect(calls).toEqual(['hide', 'show'])
  vi.advanceTimersByTime(5000)
  expect(calls).toEqual(['hide', 'show'])
})

test('does nothing without a dock', () => {
  expect(() => createDock(undefined, false)(true)).not.toThrow()
})
