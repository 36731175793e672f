import type { Account } from '../../../shared/account.ts'
import { dayOf, exactOf } from '../../words/dates.ts'
import { unknownFacts, type Fact } from '../../words/facts.ts'

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

const featureNames: Readonly<Record<string, string>> = { api: 'API access', email_reports: 'Email reports' }

/** What the plan holds beside the number of websites, which has its own meter. */
export function planFacts(plan: NonNullable<Account['plan']>): Fact[] {
  const features = Object.entries(plan.features)
    .filter(([name]) => name !== 'websites')
    .map(([name, value]) => ({ name: featureNames[name] ?? name, value: featureWords(value) }))
  return [...features, ...unknownFacts(plan.extra)]
}

function featureWords(value: unknown): string {
  if (value === true || value === 1) return 'Included'
  if (value === false || value === 0 || value === null) return 'Not included'
  if (value === -1) return 'Unlimited'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The plan's limit of websites; undefined where the service tells none, null where there is none. */
export function websiteLimit(account: Account): number | null | undefined {
  const limit = account.plan?.features['websites']
  if (typeof limit !== 'number') return undefined
  return limit < 0 ? null : limit
}
