import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDock } from '../../../src/main/shell/dock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** macOS' dock: it shows the app when that starts, and what it's told to is noted. */
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

test('an app that starts without its window leaves the dock, and comes back with it', () => {
  const { showInDock, told } = start(false)
  expect(told).toEqual(['hide'])
  vi.advanceTimersByTime(1100)
  showInDock(true)
  expect(told).toEqual(['hide', 'show'])
})

test('one that starts with its window stays as it is', () => {
  const { showInDock, told } = start(true)
  showInDock(true)
  vi.advanceTimersByTime(5000)
  expect(told).toEqual([])
})

test('of changes that follow each other at once the last is carried out, when the first has settled', () => {
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

test('a system without a dock is told nothing', () => {
  expect(() => createDock(undefined, false)(true)).not.toThrow()
})
