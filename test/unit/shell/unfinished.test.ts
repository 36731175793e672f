import { expect, test } from 'vitest'
import { createUnfinished } from '../../../src/main/shell/unfinished.ts'
import { unfinishedSchema, type Unfinished } from '../../../src/shared/unfinished.ts'

const rest: Omit<Unfinished, 'form'> = {
  list: {
    ...{ search: '', sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0 },
    chosen: { all: false, keys: [] },
  },
  changes: 'waiting',
  held: false,
}
const form = { website: null, typed: { domain: 'half-typed.exa' }, seen: {}, cleared: [] }

test('what was half typed for one connection isn’t shown in another', () => {
  let connection: string | null = 'a'
  const unfinished = createUnfinished(() => connection)
  expect(unfinished.isHeld()).toBe(true)
  unfinished.keep({ form, ...rest })
  expect(unfinished.isHeld()).toBe(false)
  expect(unfinished.get()).toEqual({ form, ...rest })
  for (connection of ['b', null]) expect(unfinished.get()).toBeNull()
})

test('there’s no way to keep a password with it', () => {
  const typed = { ...form.typed, password: 'x' }
  expect(unfinishedSchema.safeParse({ form, ...rest }).success).toBe(true)
  expect(unfinishedSchema.safeParse({ form: { ...form, typed }, ...rest }).success).toBe(false)
})
