import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { parseInSlices } from '../../../src/main/outbox/import-parse.ts'

afterEach(() => vi.restoreAllMocks())

const now = (): Promise<void> => Promise.resolve()
const whole = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** Several of them are more than what is read at once. */
const long = (text: string): string => text + 'x'.repeat(60_000)

test('what is read in slices is what it would be as a whole', async () => {
  const row = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string().map(long))
  const list = fc.array(row, { maxLength: 12 })
  const names = fc.oneof(fc.constantFrom('edits', '__proto__', 'a "[', '\\'), fc.string())
  const file = fc.dictionary(names, fc.oneof({ weight: 3, arbitrary: list }, { weight: 1, arbitrary: row }))
  await fc.assert(
    fc.asyncProperty(file, fc.constantFrom(0, 1), async (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(await parseInSlices(text, now)).toEqual(JSON.parse(text))
    }),
    { seed: 20_261, numRuns: 100 },
  )
})

test('what is no JSON as a whole is none in slices, and the other way round', async () => {
  const row = fc.constantFrom('1', '"a]"', '{"b":[2,"\\""]}', '[[],{}]', JSON.stringify(long('')))
  const rows = fc.array(row, { minLength: 1, maxLength: 8 }).map((some) => `{"a":[${some.join(',')}],"b":[3] }`)
  // In the middle of what is cut, one sign more or less.
  const signs = fc.constantFrom('', ',', ',,', '[', ']', '{', '}', '"', ':', '\\', '0', ' ')
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(), signs, fc.constantFrom(0, 1), async (text, where, sign, gone) => {
      const marks = [...text.matchAll(/[^x]/g)].map(({ index }) => index)
      const at = marks[where % marks.length] ?? 0
      const spoilt = text.slice(0, at) + sign + text.slice(at + gone)
      const expected = whole(spoilt)
      const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
      expect(await parseInSlices(spoilt, now)).toEqual(isObject ? expected : undefined)
    }),
    { seed: 20_261, numRuns: 500 },
  )
})

test.each([
  ['nothing before a comma', '{"a":[ , 1]}'],
  ['nothing behind the last comma', `{"a":["${'x'.repeat(300_000)}",]}`],
  ['a long nothing', `{"a":[${' '.repeat(300_000)},1]}`],
  ['another end', '{"a":[1}'],
  ['no end', '{"a":[1'],
  ['an open text', '{"a":["1'],
])('a list with %s is refused', async (_, text) => {
  expect(whole(text)).toBeUndefined()
  expect(await parseInSlices(text, now)).toBeUndefined()
})

test('a row that would be parsed for long in one go is refused, however many there are of others', async () => {
  const rows = (size: number) => `{"edits":["${'x'.repeat(size)}",${'"x",'.repeat(1_000)}1]}`
  expect(await parseInSlices(rows(15 * 1024 * 1024), now)).toBeDefined()
  expect(await parseInSlices(rows(17 * 1024 * 1024), now)).toBeUndefined()
})

test('between two turns of others no more is parsed than a slice and a row', async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({
    id: `edit-${String(n)}`,
    ours: { email: true },
    pad: 'x'.repeat(400),
  }))
  const text = JSON.stringify({ version: 1, websites: rows, edits: rows })
  let parsed = 0
  const turns: number[] = []
  const parse = JSON.parse
  vi.spyOn(JSON, 'parse').mockImplementation((part: string) => {
    parsed += part.length
    return parse(part) as unknown
  })
  await parseInSlices(text, () => {
    turns.push(parsed)
    parsed = 0
    return Promise.resolve()
  })
  turns.push(parsed)
  expect(turns.reduce((so, one) => so + one)).toBeGreaterThan(text.length - 1_000)
  expect(Math.max(...turns)).toBeLessThan(140_000)
  // It's looked through before, in as many.
  expect(turns.filter((one) => one === 0).length).toBeGreaterThan(text.length / 140_000)
})
