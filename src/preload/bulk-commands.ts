import { z } from 'zod'
import {
  bulkUpdateSchema,
  bulkCreateResultSchema,
  bulkPreviewSchema,
  bulkResultSchema,
  bulkPatchSchema,
  copyResultSchema,
  copyPreviewSchema,
  MAX_BULK_WEBSITES,
  MAX_BULK_DELETE,
  MAX_BULK_CREATE,
  protectedCopyPrivacySchema,
} from '../shared/bulk.ts'
import { bulkWebsitePageSchema } from '../shared/bulk-change.ts'
import { listNames } from '../shared/fields.ts'
import { namedAddressSchema } from '../shared/named-address.ts'
import { listComparisonSchema, MAX_COMPARED } from '../shared/list-comparison.ts'
import { MAX_LIST_FILE } from '../shared/list-text.ts'
import { tableGroups, tablePageSchema, tableResultSchema, tableSummarySchema } from '../shared/table.ts'
import { websiteDraftSchema } from '../shared/website.ts'
import { command, key, noValue, page } from './command.ts'

const bulkKeys = z.array(key).max(MAX_BULK_WEBSITES)
const copiedKeys = bulkKeys.max(MAX_BULK_CREATE)

/** The commands of the contract (bridge.ts) for several websites at once. */
export const bulkCommands = {
  /** Returns what a change would do to the websites, without queuing anything. */
  previewBulk: command(z.object({ keys: bulkKeys, change: bulkPatchSchema, page }), bulkPreviewSchema),
  /** Returns the lists that the service shows for none of the websites. Lines can't be added to or removed from these. */
  unseenLists: command(z.object({ keys: bulkKeys }), z.array(z.enum(listNames))),
  /** Queues the same change for each website, and returns when all are on disk. Errors are reported by website. */
  bulkUpdate: command(z.object({ keys: bulkKeys, change: bulkUpdateSchema }), bulkResultSchema),
  /** Asks for a file and returns its text; null if the user canceled. Errors: `not-read`, `file-too-large`, `not-text`. */
  openList: command(noValue, z.string().max(MAX_LIST_FILE).nullable()),
  /** Copies the domains of the websites to the clipboard, one on each line. Returns the number of domains. */
  copyDomains: command(z.object({ keys: bulkKeys }), z.number().int()),
  /** Returns those of the normalized domains that are already in the list, and can therefore not be created. */
  takenDomains: command(z.object({ domains: z.array(z.string().max(255)).max(MAX_BULK_CREATE) }), z.array(z.string())),
  /**
   * Finds the websites whose exclude list has all of these addresses. Errors: `no-connection`, `storage`.
   * `keys`: these websites, up to the limit of a bulk change; `leftOut`: the number beyond it.
   * `lines`: every spelling of the addresses in their lists.
   * `partial`: the number of websites with only some of the addresses.
   * `unknown`: the number of websites whose list the service doesn't show.
   * `others`: the other open accounts with websites that have all of the addresses.
   */
  findAddresses: command(
    namedAddressSchema.pick({ lines: true }),
    z.object({
      ...{ keys: z.array(z.string()), lines: z.array(z.string()) },
      ...{ leftOut: z.number().int(), partial: z.number().int(), unknown: z.number().int() },
      others: z.array(z.object({ account: z.string(), count: z.number().int() })),
    }),
  ),
  /** Compares normalized domains with the websites. Changes nothing. Errors: `storage`. */
  compareList: command(z.object({ domains: z.array(z.string().max(255)).max(MAX_COMPARED) }), listComparisonSchema),
  /** Queues the creates, and returns when all are on disk. Errors are reported by row. */
  bulkCreate: command(z.object({ drafts: z.array(websiteDraftSchema).max(MAX_BULK_CREATE) }), bulkCreateResultSchema),
  /** Queues the deletes. Each waits ten seconds for Undo before it can be sent. Errors are reported by website. */
  bulkDelete: command(z.object({ keys: bulkKeys.max(MAX_BULK_DELETE) }), bulkResultSchema),
  /**
   * Undoes a bulk change: updates, as far as the values have not changed since, and creates and deletes that aren't sent yet. For
   * those that were sent, the answer has `sent`.
   * `agreed`: in a second call, the user has agreed to undo the sent ones too.
   * `account`: the account of the bulk change, if it isn't shown.
   * `edit-gone`: the bulk change is no longer known.
   */
  undoBulk: command(
    z.object({ bulkChange: key, account: key.optional(), agreed: z.boolean().optional() }),
    bulkResultSchema,
  ),
  /** Returns what a copy of websites to another account would do, without queuing anything. Errors: `no-connection`, `storage`. */
  previewCopy: command(z.object({ keys: copiedKeys, account: key }), copyPreviewSchema),
  /**
   * Queues copies of websites in another account, and returns when all are on disk. Domains that exist there are skipped. Errors:
   * `no-connection`, `storage`; all others are reported by website.
   */
  copyWebsites: command(
    z.object({ keys: copiedKeys, account: key, protectedAs: protectedCopyPrivacySchema }),
    copyResultSchema,
  ),
  /**
   * Asks for an exported table that was edited, and compares it with the list. Queues nothing. Null if the user canceled. Errors:
   * `not-read`, `not-text`, `not-a-table`, `unmatched-quotes`, `table-too-large`.
   */
  openTable: command(noValue, tableSummarySchema.nullable()),
  /** Compares the opened table with the list again. Errors: `edit-gone`, `no-connection`, `storage`. */
  compareTable: command(noValue, tableSummarySchema),
  listTable: command(z.object({ group: z.enum(tableGroups), page }), tablePageSchema),
  /** Queues what the opened table changes and adds, as one bulk change, then closes the table unless that failed. */
  applyTable: command(noValue, tableResultSchema),
  closeTable: command(noValue, noValue),
  listBulkWebsites: command(z.object({ page }), bulkWebsitePageSchema),
  /** Clears `bulkChange` of the state, the result of the last bulk change. */
  dismissBulkChange: command(noValue, noValue),
} as const
