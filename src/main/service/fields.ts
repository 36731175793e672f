import { tidyLines } from '../../shared/validate.ts'
import { fieldTable, type FieldName, type NameOf } from '../../shared/fields.ts'
import { fieldNames, websiteIdSchema, websiteSettingsSchema, type WebsiteRecord } from '../../shared/website.ts'
import { limitFields } from './extra.ts'
import type { Json, JsonObject, Redact } from './content.ts'

/**
 * Returns a field's value from the service's JSON; undefined for a value of another kind (docs/service.md#field-values).
 * Readers are plain functions, because schemas take three times as long with ten thousand websites.
 */
type Reader<T> = (value: Json) => T | undefined

/** Maximum number of characters of a name, an id or a domain. Real ones are far shorter. */
const MAX_LENGTH = 1000

const isShortText = (value: Json): value is string => typeof value === 'string' && value.length <= MAX_LENGTH

const asText = (value: Json): Json => (typeof value === 'number' ? String(value) : value)

function readText(value: Json): string | undefined {
  const asString = asText(value)
  return isShortText(asString) ? asString : undefined
}

/** Returns a date and time as its text. Undefined for any other text, which might contain a secret. */
function readTime(value: Json): string | undefined {
  const asString = asText(value)
  return typeof asString === 'string' && /^[\d\s:.+TZ-]{1,40}$/.test(asString) ? asString : undefined
}

/** Accepts true, false, 1 and 0, also as text. */
function readSwitch(value: Json): boolean | undefined {
  if (typeof value === 'object') return undefined
  const asString = String(value).toLowerCase()
  if (asString === '1' || asString === 'true') return true
  return asString === '0' || asString === 'false' ? false : undefined
}

/** Accepts a number, or one digit as text. */
const choiceReader = (name: NameOf<'choice'>) => (value: Json) =>
  websiteSettingsSchema.shape[name].safeParse(typeof value === 'string' && /^\d$/.test(value) ? Number(value) : value)
    .data

/** Accepts an array of texts or numbers, or one text with all lines. Null is an empty list. */
function readLines(value: Json): string[] | undefined {
  if (value === null) return []
  const entries = Array.isArray(value) ? value.map(asText) : [value]
  if (!entries.every((line) => typeof line === 'string')) return undefined
  return websiteSettingsSchema.shape.exclude_ips.safeParse(tidyLines(entries)).data
}

/** The values with which hosts say that a website has no password. */
const NO_PASSWORD: readonly Json[] = [null, false, 0, '', '0', 'false']

/** A host may return the password itself. Only its presence is kept. */
const readPasswordSet = (value: Json): boolean => !NO_PASSWORD.includes(value)

const readDomainName = (value: Json): string | undefined => (isShortText(value) && value !== '' ? value : undefined)

const readWebsiteId = (value: Json): string | undefined => websiteIdSchema.safeParse(readText(value)).data

/** Returns the function that reads a field from the service's JSON. */
function readerOf(name: FieldName): Reader<unknown> {
  switch (fieldTable[name].kind) {
    case 'domain':
      return readDomainName
    case 'choice':
      return choiceReader(name as NameOf<'choice'>)
    case 'secret':
      return readPasswordSet
    case 'switch':
      return readSwitch
    case 'list':
      return readLines
  }
}

/** The function that reads each field of a website from the service's JSON. */
export const websiteFieldReaders = {
  id: readWebsiteId,
  ...(Object.fromEntries(fieldNames.map((name) => [name, readerOf(name)])) as {
    [N in FieldName]: Reader<WebsiteRecord[N]>
  }),
  created_at: readTime,
  updated_at: readTime,
}

/** The function that reads each field of an account from the service's JSON. */
export const accountFieldReaders = {
  id: readText,
  name: readText,
  email: readText,
  avatar_url: readText,
  locale: readText,
  timezone: readText,
  created_at: readText,
}

/** The function that reads each field of an account's plan from the service's JSON. */
export const planFieldReaders = { id: readText, name: readText }

/** The fields of a record. Those that are missing or unreadable are absent. */
type ReadFields<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>>
}

/**
 * Reads each field by itself, so that an unreadable one doesn't spoil the record. Unknown and unreadable fields go to `extra`,
 * except nulls of known fields. Only `extra` is redacted: a password may be part of a domain, and a known field that was changed
 * here would be written back.
 */
export function readFields<Readers extends Record<string, Reader<unknown>>>(
  source: JsonObject,
  readers: Readers,
  redact: Redact,
): { fields: ReadFields<Readers>; extra: JsonObject } {
  const fields: ReadFields<Readers> = {}
  const unknown: [string, Json][] = []
  for (const [name, value] of Object.entries(source) as [keyof Readers & string, Json][]) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    const read = reader?.(value)
    if (read !== undefined) fields[name] = read as ReadFields<Readers>[typeof name]
    else if (reader === undefined || value !== null) unknown.push([name, value])
  }
  return { fields, extra: limitFields(unknown, redact) }
}
