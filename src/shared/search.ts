import { fieldFilters } from './fields.ts'
import { parseRange } from './ip-range.ts'
import { normaliseDomain } from './domain.ts'

/** What may have come of a website of a bulk change. */
export const bulkWebsiteResults = ['sent', 'waiting', 'parked', 'back'] as const

/**
 * The filters that can be typed into the search field beside the text that the service searches for, such as
 * `privacy:public` or `-bots:excluded`, with the words for their values.
 */
export const filterValues = {
  ...fieldFilters,
  state: ['pending', 'needs-attention', 'remote'],
  bulk: ['all', 'sent', 'pending', 'needs-attention', 'not-sent'],
} as const

export type ChoiceName = keyof typeof filterValues
export type FilterName = ChoiceName | 'ip' | 'differs'

export const filterNames: readonly FilterName[] = [...(Object.keys(filterValues) as ChoiceName[]), 'ip', 'differs']

const isFilterName = (name: string): name is FilterName => filterNames.some((one) => one === name)

/** Returns the words for the values of a filter; none if its value is not a choice. */
export const filterWordsOf = (name: FilterName): readonly string[] =>
  name === 'ip' || name === 'differs' ? [] : filterValues[name]

/** A filter. `not` inverts it. */
export type Filter =
  | { [N in ChoiceName]: { name: N; value: (typeof filterValues)[N][number]; not: boolean } }[ChoiceName]
  | IpFilter
  | PresetFilter
interface IpFilter {
  name: 'ip'
  /** An address or a range: websites with an excluded entry that overlaps it. */
  value: string
  not: boolean
}
interface PresetFilter {
  name: 'differs'
  /** The name of a preset: websites that aren't as it says. */
  value: string
  not: boolean
}

/** A word that looks like a filter and is none: its name isn't known, or its value isn't one of that name. */
export type Problem = { word: string; name: string } & ({ is: 'name' } | { is: 'value'; of: FilterName })

export interface Search {
  text: string
  filters: Filter[]
  problems: Problem[]
}

/** As many filters are taken; more than anybody types. */
export const MOST_FILTERS = 20

/** White space parts the words, but for that within the quotes of a value. */
const WORDS = /-?[a-z]+:"[^"]*(?:"|$)\S*|\S+/gi
const LAST_WORD = /(?:-?[a-z]+:"[^"]*|\S*)$/i
const WORD = /^(-?)([a-z]+):(?!\/\/)(.*)$/i

/** A value as it's written: white space parts the words. */
const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value)

/** The filter for the websites that aren't as a preset says. */
export const differsFilter = (preset: string): string => `differs:${quoted(preset)}`

/**
 * The last word may still be being typed: as long as it could become
 * something it's neither a filter nor a problem.
 */
export function parseSearch(typed: string, presets: readonly string[] = []): Search {
  const search: Search = { text: '', filters: [], problems: [] }
  const words = typed.match(WORDS) ?? []
  const texts: string[] = []
  for (const [at, word] of words.entries()) {
    const [, sign, given = '', value = ''] = WORD.exec(word) ?? []
    const name = given.toLowerCase()
    if (sign === undefined) texts.push(hostOf(word))
    else if (!isFilterName(name)) search.problems.push({ word, name: given, is: 'name' })
    else {
      const filter = filterOf(name, value, sign === '-', presets)
      const isLast = at === words.length - 1 && typed.endsWith(word)
      const unfinished = value === '' || (isLast && couldBecome(name, value, presets))
      if (filter) search.filters.push(filter)
      else if (!unfinished) search.problems.push({ word, name: given, is: 'value', of: name })
    }
  }
  search.text = texts.join(' ').trim()
  search.filters = search.filters.slice(0, MOST_FILTERS)
  return search
}

/** Of a pasted address its domain, as the list has it. */
const hostOf = (word: string): string => (word.includes('/') ? (normaliseDomain(word) ?? word) : word)

const unquoted = (value: string): string => value.replace(/^"|"$/g, '')
const begins = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase())

function filterOf(name: FilterName, typed: string, not: boolean, presets: readonly string[]): Filter | null {
  if (name === 'differs') {
    const value = presets.find((one) => one.toLowerCase() === unquoted(typed).toLowerCase())
    return value === undefined ? null : { name, value, not }
  }
  if (name === 'ip') return parseRange(typed) ? { name, value: typed, not } : null
  const word = unquoted(typed).toLowerCase()
  return filterWordsOf(name).includes(word) ? ({ name, value: word, not } as Filter) : null
}

function couldBecome(name: FilterName, typed: string, presets: readonly string[]): boolean {
  if (name === 'ip') return /^[0-9a-f.:/]+$/i.test(typed)
  const values = name === 'differs' ? presets : filterWordsOf(name)
  return values.some((one) => begins(one, unquoted(typed)))
}

export interface Completion {
  /** What the whole text becomes. */
  text: string
  name: FilterName
  /** Undefined: a filter whose value comes next. */
  value?: string
  not: boolean
}

/** What the last word may become: filters by their beginning, then their values. `any`: all filters, for an empty word. */
export function completions(typed: string, any = false, presets: readonly string[] = []): Completion[] {
  const last = LAST_WORD.exec(typed)?.[0] ?? ''
  const before = typed.slice(0, typed.length - last.length)
  const not = last.startsWith('-')
  const word = last.slice(not ? 1 : 0).toLowerCase()
  const colon = word.indexOf(':')
  const name = colon < 0 ? word : word.slice(0, colon)
  const value = colon < 0 ? undefined : word.slice(colon + 1)
  const sign = not ? '-' : ''
  if (value !== undefined) {
    if (!isFilterName(name)) return []
    const typedValue = unquoted(value)
    const values = name === 'differs' ? presets : filterWordsOf(name)
    return values
      .filter((one) => begins(one, typedValue) && one.toLowerCase() !== typedValue)
      .map((one) => ({ text: `${before}${sign}${name}:${quoted(one)} `, name, value: one, not }))
  }
  if (name === '' && !any) return []
  return filterNames
    .filter((one) => one.startsWith(name))
    .map((one) => ({ text: `${before}${sign}${one}:`, name: one, not }))
}
