import { z } from 'zod'
import { websiteIdSchema, websiteRecordSchema } from '../../../shared/website.ts'
import { editSchema, standingSchema } from '../model/edit.ts'

/**
 * Marks an export file (docs/sync.md#export-and-import), which is JSON with a version and the identity of its connection. Each
 * website and edit in it is checked separately, so that a damaged row does not affect the other rows.
 */
export const FORMAT = 'siteward-pending'
/** The version of the format. A file with a higher one is not imported. */
export const VERSION = 1
/** Maximum number of websites in a file, and of edits. A file with more is not imported. */
const MAX_ROWS = 200_000

/** The identity of a connection. `id` is known only on this computer. */
export interface ConnectionIdentity {
  id: string
  address: string
  /** The account, or null if the service shows none. */
  account: string | null
}

/** The part of a file that is checked first: it tells an export from another file, and a newer version from this one. */
export const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().min(1),
})

/** The whole file. Its websites and edits are checked one by one, with the schemas below. */
export const fileSchema = headSchema.extend({
  connection: z.object({ id: z.string(), address: z.string(), account: z.string().nullable() }),
  websites: z.array(z.unknown()).max(MAX_ROWS),
  edits: z.array(z.unknown()).max(MAX_ROWS),
})

/** The id of an edit, or the key of a website within the file. */
const name = z.string().min(1).max(100)

export const exportedWebsiteSchema = z
  .object({ key: name, id: websiteIdSchema.nullable(), domain: z.string(), record: websiteRecordSchema.nullable() })
  .refine(({ id, record }) => record === null || record.id === id)
export type ExportedWebsite = z.infer<typeof exportedWebsiteSchema>

/** A time within the range of a JavaScript date. */
const time = z.number().int().min(0).max(8_640_000_000_000_000)

/** An exported edit. It contains no password: `password` says that one was left out. */
export const exportedEditSchema = editSchema.omit({ seq: true, sealed: true, standing: true }).extend({
  id: name,
  website: name,
  password: z.boolean(),
  standing: standingSchema,
  attempts: z.number().int().min(0),
  changedAt: time,
})
export type ExportedEdit = z.infer<typeof exportedEditSchema>
