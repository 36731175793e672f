import { tidyLines } from '../../shared/validate.ts'
import { fieldTable, type FieldName, type NameOf } from '../../shared/fields.ts'
import { fieldNames, websiteIdSchema, websiteSettingsSchema, type WebsiteRecord } from '../../shared/website.ts'
import { keptFields } from './extra.ts'
import type { Json, JsonObject, Redact } from './content.ts'

/**
 * Hosts write the same value in several ways (docs/service.md#field-values): each is read here. Undefined: it's
 * no such value. Plain functions, as ten thousand websites are read by them: schemas take three times as long.
 */
type Reader<T> = (value: Json) => T | undefined

/** Characters of a name, an id, a domain: no real one comes near it, and each stands in the list, and in the window. */
const LONGEST = 1000

const isText = (value: Json): value is string => typeof value === 'string' && value.length <= LONGEST

const asText = (value: Json): Json => (typeof value === 'number' ? String(value) : value)

function text(value: Json): string | undefined {
  const written = asText(value)
  return isText(written) ? written : undefined
}

/** In digits, as it was always seen; with words in it, it might be anything, a secret too. */
function time(value: Json): string | undefined {
  const written = asText(value)
  return typeof written === 'string' && /^[\d\s:.+TZ-]{1,40}$/.test(written) ? written : undefined
}

function toggle(value: Json): boolean | undefined {
  if (typeof value === 'object') return undefined
  const written = String(value).toLowerCase()
  if (written === '1' || written === 'true') return true
  return written === '0' || written === 'false' ? false : undefined
}

const choice = (name: NameOf<'choice'>) => (value: Json) =>
  websiteSettingsSchema.shape[name].safeParse(typeof value === 'string' && /^\d$/.test(value) ? Number(value) : value)
    .data

function lines(value: Json): string[] | undefined {
  if (value === null) return []
  const written = Array.isArray(value) ? value.map(asText) : [value]
  if (!written.every((line) => typeof line === 'string')) return undefined
  return websiteSettingsSchema.shape.exclude_ips.safeParse(tidyLines(written)).data
}

const NO_PASSWORD: readonly Json[] = [null, false, 0, '', '0', 'false']

/** Only whether there is one: should a host return the password itself, it goes no further. */
const passwordSet = (value: Json): boolean => !NO_PASSWORD.includes(value)

const domainName = (value: Json): string | undefined => (isText(value) && value !== '' ? value : undefined)

const websiteId = (value: Json): string | undefined => websiteIdSchema.safeParse(text(value)).data

function readerOf(name: FieldName): Reader<unknown> {
  switch (fieldTable[name].kind) {
    case 'domain':
      return domainName
    case 'choice':
      return choice(name as NameOf<'choice'>)
    case 'secret':
      return passwordSet
    case 'switch':
      return toggle
    case 'list':
      return lines
  }
}

export const websiteFields = {
  id: websiteId,
  ...(Object.fromEntries(fieldNames.map((name) => [name, readerOf(name)])) as {
    [N in FieldName]: Reader<WebsiteRecord[N]>
  }),
  created_at: time,
  updated_at: time,
}

export const accountFields = {
  id: text,
  name: text,
  email: text,
  avatar_url: text,
  locale: text,
  timezone: text,
  created_at: text,
}

export const planFields = { id: text, name: text }

/** What could be read: of each field what its reader makes of it. */
type Known<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]>>
}

/**
 * Reads each field on its own, so that an odd one doesn't spoil its record: null counts as absent where the reader
 * makes nothing of it, and what is unknown or can't be read goes to `extra`, within bounds. Only there is `redact` at
 * work: a password may be a word that stands in a domain too, and a known field read wrongly would be written back.
 */
export function readFields<Readers extends Record<string, Reader<unknown>>>(
  source: JsonObject,
  readers: Readers,
  redact: Redact,
): { known: Known<Readers>; extra: JsonObject } {
  const known: Known<Readers> = {}
  const unknown: [string, Json][] = []
  for (const [name, value] of Object.entries(source) as [keyof Readers & string, Json][]) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    const read = reader?.(value)
    if (read !== undefined) known[name] = read as Known<Readers>[typeof name]
    else if (reader === undefined || value !== null) unknown.push([name, value])
  }
  return { known, extra: keptFields(unknown, redact) }
}
