import { z } from 'zod'
import {
  bulkUpdateSchema,
  bulkCreatedSchema,
  bulkPreviewSchema,
  bulkResultSchema,
  bulkPatchSchema,
  MOST_AT_ONCE,
  MOST_DELETED,
  MOST_MADE,
} from '../shared/bulk.ts'
import { listNames } from '../shared/fields.ts'
import { MOST_LIST_FILE } from '../shared/list-text.ts'
import { websiteDraftSchema } from '../shared/website.ts'
import { command, key, nothing } from './command.ts'

const bulkKeys = z.array(key).max(MOST_AT_ONCE)

/** The commands of the contract (bridge.ts) that are about many websites at once. */
export const bulkCommands = {
  /** What would become of these websites; nothing is queued. */
  previewBulk: command(
    z.object({ keys: bulkKeys, change: bulkPatchSchema, page: z.number().int().min(1).max(100_000) }),
    bulkPreviewSchema,
  ),
  /** The lists that the service shows of none of these websites: no line can be added there or removed. */
  unseenLists: command(z.object({ keys: bulkKeys }), z.array(z.enum(listNames))),
  /** The same change for each of these websites, on disk when it answers; what kept one from it is told beside it. */
  bulkUpdate: command(z.object({ keys: bulkKeys, change: bulkUpdateSchema }), bulkResultSchema),
  /**
   * The text of a file with new websites, for the person to look over; main asks for the file. Null: the person thought better
   * of it. Errors: `not-read`, `file-too-large`, `not-text`.
   */
  openList: command(nothing, z.string().max(MOST_LIST_FILE).nullable()),
  /** Of these domains, as normalised, those that are in the list: a create of one of them would be refused. */
  takenDomains: command(z.object({ domains: z.array(z.string().max(255)).max(MOST_MADE) }), z.array(z.string())),
  /** Many new websites, on disk when it answers; what kept one from it is told beside its row. */
  bulkCreate: command(z.object({ drafts: z.array(websiteDraftSchema).max(MOST_MADE) }), bulkCreatedSchema),
  /** Each waits ten seconds for Undo before it's sent; what kept one from it is told beside it. */
  bulkDelete: command(z.object({ keys: bulkKeys.max(MOST_DELETED) }), bulkResultSchema),
  /**
   * Sets back what a bulk update has set, where nobody has changed it since, or takes back what a bulk create has made or
   * deleted and isn't sent; `edit-gone`: it isn't known any more.
   */
  undoBulk: command(z.object({ bulkChange: key }), bulkResultSchema),
  /** The person has read what came of what was done to many (`bulkChange` of the state). */
  dismissBulkChange: command(nothing, nothing),
} as const
