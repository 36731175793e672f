import { addedDays, parseAdded } from './added.ts'
import { fieldFilters } from './fields.ts'
import { parseRange } from './ip-range.ts'
import { normaliseDomain } from './domain.ts'

/** The filters of the search field, such as `privacy:public` or `-bots:excluded`, with the names of their values. */
export const filterValues = {
  ...fieldFilters,
  parameters: ['some', 'none'],
  state: ['pending', 'needs-attention', 'remote'],
} as const

export type ChoiceName = keyof typeof filterValues
export type FilterName = Filter['name']

export const filterNames: readonly FilterName[] = [
  ...(Object.keys(filterValues) as ChoiceName[]),
  'ip',
  'added',
  'differs',
]

const isFilterName = (name: string): name is FilterName => filterNames.some((one) => one === name)

/** Returns the names of a filter's values, or suggested values; none if its value is not a choice. */
export function filterWordsOf(name: FilterName): readonly string[] {
  if (name === 'added') return addedDays
  return name === 'ip' || name === 'differs' ? [] : filterValues[name]
}

/** A filter. `not` inverts it. */
export type Filter =
  { [N in ChoiceName]: { name: N; value: (typeof filterValues)[N][number]; not: boolean } }[ChoiceName] | TextFilter
interface TextFilter {
  /**
   * `ip`: websites with an excluded entry that overlaps an address or a range. `added`: websites that were added on these
   * days (added.ts). `differs`: websites that differ from the preset with this name.
   */
  name: 'ip' | 'added' | 'differs'
  value: string
  not: boolean
}

/** A word that looks like a filter but has an unknown name or value. */
export type Problem = { word: string; name: string } & ({ is: 'name' } | { is: 'value'; of: FilterName })

export interface Search {
  text: string
  filters: Filter[]
  problems: Problem[]
}

/** Maximum number of filters in a search, and maximum length of a search with all of them. */
export const MOST_FILTERS = 20
export const MOST_SEARCH = 2000

/** Splits at white space, except within quotes. */
const WORDS = /-?[a-z]+:"[^"]*(?:"|$)\S*|\S+/gi
const WORDS_AND_SPACE = new RegExp(`(${WORDS.source})(\\s?)`, 'gi')
const LAST_WORD = /(?:-?[a-z]+:"[^"]*|\S*)$/i
const WORD = /^(-?)([a-z]+):(?!\/\/)(.*)$/i

/** Returns a value as it is written in a search, in quotes if it has white space or looks like a part of an address. */
const quoted = (value: string): string => (/\s|^\/\//.test(value) ? `"${value}"` : value)

/** Returns a filter as it is written in a search. */
export const writtenFilter = ({ name, value, not }: Filter): string => `${not ? '-' : ''}${name}:${quoted(value)}`

/** Returns the search with these filters, each once, and a text. */
export const writtenSearch = (filters: readonly Filter[], text: string): string =>
  [...new Set(filters.map(writtenFilter))].map((word) => `${word} `).join('') + text

/** The user may still be typing the last word: while it could become a filter, it is neither a filter nor a problem. */
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

/**
 * Splits a search into the filters that white space follows, which are shown as chips, and the text that stays in the
 * field.
 */
export function splitSearch(typed: string, presets: readonly string[] = []): { chips: Filter[]; text: string } {
  const chips: Filter[] = []
  const text = typed.replaceAll(WORDS_AND_SPACE, (all, word: string, space: string) => {
    const [, sign, given = '', value = ''] = WORD.exec(word) ?? []
    const name = given.toLowerCase()
    const filter = space !== '' && isFilterName(name) ? filterOf(name, value, sign === '-', presets) : null
    if (filter === null || chips.length === MOST_FILTERS) return all
    chips.push(filter)
    return ''
  })
  return { chips, text }
}

/** Returns the domain of a pasted address, in the form of the list. */
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
  if (name === 'added') return parseAdded(word) ? { name, value: word, not } : null
  return filterWordsOf(name).includes(word) ? ({ name, value: word, not } as Filter) : null
}

function couldBecome(name: FilterName, typed: string, presets: readonly string[]): boolean {
  if (name === 'ip') return /^[0-9a-f.:/]+$/i.test(typed)
  if (name === 'added') return /^[\d.-]+$/.test(typed)
  const values = name === 'differs' ? presets : filterWordsOf(name)
  return values.some((one) => begins(one, unquoted(typed)))
}

export interface Completion {
  /** The whole text with the completion. */
  text: string
  name: FilterName
  /** Undefined if the value of the filter comes next. */
  value?: string
  not: boolean
}

/**
 * Returns completions of the last word: first the names of filters, then their values. `any`: all filters for an empty
 * word.
 */
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
