import type { Finding } from '../renderer/lib/exclude-list/lines.ts'
import { count, number } from './numbers.ts'
import { isolated } from '../shared/display/visible.ts'

/** A line as it's quoted in a sentence: a long one without its end. */
function quoted(text: string): string {
  const characters = [...text]
  return `“${isolated(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text)}”`
}

const wrong = {
  exclude_ips: (text: string): string => `${quoted(text)} is no address or range, and will match nothing.`,
  exclude_params: (text: string): string =>
    `${quoted(text)} isn’t the name of a parameter alone, and may match nothing.`,
}

/** What is to be known of a line, in a sentence. */
export function findingWords(list: 'exclude_ips' | 'exclude_params', finding: Finding): string {
  const { text } = finding
  switch (finding.what) {
    case 'wrong':
      return wrong[list](text)
    case 'twice':
      return `${quoted(text)} is in line ${number(finding.as)} already.`
    case 'covered':
      return `${quoted(text)} is covered by ${quoted(finding.by)} in line ${number(finding.at)}.`
    case 'within':
      return `${quoted(text)} reaches over all of ${finding.range}.`
    case 'all':
      return list === 'exclude_ips'
        ? `${quoted(text)} is every address: nobody would be counted.`
        : '“&” alone excludes every parameter of an address.'
    case 'star':
      return `${quoted(text)} is taken as it stands, the star too.`
    case 'spaces':
      return `The spaces around ${quoted(text)} aren’t sent: with them it would match nothing.`
  }
}

export const lineName = (line: number): string => `Line ${number(line)}`
export const insteadWords = (instead: readonly string[]): string =>
  instead.length > 3 ? `Make it ${count(instead.length, 'line')}` : `Make it ${instead.map(isolated).join(', ')}`
export const moreFindings = (n: number): string => `Show ${number(n)} more`
export const fewerFindings = 'Show fewer'

/** What Tidy up would leave out; it stays as it is until the person presses it. */
export const tidyWords = (needless: number): string =>
  needless === 0 ? 'Tidy up' : `Tidy up: ${count(needless, 'line')} fewer`

export const linesCounted = (n: number): string => count(n, 'line')

export const listHints = {
  exclude_ips: 'One a line: addresses, or ranges like 198.51.100.0/24.',
  exclude_params: 'One a line, such as utm_source. A line with & alone excludes all of them.',
}
export const listActs = { clear: 'Clear this list', cleared: 'Will be cleared', keep: 'Keep this list' }
export const ownWords = {
  add: 'Add this computer’s address',
  added: (own: readonly string[]): string =>
    `Added ${own.map(isolated).join(' and ')}. Networks give out other addresses from time to time.`,
  there: 'It’s in the list already.',
  unknown:
    'It can’t be told from here: a router or a proxy is between this computer and the service, or there’s no network.',
}
export const hiddenWords = (line: string): string => `There are characters in this that can’t be seen: ${quoted(line)}`
