import { z } from 'zod'
import { editKindSchema, historyEntrySchema, type HistoryEntry } from '../../../shared/edit.ts'
import { websiteSettingsSchema } from '../../../shared/website.ts'
import { saveSchema } from './edit.ts'

const settings = websiteSettingsSchema.partial()

/** The stored result of an edit; {@link HistoryEntry} describes each field. It contains no secret. */
export const historyRecordSchema = z.object({
  id: z.string(),
  /** Local key of the website, which may no longer exist. */
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  became: historyEntrySchema.shape.became,
  settings,
  password: z.boolean(),
  before: settings,
  overwritten: settings,
  ignored: settings,
  /** True if `ignored` comes from a later read instead of the response: another client may have set these values. */
  isRead: z.boolean().optional(),
  at: z.number(),
  /** Place among all saves, if the edit is a save of the user. Earlier versions stored the time, which gives the same order. */
  changedAt: z.number().optional(),
  /** The user's saves in the edit that were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** True if the edit only undid an earlier save. */
  isUndo: z.boolean().optional(),
  undone: z.boolean(),
  /** True once the overwritten values were restored. */
  putBack: z.boolean(),
})
export type HistoryRecord = z.infer<typeof historyRecordSchema>
/** How an edit ended, such as `sent` or `discarded`. */
export type EditResult = HistoryEntry['became']
