import type { Account } from '../../../shared/account.ts'
import { dayOf, exactOf } from '../../words/dates.ts'
import { unknownFacts, type Fact } from '../../words/facts.ts'
import { number } from '../../words/numbers.ts'

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
  if (created_at) facts.push({ name: 'Member since', value: dayOf(created_at), title: exactOf(created_at) })
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

/** The plan's limit of websites; undefined where the service tells none, null where there is none. */
export function websiteLimit(account: Account): number | null | undefined {
  const limit = account.plan?.features['websites']
  if (typeof limit !== 'number') return undefined
  return limit < 0 ? null : limit
}
