import { z } from 'zod'
import { websiteIdSchema, websiteRecordSchema } from '../../shared/website.ts'
import { editSchema, standingSchema } from './edit.ts'

/**
 * The file of an export (sync.md, "What the person sees"): JSON, versioned, bound to its connection. Websites and edits are
 * each checked by themselves, so that one that is damaged doesn't take the others with it.
 */
export const FORMAT = 'siteward-pending'
export const VERSION = 1
/** Characters: some twenty times what ten thousand edits take. */
export const MAX_TEXT = 128 * 1024 * 1024
const MAX_ROWS = 200_000
/** Characters: what takes longer to parse than a few milliseconds. */
const LONG_TEXT = 256 * 1024
/** Objects and lists within each other: ours are seven deep, and what a service adds to a record may be deeper. */
const MAX_DEPTH = 100

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** What a connection is known by. `id` is its own on this machine. */
export interface ConnectionIdentity {
  id: string
  address: string
  /** Null: the service shows no account. */
  account: string | null
}

export const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().min(1),
})

export const fileSchema = headSchema.extend({
  connection: z.object({ id: z.string(), address: z.string(), account: z.string().nullable() }),
  websites: z.array(z.unknown()).max(MAX_ROWS),
  edits: z.array(z.unknown()).max(MAX_ROWS),
})

const name = z.string().min(1).max(100)

export const exportedWebsiteSchema = z
  .object({ key: name, id: websiteIdSchema.nullable(), domain: z.string(), record: websiteRecordSchema.nullable() })
  .refine(({ id, record }) => record === null || record.id === id)
export type ExportedWebsite = z.infer<typeof exportedWebsiteSchema>

/** As far as a date goes. */
const time = z.number().int().min(0).max(8_640_000_000_000_000)

/** In the file no password is: `password` says that one was there. Its numbers are such as the store takes. */
export const exportedEditSchema = editSchema.omit({ seq: true, sealed: true, standing: true }).extend({
  id: name,
  website: name,
  password: z.boolean(),
  standing: standingSchema,
  attempts: z.number().int().min(0),
  changedAt: time,
})
export type ExportedEdit = z.infer<typeof exportedEditSchema>

/**
 * Parses text of a stranger; undefined: it isn't JSON, or too much of it, or too deep. Others get their turn before the
 * one step that can't be divided.
 */
export async function parseBounded(text: string, pause: () => Promise<void>): Promise<unknown> {
  if (text.length > MAX_TEXT || !isShallow(text)) return undefined
  if (text.length > LONG_TEXT) await pause()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Before it's parsed: what is nested without end would exhaust the stack of whoever walks through it. */
function isShallow(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted && char === BACKSLASH) at += 1
    else if (char === QUOTE) quoted = !quoted
    else if (quoted) continue
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_DEPTH) return false
  }
  return true
}
