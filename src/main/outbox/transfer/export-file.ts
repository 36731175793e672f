import { z } from 'zod'
import { websiteIdSchema, websiteRecordSchema } from '../../../shared/website.ts'
import { editSchema, standingSchema } from '../model/edit.ts'

/**
 * Marks an export file: JSON with a version and the identity of its connection (docs/sync.md#export-and-import). Each website and
 * edit in it is checked separately, so that a damaged row does not affect the other rows.
 */
export const FORMAT = 'siteward-pending'
/** A file with a higher version is not imported. */
export const VERSION = 1
/** A file with more websites or more edits is not imported. */
const MAX_ROWS = 200_000

/** Tells from which connection a file was exported. */
export interface ConnectionIdentity {
  /** The id of the connection on this computer. Other computers have another one. */
  id: string
  address: string
  /** Null if the service shows no account. */
  account: string | null
}

/** Checked first: it tells an export from another file, and a newer version from this one. */
export const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().min(1),
})

/** The websites and edits are checked one by one, with the schemas below. */
export const fileSchema = headSchema.extend({
  connection: z.object({ id: z.string(), address: z.string(), account: z.string().nullable() }),
  websites: z.array(z.unknown()).max(MAX_ROWS),
  edits: z.array(z.unknown()).max(MAX_ROWS),
})

/** The id of an edit, or the key of a website within the file. */
const name = z.string().min(1).max(100)

/** A website of an exported edit. */
export const exportedWebsiteSchema = z
  .object({ key: name, id: websiteIdSchema.nullable(), domain: z.string(), record: websiteRecordSchema.nullable() })
  .refine(({ id, record }) => record === null || record.id === id)
export type ExportedWebsite = z.infer<typeof exportedWebsiteSchema>

/** Milliseconds since 1970, within the range of a JavaScript date. */
const time = z.number().int().min(0).max(8_640_000_000_000_000)

/** Contains no password: `password` tells that one was left out. */
export const exportedEditSchema = editSchema.omit({ seq: true, sealed: true, standing: true }).extend({
  id: name,
  website: name,
  password: z.boolean(),
  standing: standingSchema,
  attempts: z.number().int().min(0),
  changedAt: time,
})
export type ExportedEdit = z.infer<typeof exportedEditSchema>
