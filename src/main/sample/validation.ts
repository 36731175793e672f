import { fieldTable, settingNames, type Field } from '../../shared/fields.ts'
import { TAKEN_DOMAINS } from './domains.ts'
import { hashPassword } from './password.ts'
import type { SampleStore } from './store.ts'
import type { SampleFields, SampleWebsite } from './website.ts'

/** The error texts of each field, as the service writes them. */
export type FieldErrorTexts = Record<string, string[]>
/** The values of a valid form, or else its errors. */
export type Validated<T> = { values: T } | { errors: FieldErrorTexts }

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** See docs/service.md#validation-and-normalization. */
export function validateCreate(
  form: URLSearchParams,
  store: SampleStore,
  websiteLimit: number,
): Validated<Pick<SampleFields, 'domain'> & Partial<SampleFields>> {
  const domain = normalized(form.get('domain') ?? '')
  const domainTexts = [
    ...domainErrors(domain, store),
    ...(websiteLimit >= 0 && store.all().length >= websiteLimit ? ['You added too many websites.'] : []),
  ]
  const { values, errors } = validateSettings(form)
  const lacksPassword = values.privacy === 2 && !form.has('password')
  const all = {
    ...(domainTexts.length > 0 && { domain: domainTexts }),
    ...errors,
    ...(lacksPassword && { password: ['The password field is required.'] }),
  }
  return Object.keys(all).length > 0 ? { errors: all } : { values: { ...values, domain } }
}

/** A missing field keeps its value, and the domain never changes. */
export function validateUpdate(form: URLSearchParams, website: SampleWebsite): Validated<Partial<SampleFields>> {
  const { values, errors } = validateSettings(form, website)
  return Object.keys(errors).length > 0 ? { errors } : { values }
}

const normalized = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')

function domainErrors(domain: string, store: SampleStore): string[] {
  if (domain === '') return ['The domain field is required.']
  if (domain.length > 255) return ['The domain must not be greater than 255 characters.']
  if (!DOMAIN.test(domain)) return ['The domain must be a valid domain name.']
  const taken = TAKEN_DOMAINS.has(domain) || store.byDomain(domain) !== undefined
  return taken ? ['The domain has already been taken.'] : []
}

/** `website`: the one to update; undefined for a create. */
function validateSettings(form: URLSearchParams, website?: SampleWebsite) {
  const values: Partial<SampleFields> = {}
  const errors: FieldErrorTexts = {}
  const refuse = (name: string): string[] => (errors[name] = [`The selected ${name.replace('_', ' ')} is invalid.`])

  for (const name of settingNames) {
    const written = form.get(name)
    if (written === null) continue
    const field: Field = fieldTable[name]
    const allowed = field.kind === 'choice' ? Object.values(field.choices).map(String) : ['0', '1']
    if (field.kind === 'list') Object.assign(values, { [name]: written === '' ? null : written })
    else if (allowed.includes(written)) Object.assign(values, { [name]: Number(written) })
    else refuse(name)
  }

  const password = form.get('password')
  if (password === null) return { values, errors }
  const isProtected = (values.privacy ?? website?.privacy ?? 1) === 2
  if (password === '' && isProtected) errors['password'] = ['The password field is required.']
  else if (password.length > 128) errors['password'] = ['The password must not be greater than 128 characters.']
  else if (Object.keys(errors).length === 0) values.password = password === '' ? null : hashPassword(password)
  return { values, errors }
}
