import { z } from 'zod'
import { tidyLines } from '../../shared/validate.ts'
import { privacySchema, websiteSettingsSchema } from '../../shared/website.ts'
import type { Json, JsonObject } from './json.ts'

/** Hosts write the same value in several ways (service-behaviour.md, "Shapes of answers"): each is read here. */
const text = z.union([z.string(), z.number().transform(String)])

const toggle = z.union([
  z.boolean(),
  z.literal([0, 1]).transform(Boolean),
  z.stringbool({ truthy: ['1', 'true'], falsy: ['0', 'false'] }),
])

const privacy = z.union([privacySchema, z.enum(['0', '1', '2']).transform(Number).pipe(privacySchema)])

const lines = z
  .union([
    z.null().transform(() => []),
    z.string().transform((all) => [all]),
    z.array(z.union([z.string(), z.number().transform(String)])),
  ])
  .transform(tidyLines)
  .pipe(websiteSettingsSchema.shape.exclude_ips)

/** Only whether there is one: should a host return the password itself, it goes no further. */
const passwordSet = z.unknown().transform((value) => ![null, false, 0, '', '0', 'false'].includes(value as never))

/** `.` and `..` would lead a path elsewhere, even when encoded; half a surrogate pair can't be encoded. */
export const identifier = text.refine((id) => !['', '.', '..'].includes(id) && id.isWellFormed())

export const websiteFields = {
  privacy,
  email: toggle,
  password: passwordSet,
  exclude_bots: toggle,
  exclude_ips: lines,
  exclude_params: lines,
  created_at: text,
  updated_at: text,
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
 * makes nothing of it, and what is unknown or can't be read is kept in `extra` as it came.
 */
export function readFields<Readers extends Record<string, z.ZodType>>(
  source: JsonObject,
  readers: Readers,
): { known: { [Name in keyof Readers]?: z.output<Readers[Name]> }; extra: JsonObject } {
  const known: { [Name in keyof Readers]?: z.output<Readers[Name]> } = {}
  const extra: JsonObject = {}
  for (const [name, value] of Object.entries(source) as [keyof Readers & string, Json][]) {
    const read = Object.hasOwn(readers, name) ? readers[name]?.safeParse(value) : undefined
    if (read?.success) known[name] = read.data as z.output<Readers[typeof name]>
    else if (read === undefined || value !== null) extra[name] = value
  }
  return { known, extra }
}
