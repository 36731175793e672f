import type { Account } from '../../shared/account.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import { limitFields } from './extra.ts'
import { accountFieldReaders, planFieldReaders, readFields, websiteFieldReaders } from './fields.ts'
import { isObject, type Content, type Json, type JsonObject, type Redact } from './content.ts'
import { nextPageQuery, totalOf } from './paging.ts'
import type { ServicePage } from './port.ts'

/**
 * Reads a value from a response body. Undefined if the body does not answer the request (docs/service.md#response-shapes).
 * `redact`: for text that is kept without being understood.
 */
export type Reader<T> = (content: Content, redact: Redact) => T | undefined

/** Reads `{data: […], links, meta}` or a bare array. One unreadable record makes the whole page unreadable. */
export const pageReader =
  (query: URLSearchParams): Reader<ServicePage> =>
  (content, redact) => {
    if (content.kind !== 'json') return undefined
    const list = isObject(content.json) ? content.json['data'] : content.json
    if (!Array.isArray(list)) return undefined
    const websites = list.map((each) => readWebsite(each, redact)).filter((website) => website !== undefined)
    if (websites.length < list.length) return undefined
    const total = totalOf(content.json)
    return { websites, next: nextPageQuery(query, content.json, list.length), ...(total !== undefined && { total }) }
  }

/** Reads one website. `fits`: true for the requested website. Any other website is rejected. */
export const websiteReader =
  (fits: (website: WebsiteRecord) => boolean) =>
  (content: Content, redact: Redact): WebsiteRecord | undefined => {
    const website = content.kind === 'json' ? readWebsite(content.json, redact) : undefined
    return website !== undefined && fits(website) ? website : undefined
  }

/**
 * Reads the website that a write returns. Null for an empty body, with which some hosts answer a write. `fits`: as for
 * {@link websiteReader}.
 */
export const writtenReader =
  (fits: (website: WebsiteRecord) => boolean): Reader<WebsiteRecord | null> =>
  (content, redact) =>
    content.kind === 'empty' ? null : websiteReader(fits)(content, redact)

/** Reads the answer to a delete: an empty body or `{"id": 7, "deleted": true}`. */
export const deletedReader =
  (id: string): Reader<null> =>
  (content) => {
    if (content.kind === 'empty') return null
    if (content.kind !== 'json') return undefined
    const answer = unwrapped(content.json, 'deleted')
    if (answer?.['deleted'] !== true) return undefined
    const answered = answer['id']
    // Only a number becomes text: `String` throws for an object such as `{"toString": 0}`.
    return answered === undefined || answered === id || (typeof answered === 'number' && String(answered) === id)
      ? null
      : undefined
  }

/** An account must have an id, an email or a name. Unknown fields are kept. */
export const accountReader: Reader<Account> = (content, redact) => {
  const source = content.kind === 'json' ? unwrapped(content.json, 'email') : undefined
  if (source === undefined) return undefined
  const { plan, ...rest } = source
  const isPlanReadable = isObject(plan) || plan === undefined || plan === null
  const { fields, extra } = readFields(isPlanReadable ? rest : source, accountFieldReaders, redact)
  if (fields.id === undefined && fields.email === undefined && fields.name === undefined) return undefined
  return { ...fields, ...(isObject(plan) && { plan: readPlan(plan, redact) }), extra }
}

/** Reads the record of a website. Undefined if its id or domain can't be read. Other unreadable fields go to `extra`. */
function readWebsite(json: Json, redact: Redact): WebsiteRecord | undefined {
  const source = unwrapped(json, 'domain')
  if (source === undefined) return undefined
  const { fields, extra } = readFields(source, websiteFieldReaders, redact)
  const { id, domain } = fields
  return id === undefined || domain === undefined ? undefined : { ...fields, id, domain, extra }
}

/** PHP writes an empty map of features as `[]`. */
function readPlan({ features, ...rest }: JsonObject, redact: Redact): NonNullable<Account['plan']> {
  const { fields, extra } = readFields(rest, planFieldReaders, redact)
  if (!isObject(features)) return { ...fields, features: {}, extra }
  const websites = features['websites']
  const count = typeof websites === 'string' && /^-?\d{1,9}$/.test(websites) ? Number(websites) : websites
  const limit = typeof count === 'number' && { websites: count }
  return { ...fields, features: { ...limitFields(Object.entries(features), redact), ...limit }, extra }
}

/** Returns a record, bare or inside `data`. A bare record has the field `required`. */
function unwrapped(json: Json, required: string): JsonObject | undefined {
  if (!isObject(json)) return undefined
  return isObject(json['data']) && !(required in json) ? json['data'] : json
}
