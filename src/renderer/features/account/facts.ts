import { m } from '../../../messages/index.ts'
import type { Account } from '../../../shared/account.ts'
import { formatDay, languageName, formatNumber } from '../../../shared/display/format.ts'
import { unknownFacts, type Fact } from '../../ui/facts.ts'

const accountFields = [
  ['name', m.account_field_name],
  ['email', m.account_field_email],
  ['locale', m.account_field_language],
  ['timezone', m.account_field_time_zone],
  ['id', m.account_field_id],
  ['avatar_url', m.account_field_picture],
] as const

/** Returns the account's fields that the service has sent, with their labels. */
export function accountFacts(account: Account): Fact[] {
  const facts: Fact[] = accountFields.flatMap(([field, name]) => {
    const value = account[field]
    if (typeof value !== 'string' || value === '') return []
    return [{ name: name(), value: field === 'locale' ? languageName(value) : value }]
  })
  const { created_at } = account
  if (created_at) facts.push({ name: m.account_field_created(), value: formatDay(created_at), at: created_at })
  return facts
}

type Value = (value: unknown) => string

const featureFacts: Readonly<Record<string, readonly [name: () => string, value: Value]>> = {
  pageviews: [m.plan_pageviews, amountText],
  api: [m.plan_api, grantedText],
  email_reports: [m.plan_email_reports, grantedText],
  data_export: [m.plan_data_export, grantedText],
}

/** Returns the features of a plan, known and unknown. The limit of websites is left out, because a meter shows it. */
export function planFacts(plan: NonNullable<Account['plan']>): Fact[] {
  const values = plan.features
  const knownFacts = Object.entries(featureFacts).flatMap(([field, [name, value]]) =>
    Object.hasOwn(values, field) ? [{ name: name(), value: value(values[field]) }] : [],
  )
  const otherFacts = Object.entries(values)
    .filter(([field]) => field !== 'websites' && !Object.hasOwn(featureFacts, field))
    .map(([name, value]) => ({ name, value: amountText(value) }))
  return [...knownFacts, ...otherFacts, ...unknownFacts(plan.extra)]
}

/** Returns "included" (true, 1), "not included" (false, 0, null), or the result of {@link amountText}. */
function grantedText(value: unknown): string {
  if (value === true || value === 1) return m.plan_included()
  return value === false || value === 0 || value === null ? m.plan_not_included() : amountText(value)
}

function amountText(value: unknown): string {
  if (typeof value === 'number') return value < 0 ? m.plan_unlimited() : formatNumber(value)
  if (typeof value === 'boolean' || value === null) return grantedText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
