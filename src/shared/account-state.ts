import { z } from 'zod'
import { connectionViewSchema } from './connection.ts'
import { appErrorSchema } from './result.ts'

/** The state of one saved account, whether the window shows it or not. */
export const accountStateSchema = connectionViewSchema.extend({
  /**
   * False while the account's file is not open: it has no key and is not shown, is not opened yet, or can't be opened. Nothing is
   * read or sent then.
   */
  running: z.boolean(),
  /** The error that keeps the account's file from being opened or written, or null. */
  problem: appErrorSchema.nullable(),
  offline: z.boolean(),
  /** True if it is offline because the service rejects all requests. */
  rejected: z.boolean(),
  /** The number of pending edits that aren't parked. */
  waiting: z.number().int(),
  /** The number of edits that need attention. */
  parked: z.number().int(),
  /** True while edits that aren't parked are pending, unless the plan's limit holds all of them. */
  sending: z.boolean(),
  /** True if a request that was given up may still take effect. */
  unconfirmed: z.boolean(),
  /** The number of changes that the service saved differently, or a late request changed, and that the user hasn't seen. */
  mismatches: z.number().int(),
  /** True if a newer version wrote the account's file. Everything is shown and can be exported, and nothing is changed or sent. */
  readOnly: z.boolean(),
  /** True if the account's file was damaged and replaced, with or without a backup, until the user dismisses that. */
  restored: z.boolean(),
})
export type AccountState = z.infer<typeof accountStateSchema>
