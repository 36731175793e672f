import { expect, test } from 'vitest'
import { BOUNDS, measureOverwrites } from './overwrites.ts'

test('stays within the bounds for overwritten remote values and for requests while another client writes every second', async () => {
  const { singles, delivery, ratio } = await measureOverwrites()
  expect(singles.overwritten).toBeLessThanOrEqual(BOUNDS.single)
  expect(delivery.overwritten).toBeLessThanOrEqual(BOUNDS.long)
  expect(ratio).toBeLessThanOrEqual(BOUNDS.ratio)
})
