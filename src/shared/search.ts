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
export type FilterName = ChoiceName | 'ip'
export const choiceNames = Object.keys(filterValues) as ChoiceName[]
export const filterNames: readonly FilterName[] = [...choiceNames, 'ip']

/** `not`: those that it doesn't fit. */
export type Filter =
  { [N in ChoiceName]: { name: N; value: (typeof filterValues)[N][number]; not: boolean } }[ChoiceName] | IpFilter
export interface IpFilter {
  name: 'ip'
  /** An address or a range: websites with an excluded entry that overlaps it. */
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

const WORD = /^(-?)([a-z]+):(?!\/\/)(.*)$/i

/**
 * `isIp`: whether a text is an address or a range. The last word may still be being typed: as long as it could become
 * something it's neither a filter nor a problem.
 */
export function parseSearch(typed: string, isIp: (text: string) => boolean): Search {
  const search: Search = { text: '', filters: [], problems: [] }
  const words = typed.split(/\s+/)
  const texts: string[] = []
  for (const [at, word] of words.entries()) {
    const [, sign, given = '', value = ''] = WORD.exec(word) ?? []
    const name = given.toLowerCase()
    if (sign === undefined) texts.push(word)
    else if (!isFilterName(name)) search.problems.push({ word, name: given, is: 'name' })
    else {
      const filter = filterOf(name, value, sign === '-', isIp)
      const unfinished = value === '' || (at === words.length - 1 && couldBecome(name, value))
      if (filter) search.filters.push(filter)
      else if (!unfinished) search.problems.push({ word, name: given, is: 'value', of: name })
    }
  }
  search.text = texts.join(' ').trim()
  search.filters = search.filters.slice(0, MOST_FILTERS)
  return search
}

const isFilterName = (name: string): name is FilterName => (filterNames as readonly string[]).includes(name)

function filterOf(name: FilterName, typed: string, not: boolean, isIp: (text: string) => boolean): Filter | null {
  if (name === 'ip') return isIp(typed) ? { name, value: typed, not } : null
  const value = (filterValues[name] as readonly string[]).find((one) => one === typed.toLowerCase())
  return value === undefined ? null : ({ name, value, not } as Filter)
}

function couldBecome(name: FilterName, typed: string): boolean {
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
export function completions(typed: string, any = false): Completion[] {
  const last = /\S*$/.exec(typed)?.[0] ?? ''
  const before = typed.slice(0, typed.length - last.length)
  const not = last.startsWith('-')
  const [name = '', value] = last
    .slice(not ? 1 : 0)
    .toLowerCase()
    .split(':', 2)
  const sign = not ? '-' : ''
  if (value !== undefined) {
    if (!isFilterName(name) || name === 'ip') return []
    return filterValues[name]
      .filter((one) => one.startsWith(value) && one !== value)
      .map((one) => ({ text: `${before}${sign}${name}:${one} `, name, value: one, not }))
  }
  if (name === '' && !any) return []
  return filterNames
    .filter((one) => one.startsWith(name))
    .map((one) => ({ text: `${before}${sign}${one}:`, name: one, not }))
}
