import { z } from 'zod'
import { editKindSchema, historyEntrySchema, type HistoryEntry } from '../../../shared/edit.ts'
import { websiteSettingsSchema } from '../../../shared/website.ts'
import { saveSchema } from './edit.ts'

const settings = websiteSettingsSchema.partial()

/** What became of an edit, as it's kept; {@link HistoryEntry} has the words for each field. No secret is in it. */
export const historyRecordSchema = z.object({
  /** That of the edit. */
  id: z.string(),
  /** Local key of the website, which may be gone. */
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  became: historyEntrySchema.shape.became,
  settings,
  password: z.boolean(),
  before: settings,
  overwritten: settings,
  ignored: settings,
  /** What is ignored was read later than it was sent: somebody else may have set it. */
  isRead: z.boolean().optional(),
  at: z.number(),
  /** The saves of the user that went into it and were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** It only took back an earlier save. */
  isUndo: z.boolean().optional(),
  /** Undone, put back: neither is done twice. */
  undone: z.boolean(),
  putBack: z.boolean(),
})
export type HistoryRecord = z.infer<typeof historyRecordSchema>
export type Became = HistoryEntry['became']
