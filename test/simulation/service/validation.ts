import { switchNames, type Fields } from './records.ts'

export type FieldTexts = Record<string, string[]>

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns a domain as the service stores it (docs/service.md#validation-and-normalization). */
export const normalized = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')

export function domainErrors(domain: string): string[] {
  if (domain === '') return ['The domain field is required.']
  return DOMAIN.test(domain) && domain.length <= 255 ? [] : ['The domain must be a valid domain name.']
}

/** Returns the fields that a form sets, and its errors. Fields that are not in the form keep their values. */
export function readForm(
  form: URLSearchParams,
  present: Fields | null,
): { fields: Partial<Fields>; errors: FieldTexts } {
  const fields: Partial<Fields> = {}
  const errors: FieldTexts = {}
  for (const name of ['privacy', ...switchNames] as const) {
    const text = form.get(name)
    if (text === null) continue
    if (new RegExp(name === 'privacy' ? '^[012]$' : '^[01]$').test(text))
      Object.assign(fields, { [name]: Number(text) })
    else errors[name] = [`The selected ${name} is invalid.`]
  }
  for (const name of ['exclude_ips', 'exclude_params'] as const) {
    const text = form.get(name)
    // An empty value clears the field.
    if (text !== null) fields[name] = text === '' ? null : text
  }
  const asked = (fields.privacy ?? present?.privacy ?? 1) === 2
  const password = form.get('password')
  if (password !== null && password !== '') fields.password = password
  else if (asked && (password === '' || present === null)) errors['password'] = ['The password field is required.']
  return { fields, errors }
}
