import fc from 'fast-check'

/** Values of all kinds that structured clone can copy. */
export const cloneable: fc.Arbitrary<unknown> = fc
  .oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withNullPrototype: true,
      withUnicodeString: true,
      maxDepth: 6,
    }),
    fc.constantFrom<unknown>(
      new Error('an error'),
      /(a+)+$/,
      new ArrayBuffer(64),
      new DataView(new ArrayBuffer(8)),
      Number.NaN,
      -0,
      Number.POSITIVE_INFINITY,
      endless(),
      'x'.repeat(100_000),
      'c:\\con\u0000',
      '\ud800',
    ),
    fc.integer({ min: 1, max: 500 }).map(nested),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty').map(named),
    fc.constant(null).map(cyclic),
  )
  .map((value) => structuredClone(value))

/** Generates valid requests in which one value was replaced or added. */
export const corrupted = (request: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(request, cloneable, fc.nat()).map(([value, foreign, at]) => corrupt(value, foreign, at))

/** Replaces or adds one value. `at` chooses the place. A value without parts is replaced as a whole. */
function corrupt(value: unknown, foreign: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return foreign
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)] ?? 'more'
  const inner = (value as Record<string, unknown>)[name]
  const next = typeof inner === 'object' && at % 2 === 0 ? corrupt(inner, foreign, at >> 1) : foreign
  return Array.isArray(value) ? [...value, next] : { ...value, [name]: next }
}

function nested(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

/** Defines an own property even if the name is `__proto__`, because a structured clone keeps only own properties. */
function named(name: string): unknown {
  const value = { key: 'w1' }
  Object.defineProperty(value, name, { value: { polluted: true }, enumerable: true, configurable: true })
  return value
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { key: 'w1' }
  value['self'] = value
  return value
}

/** Returns a list of four billion empty slots, which needs no memory. */
function endless(): unknown {
  const list: unknown[] = []
  list.length = 4_000_000_000
  return list
}
