import { filterNames, filterWordsOf, type Completion, type FilterName, type Problem } from '../shared/search.ts'
import { isolated } from './visible.ts'

/** What a filter is about, beside its name: the column's name, and what may stand in it. */
export const filterWords: Record<FilterName, string> = {
  privacy: 'Privacy: public, private or password',
  reports: 'Email reports: on or off',
  bots: 'Exclude bots: excluded or counted',
  state: 'State: pending, needs-attention or remote',
  bulk: 'The last bulk change: all of it, or by its result, such as bulk:sent',
  ip: 'Excluded IP addresses: one, or a range such as ip:10.0.0.0/8',
  differs: 'Presets: websites that differ from one, such as differs:"Client default"',
}

/** Of a text that finds nothing, and may become a filter. */
export const enterWords = (option: Completion): string => `Enter goes on with the filter “${filterText(option)}”.`
export const filterAction = (option: Completion): string => `Filter: ${filterText(option)}`
const filterText = ({ not, name, value = '' }: Completion): string => isolated(`${not ? '-' : ''}${name}:${value}`)

const orOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** What is wrong with what was typed into the search, and what would be right. */
export function problemWords(problem: Problem): { head: string; right: string } {
  const name = isolated(problem.name)
  return problem.is === 'name'
    ? { head: `There is no filter “${name}:”`, right: `There are ${orOf.format(filterNames)}.` }
    : { head: `There is no filter “${isolated(problem.word)}”`, right: valueWords(name, problem.of) }
}

function valueWords(name: string, of: FilterName): string {
  if (of === 'ip') return `After “${name}:” comes an address or a range, such as 10.0.0.0/8.`
  if (of === 'differs') return 'After “differs:” comes the name of a preset, such as “Client default”.'
  return `After “${name}:” comes ${orOf.format(filterWordsOf(of))}.`
}
