import { z } from 'zod'
import { editKindSchema } from './edit.ts'
import type { bulkWebsiteResults } from './search.ts'

/** The result for one website; `back`: the edit will not be sent, because it was undone, discarded or replaced. */
export type BulkWebsiteResult = (typeof bulkWebsiteResults)[number]

/** The progress of the last bulk change. Each website is in one of the counts. */
export const bulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Time at which it was queued, in milliseconds since 1970, for display only. */
  at: z.number(),
  websites: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  parked: z.number().int(),
  back: z.number().int(),
  /** True if `undoBulk` can undo it. */
  canUndo: z.boolean(),
})
export type BulkChange = z.infer<typeof bulkChangeSchema>
