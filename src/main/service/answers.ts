import type { Account } from '../../shared/account.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import { keptFields } from './extra.ts'
import { accountFields, planFields, readFields, websiteFields } from './fields.ts'
import { isObject, type Content, type Json, type JsonObject, type Redact } from './content.ts'
import { nextPage, totalOf } from './paging.ts'
import type { ServicePage } from './port.ts'

/**
 * Makes a value of a body; undefined: it doesn't fit what was asked (docs/service.md#response-shapes).
 * `redact` is for what is kept without being understood.
 */
export type Reader<T> = (content: Content, redact: Redact) => T | undefined

/** A page: `{data: […], links, meta}`, or a bare array. One record that can't be read, and the page can't be trusted. */
export const pageReader =
  (asked: URLSearchParams): Reader<ServicePage> =>
  (content, redact) => {
    if (content.kind !== 'json') return undefined
    const list = isObject(content.json) ? content.json['data'] : content.json
    if (!Array.isArray(list)) return undefined
    const websites = list.map((each) => readWebsite(each, redact)).filter((website) => website !== undefined)
    if (websites.length < list.length) return undefined
    const total = totalOf(content.json)
    return { websites, next: nextPage(asked, content.json, list.length), ...(total !== undefined && { total }) }
  }

/** The website that was asked for, and no other. */
export const websiteReader =
  (fits: (website: WebsiteRecord) => boolean) =>
  (content: Content, redact: Redact): WebsiteRecord | undefined => {
    const website = content.kind === 'json' ? readWebsite(content.json, redact) : undefined
    return website !== undefined && fits(website) ? website : undefined
  }

/** As {@link websiteReader}; null for an empty body, which some hosts answer a write with. */
export const writtenReader =
  (fits: (website: WebsiteRecord) => boolean): Reader<WebsiteRecord | null> =>
  (content, redact) =>
    content.kind === 'empty' ? null : websiteReader(fits)(content, redact)

/** Empty, or `{"id": 7, "deleted": true}`. */
export const deletedReader =
  (id: string): Reader<null> =>
  (content) => {
    if (content.kind === 'empty') return null
    if (content.kind !== 'json') return undefined
    const told = unwrapped(content.json, 'deleted')
    if (told?.['deleted'] !== true) return undefined
    return told['id'] === undefined || String(told['id']) === id ? null : undefined
  }

/** Something that names who it is; whatever else it tells is kept. */
export const accountReader: Reader<Account> = (content, redact) => {
  const source = content.kind === 'json' ? unwrapped(content.json, 'email') : undefined
  if (source === undefined) return undefined
  const { plan, ...rest } = source
  const understood = isObject(plan) || plan === undefined || plan === null
  const { known, extra } = readFields(understood ? rest : source, accountFields, redact)
  if (known.id === undefined && known.email === undefined && known.name === undefined) return undefined
  return { ...known, ...(isObject(plan) && { plan: readPlan(plan, redact) }), extra }
}

function readWebsite(json: Json, redact: Redact): WebsiteRecord | undefined {
  const source = unwrapped(json, 'domain')
  if (source === undefined) return undefined
  const { known, extra } = readFields(source, websiteFields, redact)
  const { id, domain } = known
  return id === undefined || domain === undefined ? undefined : { ...known, id, domain, extra }
}

/** PHP writes an empty map as `[]`. */
function readPlan({ features, ...rest }: JsonObject, redact: Redact): NonNullable<Account['plan']> {
  const { known, extra } = readFields(rest, planFields, redact)
  if (!isObject(features)) return { ...known, features: {}, extra }
  const websites = features['websites']
  const counted = typeof websites === 'string' && /^-?\d{1,9}$/.test(websites) ? Number(websites) : websites
  const counts = typeof counted === 'number' && { websites: counted }
  return { ...known, features: { ...keptFields(Object.entries(features), redact), ...counts }, extra }
}

/** The record itself, bare or in `data`. */
function unwrapped(json: Json, telling: string): JsonObject | undefined {
  if (!isObject(json)) return undefined
  return isObject(json['data']) && !(telling in json) ? json['data'] : json
}
