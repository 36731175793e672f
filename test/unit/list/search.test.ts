import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCreated, spanOf, serializeCreated } from '../../../src/shared/created-filter.ts'
import { columnLabels } from '../../../src/renderer/features/shared/list-labels.ts'
import { onOffText, privacyLabel } from '../../../src/shared/display/fields.ts'
import {
  withoutNegation,
  completions,
  offeredFilters,
  choiceFilterValues,
  parseSearch,
  splitSearch,
  serializeFilter,
  serializeSearch,
  type Filter,
} from '../../../src/shared/search.ts'
import { isPresetName } from '../../../src/shared/validate.ts'
import { filterSchema } from '../../../src/shared/website.ts'

const presets = { differs: ['Client default', 'Strict'] }
const parse = (typed: string) => parseSearch(typed, presets)

test('searches for plain text, or for the domain of a pasted address', () => {
  expect(parse('  Lumen dental ')).toEqual({ text: 'Lumen dental', filters: [], problems: [] })
  expect(parse('https://Lumen.example/x').text).toBe('lumen.example')
  expect(parse('lumen.example/about?x=1 shop').text).toBe('lumen.example shop')
  expect(parse('//').text).toBe('//')
  expect(parse('-lumen').text).toBe('-lumen')
})

test('accepts filters anywhere in the text, in any case, and negated by a minus', () => {
  expect(parse('lumen PRIVACY:Public -bots:Excluded ip:10.0.0.0/8 den')).toEqual({
    text: 'lumen den',
    filters: [
      { name: 'privacy', value: 'public', not: false },
      { name: 'bots', value: 'excluded', not: true },
      { name: 'ip', value: '10.0.0.0/8', not: false },
    ],
    problems: [],
  })
})

test('names filters and their values as the columns do', () => {
  const columns = {
    privacy: ([0, 1, 2] as const).map(privacyLabel),
    email: [onOffText(true), onOffText(false)],
  }
  for (const [column, values] of Object.entries(columns)) {
    const name = columnLabels[column as keyof typeof columns]()
    expect(completions(`${name}:`).map(({ value }) => value)).toEqual(values.map((value) => value.toLowerCase()))
    for (const value of values) {
      expect(parse(`x ${name}:${value} y`)).toMatchObject({ text: 'x y', filters: [{ not: false }], problems: [] })
    }
  }
})

test('accepts a preset in any case, in quotes if its name has spaces, and reads the rest as text', () => {
  const differs = { name: 'differs', value: 'Client default', not: false }
  expect(parse('lumen differs:"client DEFAULT" den')).toEqual({ text: 'lumen den', filters: [differs], problems: [] })
  expect(parse('-differs:strict')).toMatchObject({ filters: [{ name: 'differs', value: 'Strict', not: true }] })
  for (const typed of ['differs:', 'differs:cli', 'differs:"client ', 'x -differs:"Client def']) {
    expect(parse(typed)).toMatchObject({ filters: [], problems: [] })
  }
  expect(parse('differs:nobody x').problems).toMatchObject([{ is: 'value', of: 'differs' }])
  expect(parse('differs:client default').problems).toHaveLength(1)
  expect(parse('5" privacy:public')).toMatchObject({ text: '5"', filters: [{ name: 'privacy' }] })
})

test('reads the filter of a preset back, whatever the name of the preset', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 60 })
    .map((text) => text.trim())
    .filter(isPresetName)
  fc.assert(
    fc.property(name, fc.boolean(), (preset, not) => {
      const read = parseSearch(`a ${serializeFilter({ name: 'differs', value: preset, not })} b`, { differs: [preset] })
      expect(read).toEqual({ text: 'a b', filters: [{ name: 'differs', value: preset, not }], problems: [] })
      for (const filter of read.filters) expect(filterSchema.safeParse(filter).success).toBe(true)
    }),
    { examples: [['//', false]] },
  )
})

test('explains text that looks like a filter but is none', () => {
  expect(parse('color:red x').problems).toEqual([{ word: 'color:red', name: 'color', is: 'name' }])
  expect(parse('privacy:secret x').problems).toEqual([
    { word: 'privacy:secret', name: 'privacy', is: 'value', of: 'privacy' },
  ])
  expect(parse('ip:here x').problems).toEqual([{ word: 'ip:here', name: 'ip', is: 'value', of: 'ip' }])
})

test('does not complain about the last word while it may still become a filter', () => {
  for (const typed of ['privacy:', 'privacy:pub', 'bots:e', 'ip:10.0', 'lumen -state:p']) {
    expect(parse(typed)).toMatchObject({ filters: [], problems: [] })
  }
  expect(parse('bots:e ').problems).toHaveLength(1)
  expect(parse('bots:x').problems).toHaveLength(1)
})

const filters: fc.Arbitrary<Filter> = fc.oneof(
  ...(Object.keys(choiceFilterValues) as (keyof typeof choiceFilterValues)[]).map((name) =>
    fc.record({
      name: fc.constant(name),
      value: fc.constantFrom<string>(...choiceFilterValues[name]),
      not: fc.boolean(),
    }),
  ),
  fc.record({ name: fc.constant('ip'), value: fc.ipV4(), not: fc.boolean() }),
) as fc.Arbitrary<Filter>

test('reads back every filter that it writes, and the bridge accepts each', () => {
  const text = fc.stringMatching(/^[a-z0-9.-]{1,12}$/).filter((word) => !word.includes(':'))
  fc.assert(
    fc.property(fc.array(filters, { maxLength: 8 }), text, (written, word) => {
      const read = parse([...written.map(serializeFilter), word].join(' '))
      expect(read).toEqual({ text: word, filters: written, problems: [] })
      for (const filter of read.filters) expect(filterSchema.safeParse(filter).success).toBe(true)
    }),
  )
})

test('accepts as a time of creation a number of days, a date, or a range of dates that may be open at one end', () => {
  const days = ['7d', '2026-01-31', '2026-01-01..2026-01-31', '2026-01-01..', '..2026-01-31']
  for (const value of days) {
    expect(parse(`created:${value} `)).toMatchObject({ filters: [{ name: 'created', value }], problems: [] })
    expect(filterSchema.safeParse({ name: 'created', value, not: false }).success).toBe(true)
  }
  for (const value of [
    '7',
    '..',
    '2026-13-01',
    '2026-01-01..x',
    '2026-01-012026-02-01',
    '2026-02-01..2026-01-31',
    'yesterday',
  ]) {
    expect(parse(`created:${value} `).problems).toMatchObject([{ is: 'value', of: 'created' }])
  }
  expect(parse('created:2026-0')).toMatchObject({ filters: [], problems: [] })
  expect(completions('created:3').map(({ text }) => text)).toEqual(['created:30d ', 'created:365d '])
})

test.each([
  '“Client default”',
  '„Client default“',
  '« Client default »',
  '»Client default«',
  '「Client default」',
  '"Client default"',
])('reads a name in the quotation marks %s', (name) => {
  const presets = { differs: ['Client default', '“A”', 'An “A” site'] }
  const filters = [{ name: 'differs', value: 'Client default', not: false }]
  expect(parseSearch(`a differs:${name} b`, presets)).toMatchObject({ text: 'a b', filters, problems: [] })
  expect(splitSearch(`differs:${name} b`, presets)).toMatchObject({ chips: filters, text: 'b' })
  expect(completions(`differs:${name.slice(0, 5)}`, false, presets)).toMatchObject([{ value: 'Client default' }])
  for (const value of presets.differs) {
    const written = serializeFilter({ name: 'differs', value, not: false })
    expect(parseSearch(`${written} `, presets)).toMatchObject({ filters: [{ value }], problems: [] })
  }
})

test('replaces a negated filter by a filter for the other value if the filter has only two values', () => {
  expect(withoutNegation({ name: 'reports', value: 'off', not: true })).toEqual({
    name: 'reports',
    value: 'on',
    not: false,
  })
  for (const filter of [
    { name: 'privacy', value: 'public', not: true },
    { name: 'reports', value: 'off', not: false },
    { name: 'created', value: '30d', not: true },
  ] satisfies Filter[])
    expect(withoutNegation(filter)).toBe(filter)
})

test('a filter by time of creation covers whole days in this computer’s time zone', () => {
  const span = (value: string) => {
    const created = parseCreated(value) ?? expect.fail('not parsed')
    const { from, to } = spanOf(created, new Date(2026, 2, 10, 15, 30))
    return [from, to].map((at) => (Number.isFinite(at) ? new Date(at).toString().slice(4, 21) : at))
  }
  expect(span('7d')).toEqual(['Mar 03 2026 00:00', Infinity])
  expect(span('2026-01-31')).toEqual(['Jan 31 2026 00:00', 'Feb 01 2026 00:00'])
  expect(span('..2026-01-31')).toEqual([-Infinity, 'Feb 01 2026 00:00'])
  expect(serializeCreated('2026-01-01', '')).toBe('2026-01-01..')
  expect(serializeCreated('2026-01-01', '2026-01-01')).toBe('2026-01-01')
  expect(serializeCreated('', '')).toBeNull()
})

test('keeps a filter in the search field as text until white space follows it, and an unknown filter even after that', () => {
  const split = (typed: string) => splitSearch(typed, presets)
  expect(split('lumen privacy:public')).toEqual({ chips: [], text: 'lumen privacy:public' })
  expect(split('lumen privacy:public den ')).toEqual({
    chips: [{ name: 'privacy', value: 'public', not: false }],
    text: 'lumen den ',
  })
  expect(split('-differs:"client default" color:red x')).toEqual({
    chips: [{ name: 'differs', value: 'Client default', not: true }],
    text: 'color:red x',
  })
  expect(split('differs:"Strict ')).toEqual({ chips: [], text: 'differs:"Strict ' })
})

test('splits a search into the filters that are written in it, each once, and the rest of the text', () => {
  const text = fc.stringMatching(/^[a-z .-]{0,12}$/)
  fc.assert(
    fc.property(fc.array(filters, { maxLength: 8 }), text, (written, word) => {
      const { chips, text: left } = splitSearch(serializeSearch(written, '') + serializeSearch(written, word))
      const once = new Set(written.map(serializeFilter))
      expect({ chips: chips.map(serializeFilter), left }).toEqual({ chips: [...once], left: word })
    }),
  )
})

test('accepts any text, and reads each word at most once, as text, a filter or a problem', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const { text, filters: read, problems } = parse(typed)
      const parts = text.split(/\s+/).filter(Boolean).length + read.length + problems.length
      expect(parts).toBeLessThanOrEqual(typed.split(/\s+/).length)
    }),
  )
})

test('completes a filter by its words in the user’s language, even if they are typed without accents', () => {
  const words = (name: string) => ({ tag: 'Étiquettes : sites web', created: 'Créé : un nombre de jours' })[name] ?? ''
  const own = { tag: ['client-a'] }
  expect(completions('lumen etiq', false, own, words).map(({ text }) => text)).toEqual(['lumen tag:'])
  expect(completions('-Étiqu', false, own, words).map(({ text }) => text)).toEqual(['-tag:'])
  expect(completions('tag:etiq', false, own, words)).toEqual([])
})

test('completes the names of filters, then their values, and leaves the rest of the text unchanged', () => {
  expect(completions('lumen pri').map(({ text }) => text)).toEqual(['lumen privacy:'])
  expect(completions('-p').map(({ text }) => text)).toEqual(['-privacy:', '-parameters:'])
  expect(completions('bots:').map(({ value }) => value)).toEqual(['excluded', 'counted'])
  expect(completions('x -state:ne').map(({ text }) => text)).toEqual(['x -state:needs-attention '])
  expect(completions('x privacy:p').map(({ text }) => text)).toEqual([
    'x privacy:public ',
    'x privacy:private ',
    'x privacy:password ',
  ])
  expect(completions('x -differs:"cli', false, presets).map(({ text }) => text)).toEqual([
    'x -differs:"Client default" ',
  ])
  expect(completions('differs:', false, presets).map(({ text }) => text)).toEqual([
    'differs:"Client default" ',
    'differs:Strict ',
  ])
  expect(completions('lumen ')).toEqual([])
  expect(completions('', true)).toHaveLength(offeredFilters({}).length)
  expect(completions('', true, { tag: ['client-a'], note: [] }).map(({ name }) => name)).toEqual([
    ...offeredFilters({}),
    'tag',
    'note',
  ])
  expect(completions('tag:CL', false, { tag: ['client-a'] })).toMatchObject([{ text: 'tag:client-a ' }])
  for (const { text } of completions('x bots:')) expect(parse(text)).toMatchObject({ problems: [] })
})
