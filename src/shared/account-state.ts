import { z } from 'zod'
import { connectionViewSchema } from './connection.ts'
import { appErrorSchema } from './result.ts'

/** The state of a saved account, whether or not the window shows this account. */
export const accountStateSchema = connectionViewSchema.extend({
  /** False while the account's file isn't open, so that nothing is read or sent, for example because the account has no key. */
  running: z.boolean(),
  /** The error because of which the account's file can't be opened, deleted or used for sending, or null. */
  problem: appErrorSchema.nullable(),
  offline: z.boolean(),
  /** True if the account is offline because the service rejects all requests. */
  rejected: z.boolean(),
  /** The number of pending edits that aren't parked. */
  waiting: z.number().int(),
  parked: z.number().int(),
  /** True while there are pending edits that aren't parked, unless the plan's limit holds all of them. */
  sending: z.boolean(),
  /** True if a request that was given up may still take effect. */
  unconfirmed: z.boolean(),
  /** The number of changes that a late request overwrote, or the service saved differently, and the user hasn't seen. */
  mismatches: z.number().int(),
  /** True if a newer version of the app wrote the account's file. Nothing is changed or sent then. */
  readOnly: z.boolean(),
  /** True after the account's damaged file was replaced, with or without a backup, until the user dismisses the message. */
  restored: z.boolean(),
})
export type AccountState = z.infer<typeof accountStateSchema>
