import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonSchema } from '../../../src/shared/json.ts'

const isTaken = (value: unknown): boolean => jsonSchema.safeParse(value).success

test('whatever can be written as JSON is JSON', () => {
  fc.assert(fc.property(fc.jsonValue(), isTaken))
})

test('what is JSON is what zod has for it, however it’s put together', () => {
  const anything = fc.anything({ withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true })
  const same = (value: unknown) => isTaken(value) === z.json().safeParse(value).success
  fc.assert(fc.property(anything, same), { numRuns: 2000 })
  for (const value of [undefined, Infinity, NaN, 1n, new Date(0), new Map(), () => 1, [undefined], { a: { b: NaN } }]) {
    expect(isTaken(value)).toBe(false)
  }
})
