import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots } from '../../../src/renderer/state/slots.ts'

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n)

test('each row has an element of its own, keeps it while it’s drawn, and no more are made than are drawn at once', () => {
  const view = fc.tuple(fc.nat({ max: 200 }), fc.integer({ min: 0, max: 40 }))
  fc.assert(
    fc.property(fc.array(view, { minLength: 1, maxLength: 30 }), (views) => {
      const slots = createSlots()
      let before = new Map<number, number>()
      let most = 0
      for (const [from, count] of views) {
        const drawn = slots(range(from, count))
        most = Math.max(most, count)
        expect(drawn.map(({ index }) => index)).toEqual(range(from, count))
        expect(new Set(drawn.map(({ slot }) => slot)).size).toBe(count)
        for (const { index, slot } of drawn) {
          expect(slot).toBeLessThan(most)
          expect(slot).toBe(before.get(index) ?? slot)
        }
        before = new Map(drawn.map(({ index, slot }) => [index, slot]))
      }
    }),
  )
})

test('rows that have all gone are drawn by their elements in the same order', () => {
  const slots = createSlots()
  slots(range(0, 5))
  expect(slots(range(900, 5)).map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 4])
})
