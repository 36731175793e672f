import { expect, test } from 'vitest'
import { createPendingDestination } from '../../../src/main/shell/destinations.ts'

test('knows that the window has not taken the question of an earlier Quit, so that a second Quit quits', () => {
  const nothing = () => undefined
  const pending = createPendingDestination(nothing, nothing)
  pending.ready()
  expect(pending.isPending('quit')).toBe(false)
  pending.goTo({ to: 'quit' })
  expect(pending.isPending('quit')).toBe(true)
  pending.take()
  expect(pending.isPending('quit')).toBe(false)
  pending.goTo({ to: 'search' })
  expect(pending.isPending('quit')).toBe(false)
})
