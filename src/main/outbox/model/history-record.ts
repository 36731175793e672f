import { z } from 'zod'
import { editKindSchema, historyEntrySchema, type HistoryEntry } from '../../../shared/edit.ts'
import { websiteSettingsSchema } from '../../../shared/website.ts'
import { saveSchema } from './edit.ts'

const settings = websiteSettingsSchema.partial()

/** The stored result of an edit; {@link HistoryEntry} describes each field. It contains no secret. */
export const historyRecordSchema = z.object({
  /** The id of the edit. */
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
  /** True if the ignored values were read later than the edit was sent: another client may have set them. */
  isRead: z.boolean().optional(),
  at: z.number(),
  /**
   * The place of the edit among all saves, for "Undo the last change" alone. Only a save of the user has one. Earlier versions
   * stored the time of the edit here, which gives the same order unless the clock was set back.
   */
  changedAt: z.number().optional(),
  /** The saves of the user that went into it and were not undone, the oldest first. */
  saves: z.array(saveSchema).optional(),
  /** True if it only undid an earlier save. */
  isUndo: z.boolean().optional(),
  /** True once the record was undone (`undone`) or its overwritten values were restored (`putBack`). Neither is done twice. */
  undone: z.boolean(),
  putBack: z.boolean(),
})
export type HistoryRecord = z.infer<typeof historyRecordSchema>
/** The result of an edit that has left the outbox; see {@link HistoryEntry}. */
export type EditResult = HistoryEntry['became']
