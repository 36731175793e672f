import { expect, test } from 'vitest'
import { createUnfinished } from '../../../src/main/shell/unfinished.ts'
import { unfinishedSchema } from '../../../src/shared/unfinished.ts'

const form = { website: null, typed: { domain: 'half-typed.exa' }, seen: {}, cleared: [] }

test('what was half typed for one connection isn’t shown in another', () => {
  let connection: string | null = 'a'
  const unfinished = createUnfinished(() => connection)
  expect(unfinished.isHeld()).toBe(true)
  unfinished.keep({ form, held: false })
  expect(unfinished.isHeld()).toBe(false)
  expect(unfinished.get()).toEqual({ form, held: false })
  for (connection of ['b', null]) expect(unfinished.get()).toBeNull()
})

test('there’s no way to keep a password with it', () => {
  const typed = { ...form.typed, password: 'x' }
  expect(unfinishedSchema.safeParse({ form: { ...form, typed }, held: false }).success).toBe(false)
})
