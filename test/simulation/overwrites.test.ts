import { expect, test } from 'vitest'
import { BOUNDS, measureOverwrites } from './overwrites.ts'

test('overwrites no more values of a client that writes every second, and sends no more requests, than the bounds allow', async () => {
  const { singles, delivery, ratio } = await measureOverwrites()
  expect(singles.overwritten).toBeLessThanOrEqual(BOUNDS.single)
  expect(delivery.overwritten).toBeLessThanOrEqual(BOUNDS.long)
  expect(ratio).toBeLessThanOrEqual(BOUNDS.ratio)
})
