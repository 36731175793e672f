import { z } from 'zod'
import { websiteIdSchema, websiteRecordSchema } from '../../../shared/website.ts'
import { editSchema, standingSchema } from '../model/edit.ts'

/**
 * The file of an export (docs/sync.md#export-and-import): JSON, versioned, bound to its connection. Websites and edits are
 * each checked by themselves, so that one that is damaged doesn't take the others with it.
 */
export const FORMAT = 'siteward-pending'
export const VERSION = 1
const MAX_ROWS = 200_000

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
