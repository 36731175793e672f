import { expect } from 'vitest'

/** Expects that the screen emphasizes exactly one action. */
export const expectOnePrimary = (): void => {
  expect([...document.querySelectorAll('button.primary')].map((button) => button.textContent)).toHaveLength(1)
}
