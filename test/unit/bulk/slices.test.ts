import { expect, test } from 'vitest'
import { growingSlices } from '../../../src/shared/slices.ts'

test('growing slices begin with 25 items, double up to 200, and contain every item once and in order', () => {
  const all = Array.from({ length: 1_000 }, (_, n) => n)
  const slices = [...growingSlices(all)]
  expect(slices.map(({ length }) => length)).toEqual([25, 50, 100, 200, 200, 200, 200, 25])
  expect(slices.flat()).toEqual(all)
  expect([...growingSlices([])]).toEqual([])
})
