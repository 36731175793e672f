import type { Account } from '../../shared/account.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import { accountFields, identifier, planFields, readFields, websiteFields } from './fields.ts'
import { isObject, type Content, type Json, type JsonObject } from './json.ts'
import { nextPage, totalOf } from './paging.ts'
import type { ServicePage } from './port.ts'

/** Makes a value of a body; undefined: it doesn't fit what was asked (service-behaviour.md, "Shapes of answers"). */
export type Reader<T> = (content: Content) => T | undefined

/** A page: `{data: […], links, meta}`, or a bare array. One record that can't be read, and the page can't be trusted. */
export const pageReader =
  (asked: URLSearchParams): Reader<ServicePage> =>
  (content) => {
    if (content.kind !== 'json') return undefined
    const list = isObject(content.json) ? content.json['data'] : content.json
    if (!Array.isArray(list)) return undefined
    const websites = list.map(readWebsite).filter((website) => website !== undefined)
    if (websites.length < list.length) return undefined
    const total = totalOf(content.json)
    return {
      websites,
      next: nextPage(asked, content.json, websites.length),
      ...(total !== undefined && { total }),
    }
  }

/** The website that was asked for, and no other. */
export const websiteReader =
  (fits: (website: WebsiteRecord) => boolean): Reader<WebsiteRecord> =>
  (content) => {
    const website = content.kind === 'json' ? readWebsite(content.json) : undefined
    return website !== undefined && fits(website) ? website : undefined
  }

/** As {@link websiteReader}; null for an empty body, which some hosts answer a write with. */
export const writtenReader =
  (fits: (website: WebsiteRecord) => boolean): Reader<WebsiteRecord | null> =>
  (content) =>
    content.kind === 'empty' ? null : websiteReader(fits)(content)

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
export const accountReader: Reader<Account> = (content) => {
  const source = content.kind === 'json' ? unwrapped(content.json, 'email') : undefined
  if (source === undefined) return undefined
  const { plan, ...rest } = source
  const { known, extra } = readFields(rest, accountFields)
  if (known.id === undefined && known.email === undefined && known.name === undefined) return undefined
  if (isObject(plan)) return { ...known, plan: readPlan(plan), extra }
  return { ...known, extra: plan === undefined || plan === null ? extra : { ...extra, plan } }
}

function readWebsite(json: Json): WebsiteRecord | undefined {
  const source = unwrapped(json, 'domain')
  if (source === undefined) return undefined
  const { id, domain, ...rest } = source
  const name = identifier.safeParse(id)
  if (!name.success || typeof domain !== 'string' || domain === '') return undefined
  const { known, extra } = readFields(rest, websiteFields)
  return { id: name.data, domain, ...known, extra }
}

/** PHP writes an empty map as `[]`. */
function readPlan({ features, ...rest }: JsonObject): NonNullable<Account['plan']> {
  const { known, extra } = readFields(rest, planFields)
  if (!isObject(features)) return { ...known, features: {}, extra }
  const websites = features['websites']
  const counted = typeof websites === 'string' && /^-?\d{1,9}$/.test(websites) ? Number(websites) : websites
  return { ...known, features: { ...features, ...(counted !== undefined && { websites: counted }) }, extra }
}

/** The record itself, bare or in `data`. */
function unwrapped(json: Json, telling: string): JsonObject | undefined {
  if (!isObject(json)) return undefined
  return isObject(json['data']) && !(telling in json) ? json['data'] : json
}
