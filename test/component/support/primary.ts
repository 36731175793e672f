import { expect } from 'vitest'

export const expectOnePrimary = (): void => {
  expect([...document.querySelectorAll('button.primary')].map((button) => button.textContent)).toHaveLength(1)
}
