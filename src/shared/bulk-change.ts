import { z } from 'zod'
import { editKindSchema, editViewSchema } from './edit.ts'

/** The result for one website. `back`: the edit will not be sent, because the edit was undone, discarded or replaced. */
const bulkWebsiteResultSchema = z.enum(['parked', 'waiting', 'back', 'sent'])
export type BulkWebsiteResult = z.infer<typeof bulkWebsiteResultSchema>

/** The progress of the last bulk change. Each website is in one of the counts. */
export const bulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Time at which it was queued, in milliseconds since 1970, for display only. */
  at: z.number(),
  /** The place of the bulk change's last edit among all saves. */
  order: z.number(),
  websites: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  parked: z.number().int(),
  back: z.number().int(),
  /** True if `undoBulk` can undo it. */
  canUndo: z.boolean(),
  /**
   * The part that an undo in this run of the app did not undo. `again`: it may be undone by another try, or the user is asked first.
   * `refused`: it can't be undone, because other websites have the domains now. Null: there is no such part, or no undo.
   */
  left: z.enum(['again', 'refused']).nullable(),
})
export type BulkChange = z.infer<typeof bulkChangeSchema>

/**
 * A website of the last bulk change. `edit`: the edit that needs attention, or null. `exists`: false for a website that is no
 * longer in the list.
 */
const bulkResultRowSchema = z.object({
  key: z.string(),
  domain: z.string(),
  is: bulkWebsiteResultSchema,
  edit: editViewSchema.nullable(),
  exists: z.boolean(),
})
export type BulkResultRow = z.infer<typeof bulkResultRowSchema>

/** A page of the websites of the last bulk change: first those that need attention, then the pending ones. */
export const bulkWebsitePageSchema = z.object({ websites: z.array(bulkResultRowSchema), pages: z.number().int() })
