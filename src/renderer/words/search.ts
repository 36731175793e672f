import { spelledNames, spelledValues, type SpelledName } from '../../shared/filter-spellings.ts'
import type { Problem } from '../../shared/search.ts'
import { isolated } from './visible.ts'

/** What a filter is about, beside its name. */
export const filterWords: Record<SpelledName, string> = {
  privacy: 'who may see the statistics',
  reports: 'whether reports are sent by email',
  bots: 'whether bots are excluded',
  state: 'whether changes wait here, need you, or came from elsewhere',
  ips: 'an excluded address or range, such as ips:10.0.0.0/8',
  differs: 'what isn’t as in a profile, such as differs:"Client default"',
  email: 'whether reports are sent by email',
  pending: 'whether changes wait here',
  parked: 'whether it needs you',
  elsewhere: 'whether others changed it',
  ip: 'an excluded address or range, such as ip:10.0.0.0/8',
}

const orOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** What is wrong with what was typed into the search, and what would be right. */
export function problemWords(problem: Problem): { head: string; right: string } {
  const name = isolated(problem.name)
  return problem.is === 'name'
    ? { head: `There is no filter “${name}:”`, right: `There are ${orOf.format(spelledNames)}.` }
    : { head: `There is no filter “${isolated(problem.word)}”`, right: valueWords(name, problem.of) }
}

function valueWords(name: string, of: SpelledName): string {
  if (of === 'ips' || of === 'ip') return `After “${name}:” comes an address or a range, such as 10.0.0.0/8.`
  if (of === 'differs') return 'After “differs:” comes the name of a profile, such as “Client default”.'
  return `After “${name}:” comes ${orOf.format(spelledValues(of).map((one) => (one.includes(' ') ? `"${one}"` : one)))}.`
}
