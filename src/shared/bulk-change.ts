import { z } from 'zod'
import { editKindSchema } from './edit.ts'
import type { bulkWebsiteResults } from './search.ts'

/** What has come of one of them; `back`: it wasn't sent, and won't be: taken back, given up, or overtaken by what was done since. */
export type BulkWebsiteResult = (typeof bulkWebsiteResults)[number]

/** How what was last done to many websites at once has come out so far; each of them is in one of the counts. */
export const bulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** When it was queued, in milliseconds since 1970, for display alone. */
  at: z.number(),
  websites: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  /** They need the person. */
  parked: z.number().int(),
  back: z.number().int(),
  /** It can be taken back as one: `undoBulk`. */
  canUndo: z.boolean(),
})
export type BulkChange = z.infer<typeof bulkChangeSchema>
