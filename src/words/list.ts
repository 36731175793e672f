import type { AppError } from '../shared/result.ts'
import type { AppState } from '../shared/state.ts'
import type { ColumnName } from '../shared/list-settings.ts'
import type { FieldName, ListQuery, WebsiteView } from '../shared/website.ts'
import { errorWords } from './errors.ts'
import { exactOf } from './dates.ts'
import { number } from './numbers.ts'
import { isolated, visible } from './visible.ts'
import { remoteChangeMark, remoteChangeSeen, remoteChangeFields } from './remote-changes.ts'
import { fieldWords, shortened, stateWords, websiteState, type StateWords } from './websites.ts'

export type Order = `${ListQuery['sort_by']} ${ListQuery['sort']}`

export const orderWords: Record<Order, string> = {
  'id desc': 'newest',
  'id asc': 'oldest',
  'domain asc': 'domain, A to Z',
  'domain desc': 'domain, Z to A',
}

/** How much of the list is here, while that isn't all of it. */
export function readSoFar({ refresh: { read, total }, websites }: AppState): string | undefined {
  return total !== null && read < total && websites < total ? `${number(read)} of ${number(total)} read` : undefined
}

/** The heads of the columns; `title`: what a short one stands for. */
export const columnWords: Record<ColumnName | 'domain', { label: string; title?: string }> = {
  domain: { label: 'Domain' },
  state: { label: 'State' },
  privacy: { label: 'Privacy' },
  email: { label: 'Reports', title: 'Email reports' },
  bots: { label: 'Bots', title: 'Exclude bots' },
  ips: { label: 'IPs', title: 'Excluded IP addresses' },
  params: { label: 'Parameters', title: 'Excluded URL parameters' },
  id: { label: 'Id' },
  changed: { label: 'Changed', title: 'Changed on the service' },
  created: { label: 'Created' },
}

export const addWords = 'Add website'

/** For the palette, which has one for each. */
export const sortByWords = (order: Order): string => `Sort by ${orderWords[order]}`
export const columnToggleWords = (column: string, shown: boolean): string =>
  `${shown ? 'Hide' : 'Show'} column: ${column}`

export const columnsMenuWords = { title: 'Columns', noRoom: 'No room here', reset: 'Reset columns' }

/** The first lines of a list, for what is said on hover. */
export const listedWords = (lines: readonly string[]): string =>
  [...lines.slice(0, 20).map(visible), ...(lines.length > 20 ? ['…'] : [])].join('\n')

export const widthWords = (column: string): string => `Width of ${column}`

/** `title`: more about it, on hover; `more`: what of that has to be heard too. */
export type RowState = StateWords & { title?: string; more?: string }

/** What is told of a website in its row, if anything. What it waits for is told in the editor and under Pending. */
export function rowState(website: WebsiteView): RowState | undefined {
  const state = websiteState(website, null)
  // What came of a bulk change is what is asked for there; what has come since is on hover.
  const title = state && { title: state.words }
  if (website.bulkResult === 'sent') return { ...stateWords.done, ...title }
  if (website.bulkResult === 'back') return { words: 'Not sent', tone: 'plain', mark: 'undone', ...title }
  if (state) return state.mark === 'waiting' ? { ...state, title: waitingWords(website.pending) } : state
  if (!website.remoteChange) return undefined
  const { remoteChange } = website
  const more = remoteChangeFields(remoteChange)
  const told = { title: remoteChangeSeen(remoteChange, exactOf(remoteChange.at)), ...(more && { more }) }
  return { words: remoteChangeMark[remoteChange.what], tone: 'plain', mark: 'remoteChange', ...told }
}

const waitingWords = (fields: readonly FieldName[]): string =>
  `Waiting: ${fields.map((name) => fieldWords[name]).join(', ')}`

export const listWords = {
  name: 'Websites',
  reading: 'Reading…',
  notRead: 'Not read yet',
  refresh: 'Refresh',
  refreshTip: 'Refresh (F5)',
  fromDisk: 'Reading from disk…',
  coming: 'On its way',
  sort: 'Sort websites by',
  perPage: 'Websites per page',
  onePage: 'All on one page',
  search: 'Search websites',
  placeholder: 'Search, or filter: privacy:public',
  clear: 'Clear search',
  filters: 'Filters',
}
export const refreshFailed = (error: AppError): string =>
  `The list couldn’t be refreshed, and stays as it was read last. ${errorWords(error).what}`
/** Of a website that was just added. */
export const hiddenBySearch = (domain: string): string => `${shortened(domain)} is added. The search doesn’t show it.`
export const showIt = 'Show it'
export const selectNamed = (domain: string): string => `Select ${isolated(domain)}`
export const aPage = (n: number): string => `${number(n)} a page`
export const rangeWords = (first: number, last: number, of: number): string =>
  `${number(first)}–${number(last)} of ${number(of)}`

/** How many there are, or match; what stands out is between stars. */
export const countedWords = (matching: number, total: number): string =>
  `${matching === total ? '' : `*${number(matching)}* of `}*${number(total)}* ${total === 1 ? 'website' : 'websites'}`
export const sortedWords = (order: Order): string => `Sorted by *${orderWords[order]}*`

/** In the cells of the list. */
export const cellWords = { excluded: 'Excluded', counted: 'Counted', notYet: 'Not yet', unknown: '–' }

/** Where there is no row to be shown: why, and what can be done. */
export const blankWords = {
  noFit: 'No website fits this',
  noBulkChange: 'There is no batch: none was begun, or it was dismissed, or all of it was sent.',
  showAll: 'Show all websites',
  reading: 'Reading the websites…',
  pageByPage: 'They show up page by page.',
  failed: 'The websites couldn’t be read',
  notRead: 'The websites haven’t been read yet',
  notReadOffline:
    'They’re read as soon as the service can be reached. You can add websites already; they’ll be sent then.',
  notReadOnline: 'Press F5 to read them.',
  none: 'No websites yet',
  noneSaid: 'A domain is enough to begin with.',
  first: 'Add the first',
}
/** `sofar`: not all of the list is here yet. */
export const noDomainWith = (search: string, sofar: boolean): string =>
  sofar ? `None among those read so far contains “${search}”` : `No domain contains “${search}”`
