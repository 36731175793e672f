import { suggestedCreatedDays, parseCreated } from './created-filter.ts'
import { fieldFilters } from './fields.ts'
import { parseRange } from './ip-range.ts'
import { normalizeDomain } from './domain.ts'
import { plainLetters } from './letters.ts'
import { isSameTag } from './tags.ts'

/** The filters with a fixed set of values, such as `privacy:public` or `-bots:excluded`, with the names of these values. */
export const choiceFilterValues = {
  ...fieldFilters,
  parameters: ['some', 'none'],
  state: ['pending', 'needs-attention'],
} as const

export type ChoiceFilterName = keyof typeof choiceFilterValues
export type FilterName = Filter['name']

const filterNames: readonly FilterName[] = [
  ...(Object.keys(choiceFilterValues) as ChoiceFilterName[]),
  'ip',
  'created',
  'differs',
  'tag',
  'note',
]

const filterNamed = (typed: string): FilterName | undefined => filterNames.find((one) => one === typed.toLowerCase())

/** Returns the fixed values of a filter, and those suggested for `created`. Other filters have none. */
export function filterValuesOf(name: FilterName): readonly string[] {
  if (name === 'created') return suggestedCreatedDays
  return name in choiceFilterValues ? choiceFilterValues[name as ChoiceFilterName] : []
}

/** A filter of the list. `not`: matches the websites without the value. */
export type Filter =
  | {
      [N in ChoiceFilterName]: { name: N; value: (typeof choiceFilterValues)[N][number]; not: boolean }
    }[ChoiceFilterName]
  | TextFilter
interface TextFilter {
  /**
   * `ip`: websites with an excluded entry that overlaps an address or a range. `created`: websites that were created on
   * these days (created-filter.ts). `differs`: websites that differ from the preset with this name. `tag`: websites with this tag.
   * `note`: websites whose note contains this text.
   */
  name: 'ip' | 'created' | 'differs' | 'tag' | 'note'
  value: string
  not: boolean
}

/** A word that looks like a filter but has an unknown name or value. */
export type SearchProblem = { word: string; name: string } & ({ is: 'name' } | { is: 'value'; of: FilterName })

/** The parsed text of a search. `text`: the words that are no filters. */
export interface Search {
  text: string
  filters: Filter[]
  problems: SearchProblem[]
}

/** Maximum number of filters in a search. Further ones are ignored. */
export const MAX_FILTERS = 20
/** Maximum length of a search, including its filters. */
export const MAX_SEARCH = 2000
/** Maximum length of the text that the filter `note` searches for. */
export const MAX_NOTE_SEARCH = 100

/** For each filter, the values that the user has named, such as tags. `note` is present, but empty, if there are notes. */
export type OwnFilterValues = Readonly<Partial<Record<FilterName, readonly string[]>>>

/** Returns the filters to offer: without those for tags and notes, as long as the user has none. */
export const offeredFilters = (own: OwnFilterValues): FilterName[] =>
  filterNames.filter((name) => (name !== 'tag' && name !== 'note') || own[name] !== undefined)

/** The quotation marks that a keyboard or a copied text may have instead of `"`. */
const [OPENING, CLOSING] = ['“”„«»「', '“”«»」']
/** Pattern of an opening quotation mark, and of the text after it up to a closing one. */
const OPENED = `"[^"]*|[${OPENING}][^${CLOSING}]*`

/** Matches each word of a search. White space within the quotes of a filter belongs to its word. */
const WORDS = new RegExp(`-?[a-z]+:(?:${OPENED})(?:["${CLOSING}]|$)\\S*|\\S+`, 'gi')
const WORDS_AND_SPACE = new RegExp(`(${WORDS.source})(\\s?)`, 'gi')
/** Matches the word at the end of a search that the user is still typing. It is empty after white space. */
const LAST_WORD = new RegExp(`(?:-?[a-z]+:(?:${OPENED})|\\S*)$`, 'i')
/** Matches a word that looks like a filter, as sign, name and value. An address such as `https://…` is none. */
const FILTER_WORD = /^(-?)([a-z]+):(?!\/\/)(.*)$/i

/** Matches a value that needs quotes, because it isn't one word or its beginning has another meaning in a search. */
const NEEDS_QUOTES = new RegExp(`\\s|^//|^[${OPENING}]`)

const quoted = (value: string): string => (NEEDS_QUOTES.test(value) ? `"${value}"` : value)

/** Returns a negated filter with two values without negation: `-bots:excluded` as `bots:counted`. Others stay as they are. */
export function withoutNegation(filter: Filter): Filter {
  const values = filter.not ? filterValuesOf(filter.name) : []
  const other =
    values.length === 2 && filter.name in choiceFilterValues && values.find((value) => value !== filter.value)
  return other ? ({ name: filter.name, value: other, not: false } as Filter) : filter
}

/** Writes a filter as a word of the search. */
export const serializeFilter = ({ name, value, not }: Filter): string => `${not ? '-' : ''}${name}:${quoted(value)}`

/** Writes a search: first the filters, each once, then the text. */
export const serializeSearch = (filters: readonly Filter[], text: string): string =>
  [...new Set(filters.map(serializeFilter))].map((word) => `${word} `).join('') + text

/** Parses the text of the search field. A last word that could become a filter is neither a filter nor a problem yet. */
export function parseSearch(typed: string, own: OwnFilterValues = {}): Search {
  const search: Search = { text: '', filters: [], problems: [] }
  const words = typed.match(WORDS) ?? []
  const texts: string[] = []
  for (const [at, word] of words.entries()) {
    const [, sign, typedName = '', value = ''] = FILTER_WORD.exec(word) ?? []
    const name = filterNamed(typedName)
    if (sign === undefined) texts.push(domainOfWord(word))
    else if (name === undefined) search.problems.push({ word, name: typedName, is: 'name' })
    else {
      const filter = validFilter(name, value, sign === '-', own)
      const isLast = at === words.length - 1 && typed.endsWith(word)
      const unfinished = value === '' || (isLast && couldBecomeValid(name, value, own))
      if (filter) search.filters.push(filter)
      else if (!unfinished) search.problems.push({ word, name: typedName, is: 'value', of: name })
    }
  }
  search.text = texts.join(' ').trim()
  search.filters = search.filters.slice(0, MAX_FILTERS)
  return search
}

/** Splits a search. `chips`: the filters that white space follows, without duplicates. `text`: what stays in the field. */
export function splitSearch(typed: string, own: OwnFilterValues = {}): { chips: Filter[]; text: string } {
  const chips: Filter[] = []
  const text = typed.replaceAll(WORDS_AND_SPACE, (all, word: string, space: string) => {
    const [, sign, typedName = '', value = ''] = FILTER_WORD.exec(word) ?? []
    const name = filterNamed(typedName)
    const filter = space !== '' && name !== undefined ? validFilter(name, value, sign === '-', own) : null
    if (filter === null || chips.length === MAX_FILTERS) return all
    if (!chips.some((chip) => serializeFilter(chip) === serializeFilter(filter))) chips.push(filter)
    return ''
  })
  return { chips, text }
}

/** Returns the search after a tag or a preset was renamed from `was` to `name`. */
export function renameInSearch(filter: 'tag' | 'differs', search: string, was: string, name: string): string {
  return search.replaceAll(WORDS, (word) => {
    const [, sign, typedName = '', value = ''] = FILTER_WORD.exec(word) ?? []
    const isMeant = sign !== undefined && filterNamed(typedName) === filter && isSameTag(unquoted(value), was)
    return isMeant ? serializeFilter({ name: filter, value: name, not: sign === '-' }) : word
  })
}

/** Returns the domain of a pasted address, because the list is searched by domain. Returns any other word unchanged. */
const domainOfWord = (word: string): string => (word.includes('/') ? (normalizeDomain(word) ?? word) : word)

const STRAIGHT_QUOTES = /^"|"$/g
const OTHER_QUOTES = new RegExp(`^[${OPENING}]\\s*|\\s*[${CLOSING}]$`, 'g')
const unquoted = (value: string): string =>
  value.startsWith('"') ? value.replace(STRAIGHT_QUOTES, '') : value.replace(OTHER_QUOTES, '')
const begins = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase())

/** Returns the filter for a typed name and value. Null if the value is invalid, such as a tag that is not in `own`. */
function validFilter(name: FilterName, typed: string, not: boolean, own: OwnFilterValues): Filter | null {
  if (name === 'differs' || name === 'tag') {
    const value = own[name]?.find((one) => one.toLowerCase() === unquoted(typed).toLowerCase())
    return value === undefined ? null : { name, value, not }
  }
  if (name === 'note') {
    const value = unquoted(typed).replaceAll('"', '').slice(0, MAX_NOTE_SEARCH).trim()
    return value === '' ? null : { name, value, not }
  }
  if (name === 'ip') return parseRange(typed) ? { name, value: typed, not } : null
  const word = unquoted(typed).toLowerCase()
  if (name === 'created') return parseCreated(word) ? { name, value: word, not } : null
  return filterValuesOf(name).includes(word) ? ({ name, value: word, not } as Filter) : null
}

/** True if further typing can make the value valid for this filter. */
function couldBecomeValid(name: FilterName, typed: string, own: OwnFilterValues): boolean {
  if (name === 'ip') return /^[0-9a-f.:/]+$/i.test(typed)
  if (name === 'created') return /^[\d.-]+$/.test(typed)
  const values = own[name] ?? filterValuesOf(name)
  return values.some((one) => begins(one, unquoted(typed)))
}

/** A suggestion for the word that the user is typing. */
export interface Completion {
  text: string
  name: FilterName
  /** The completed value. Undefined if only the name is completed, and the value comes next. */
  value?: string
  not: boolean
}

/**
 * Returns completions of the last word: the names of filters or, after a name and a colon, the values of that filter.
 * `any`: an empty word is completed too, by all names.
 * `describe`: returns the description of a filter. The user may type its beginning instead of the name.
 */
export function completions(
  typed: string,
  any = false,
  own: OwnFilterValues = {},
  describe: (name: FilterName) => string = () => '',
): Completion[] {
  const last = LAST_WORD.exec(typed)?.[0] ?? ''
  const before = typed.slice(0, typed.length - last.length)
  const not = last.startsWith('-')
  const word = last.slice(not ? 1 : 0).toLowerCase()
  const colon = word.indexOf(':')
  const typedName = colon < 0 ? word : word.slice(0, colon)
  const value = colon < 0 ? undefined : word.slice(colon + 1)
  const sign = not ? '-' : ''
  if (value !== undefined) {
    const name = filterNamed(typedName)
    if (name === undefined) return []
    const typedValue = unquoted(value)
    const values = own[name] ?? filterValuesOf(name)
    return values
      .filter((one) => begins(one, typedValue) && one.toLowerCase() !== typedValue)
      .map((one) => ({ text: `${before}${sign}${name}:${quoted(one)} `, name, value: one, not }))
  }
  if (typedName === '' && !any) return []
  return offeredFilters(own)
    .filter((one) => one.startsWith(typedName) || plainLetters(describe(one)).startsWith(plainLetters(typedName)))
    .map((one) => ({ text: `${before}${sign}${one}:`, name: one, not }))
}
