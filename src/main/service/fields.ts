import { z } from 'zod'
import { tidyLines } from '../../shared/validate.ts'
import { privacySchema, websiteIdSchema, websiteSettingsSchema } from '../../shared/website.ts'
import { keptFields } from './extra.ts'
import type { Json, JsonObject, Redact } from './json.ts'

/** Characters of a name, an id, a domain: no real one comes near it, and each stands in the list, and in the window. */
const LONGEST = 1000

/** Hosts write the same value in several ways (service-behaviour.md, "Shapes of answers"): each is read here. */
const text = z.union([z.string().max(LONGEST), z.number().transform(String)])

/** In digits, as it was always seen; with words in it, it might be anything, a secret too. */
const inDigits = z.string().regex(/^[\d\s:.+TZ-]{1,40}$/)
const time = z.union([inDigits, z.number().transform(String).pipe(inDigits)])

const toggle = z.union([
  z.literal([true, false, 1, 0]).transform(Boolean),
  z.stringbool({ truthy: ['1', 'true'], falsy: ['0', 'false'] }),
])

const privacy = z.union([privacySchema, z.enum(['0', '1', '2']).transform(Number).pipe(privacySchema)])

const lines = z.union([
  z.null().transform(() => []),
  z
    .union([z.string().transform((all) => [all]), z.array(z.union([z.string(), z.number().transform(String)]))])
    .transform(tidyLines)
    .pipe(websiteSettingsSchema.shape.exclude_ips),
])

/** Only whether there is one: should a host return the password itself, it goes no further. */
const passwordSet = z.unknown().transform((value) => ![null, false, 0, '', '0', 'false'].includes(value as never))

const domainName = z.string().min(1).max(LONGEST)

export const websiteFields = {
  id: text.pipe(websiteIdSchema),
  domain: domainName,
  privacy,
  email: toggle,
  password: passwordSet,
  exclude_bots: toggle,
  exclude_ips: lines,
  exclude_params: lines,
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

/**
 * Reads each field on its own, so that an odd one doesn't spoil its record: null counts as absent where the reader
 * makes nothing of it, and what is unknown or can't be read goes to `extra`, within bounds. Only there is `redact` at
 * work: a password may be a word that stands in a domain too, and a known field read wrongly would be written back.
 */
export function readFields<Readers extends Record<string, z.ZodType>>(
  source: JsonObject,
  readers: Readers,
  redact: Redact,
): { known: { [Name in keyof Readers]?: z.output<Readers[Name]> }; extra: JsonObject } {
  const known: { [Name in keyof Readers]?: z.output<Readers[Name]> } = {}
  const unknown: [string, Json][] = []
  for (const [name, value] of Object.entries(source) as [keyof Readers & string, Json][]) {
    const read = Object.hasOwn(readers, name) ? readers[name]?.safeParse(value) : undefined
    if (read?.success) known[name] = read.data as z.output<Readers[typeof name]>
    else if (read === undefined || value !== null) unknown.push([name, value])
  }
  return { known, extra: keptFields(unknown, redact) }
}
