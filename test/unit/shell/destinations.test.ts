import { expect, test } from 'vitest'
import { createPendingDestination } from '../../../src/main/shell/destinations.ts'

test('a Quit is pending until the window has taken it or another destination has replaced it', () => {
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
