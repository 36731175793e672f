import { z } from 'zod'
import { editKindSchema, editViewSchema } from './edit.ts'

/** The result of the change of one website. `notSent`: it will not be sent, because it was undone, discarded or replaced. */
const bulkWebsiteResultSchema = z.enum(['parked', 'waiting', 'notSent', 'sent'])
export type BulkWebsiteResult = z.infer<typeof bulkWebsiteResultSchema>

/** The progress of the last bulk change. Each website is counted once. */
export const bulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** When the bulk change was queued, in milliseconds since 1970, for display only. */
  at: z.number(),
  /** The place of the bulk change's last edit among all saves. Undo first takes back what comes last. */
  order: z.number(),
  websites: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  parked: z.number().int(),
  notSent: z.number().int(),
  canUndo: z.boolean(),
  /**
   * Set if an undo in this run of the app did not undo everything. `again`: the user may try once more, or is asked first.
   * `refused`: the rest can't be undone, because other websites have the domains now.
   */
  left: z.enum(['again', 'refused']).nullable(),
})
export type BulkChange = z.infer<typeof bulkChangeSchema>

const bulkWebsiteRowSchema = z.object({
  key: z.string(),
  domain: z.string(),
  is: bulkWebsiteResultSchema,
  /** The edit that needs attention, if any. */
  edit: editViewSchema.nullable(),
  /** False if the website is no longer in the list. */
  exists: z.boolean(),
})
export type BulkWebsiteRow = z.infer<typeof bulkWebsiteRowSchema>

/** A page of the websites of the last bulk change: first those that need attention, then the pending ones. */
export const bulkWebsitePageSchema = z.object({ websites: z.array(bulkWebsiteRowSchema), pages: z.number().int() })
