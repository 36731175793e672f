import type { Account } from '../shared/account.ts'
import { dayOf } from './dates.ts'
import { unknownFacts, type Fact } from './facts.ts'
import { count, number } from './numbers.ts'
import { isolated } from './visible.ts'

const known: readonly (readonly [keyof Account & string, string])[] = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['locale', 'Language'],
  ['timezone', 'Time zone'],
  ['id', 'Account id'],
  ['avatar_url', 'Picture'],
]

/** What the service tells of the account, known fields first. */
export function accountFacts(account: Account): Fact[] {
  const facts: Fact[] = known.flatMap(([field, name]) => {
    const value = account[field]
    return typeof value === 'string' && value !== '' ? [{ name, value }] : []
  })
  const { created_at } = account
  if (created_at) facts.push({ name: 'Member since', value: dayOf(created_at), at: created_at })
  return facts
}

/** Features that are counted, and those that are there or not; the order is the screen's. */
const counted: Readonly<Record<string, string>> = { pageviews: 'Pageviews' }
const granted: Readonly<Record<string, string>> = {
  api: 'API access',
  email_reports: 'Email reports',
  data_export: 'Data export',
}

/** What the plan holds beside the number of websites, which has its own meter: amounts, then what is included. */
export function planFacts(plan: NonNullable<Account['plan']>): Fact[] {
  const { features } = plan
  const told = (names: Readonly<Record<string, string>>, words: (value: unknown) => string): Fact[] =>
    Object.entries(names)
      .filter(([field]) => Object.hasOwn(features, field))
      .map(([field, name]) => ({ name, value: words(features[field]) }))
  const others = Object.entries(features)
    .filter(([field]) => field !== 'websites' && !Object.hasOwn(counted, field) && !Object.hasOwn(granted, field))
    .map(([name, value]) => ({ name, value: amountWords(value) }))
  return [...told(counted, amountWords), ...told(granted, grantWords), ...others, ...unknownFacts(plan.extra)]
}

function grantWords(value: unknown): string {
  if (value === true || value === 1) return 'Included'
  return value === false || value === 0 || value === null ? 'Not included' : amountWords(value)
}

function amountWords(value: unknown): string {
  if (typeof value === 'number') return value < 0 ? 'Unlimited' : number(value)
  if (typeof value === 'boolean' || value === null) return grantWords(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const accountWords = {
  title: 'Account',
  offline: 'Offline',
  told: 'Also told by the service',
  none: 'No account to show yet',
  noneOffline: 'It’s read as soon as the service can be reached.',
  noneYet: 'The service hasn’t shown an account so far. F5 asks again.',
  connection: 'Connection',
  askKeychain: 'Ask the keychain again',
  disconnect: 'Disconnect',
  cantBeReached: 'The service can’t be reached just now.',
  forgotten: 'The API key is forgotten. The service keeps everything it has.',
}

export const seenWords = (time: string): string => `Seen ${time}`
export const lastSeenWords = (time: string): string => `This is the account as it was last seen, ${time}.`
export const planTitle = (name: string | undefined): string => (name ? `Plan: ${isolated(name)}` : 'Plan')

/** How many websites there are, against the plan's limit. */
export const planUse = (websites: number, limit: number | null | undefined): string => {
  if (typeof limit === 'number') return `${number(websites)} of ${count(limit, 'website')}`
  return limit === null ? `${count(websites, 'website')}, no limit` : count(websites, 'website')
}
export const planFull = 'The plan is full: new websites will wait for room.'

export const disconnectTitle = (name: string): string => `Disconnect from ${isolated(name)}?`

export const discardByName = {
  title: 'Changes to discard',
  page: 'All on this page',
  all: 'All of them',
  unsent: 'Unsent changes',
  none: 'Nothing is waiting any more.',
}
export const discardAction = (n: number): string => (n === 0 ? 'Discard' : `Discard ${count(n, 'change')}`)
export const hasLeft = 'It can’t be called back: its request has left.'

export const replaceWords = {
  title: 'Replace key',
  hint: 'A key of the same account.',
  use: 'Use this key',
  done: 'The new key is in use.',
}
