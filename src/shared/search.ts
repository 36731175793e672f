import { normaliseDomain } from './validate.ts'

/**
 * What is typed into the search of the list: a text for the interface's own search, and filters of ours beside it, such as
 * `privacy:public` or `-bots:on`.
 */
export const filterValues = {
  privacy: ['public', 'private', 'password'],
  bots: ['on', 'off'],
  email: ['on', 'off'],
  pending: ['yes', 'no'],
  parked: ['yes', 'no'],
} as const

export type ChoiceName = keyof typeof filterValues
export type FilterName = ChoiceName | 'ip' | 'differs'
export const choiceNames = Object.keys(filterValues) as ChoiceName[]
export const filterNames: readonly FilterName[] = [...choiceNames, 'ip', 'differs']

/** `not`: those that it doesn't fit. */
export type Filter =
  | { [N in ChoiceName]: { name: N; value: (typeof filterValues)[N][number]; not: boolean } }[ChoiceName]
  | IpFilter
  | ProfileFilter
export interface IpFilter {
  name: 'ip'
  /** An address or a range: websites with an excluded entry that overlaps it. */
  value: string
  not: boolean
}
export interface ProfileFilter {
  name: 'differs'
  /** The name of a profile: websites that aren't as it says. */
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

/** What is known where a search is read. */
export interface SearchContext {
  /** Whether a text is an address or a range. */
  isIp: (text: string) => boolean
  /** The names of the profiles. */
  profiles?: readonly string[]
}

/** The filter for the websites that aren't as a profile says. */
export const differsFilter = (profile: string): string =>
  /\s/.test(profile) ? `differs:"${profile}"` : `differs:${profile}`

/**
 * The last word may still be being typed: as long as it could become
 * something it's neither a filter nor a problem.
 */
export function parseSearch(typed: string, context: SearchContext): Search {
  const search: Search = { text: '', filters: [], problems: [] }
  const words = typed.match(WORDS) ?? []
  const texts: string[] = []
  for (const [at, word] of words.entries()) {
    const [, sign, given = '', value = ''] = WORD.exec(word) ?? []
    const name = given.toLowerCase()
    if (sign === undefined) texts.push(hostOf(word))
    else if (!isFilterName(name)) search.problems.push({ word, name: given, is: 'name' })
    else {
      const filter = filterOf(name, value, sign === '-', context)
      const isLast = at === words.length - 1 && typed.endsWith(word)
      const unfinished = value === '' || (isLast && couldBecome(name, value, context))
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

const isFilterName = (name: string): name is FilterName => (filterNames as readonly string[]).includes(name)

const unquoted = (value: string): string => value.replace(/^"|"$/g, '')
const begins = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase())

function filterOf(name: FilterName, typed: string, not: boolean, { isIp, profiles }: SearchContext): Filter | null {
  if (name === 'differs') {
    const value = profiles?.find((one) => one.toLowerCase() === unquoted(typed).toLowerCase())
    return value === undefined ? null : { name, value, not }
  }
  if (name === 'ip') return isIp(typed) ? { name, value: typed, not } : null
  const value = (filterValues[name] as readonly string[]).find((one) => one === typed.toLowerCase())
  return value === undefined ? null : ({ name, value, not } as Filter)
}

function couldBecome(name: FilterName, typed: string, { profiles = [] }: SearchContext): boolean {
  if (name === 'differs') return profiles.some((one) => begins(one, unquoted(typed)))
  if (name === 'ip') return /^[0-9a-f.:/]+$/i.test(typed)
  return filterValues[name].some((value) => value.startsWith(typed.toLowerCase()))
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
export function completions(typed: string, any = false, profiles: readonly string[] = []): Completion[] {
  const last = LAST_WORD.exec(typed)?.[0] ?? ''
  const before = typed.slice(0, typed.length - last.length)
  const not = last.startsWith('-')
  const word = last.slice(not ? 1 : 0).toLowerCase()
  const colon = word.indexOf(':')
  const name = colon < 0 ? word : word.slice(0, colon)
  const value = colon < 0 ? undefined : word.slice(colon + 1)
  const sign = not ? '-' : ''
  if (value !== undefined) {
    if (!isFilterName(name) || name === 'ip') return []
    if (name === 'differs') {
      return profiles
        .filter((one) => begins(one, unquoted(value)) && one.toLowerCase() !== value)
        .map((one) => ({ text: `${before}${sign}${differsFilter(one)} `, name, value: one, not }))
    }
    return filterValues[name]
      .filter((one) => one.startsWith(value) && one !== value)
      .map((one) => ({ text: `${before}${sign}${name}:${one} `, name, value: one, not }))
  }
  if (name === '' && !any) return []
  return filterNames
    .filter((one) => one.startsWith(name))
    .map((one) => ({ text: `${before}${sign}${one}:`, name: one, not }))
}
