import { expect, test } from 'vitest'
import { BOUNDS, measureOverwrites } from './overwrites.ts'

test('overwrites few values of another client who writes every second, with few requests', async () => {
  const { singles, delivery, ratio } = await measureOverwrites()
  expect(singles.overwritten).toBeLessThanOrEqual(BOUNDS.single)
  expect(delivery.overwritten).toBeLessThanOrEqual(BOUNDS.long)
  expect(ratio).toBeLessThanOrEqual(BOUNDS.ratio)
})
