import { z } from 'zod'
import { errorCodeSchema } from './result-schema.ts'

/** What a working set-up stands on, in the order in which it's looked at. */
export const setUpParts = ['disk', 'clock', 'keychain', 'address', 'tls', 'key', 'tray', 'notifications'] as const

/**
 * `good` · `bad` · `absent`: it isn't there, and the app does without · `unknown`: it can't be told, as something before it is bad or
 * nothing asks it. `code` says why it's bad or unknown, where there's one.
 */
export const setUpCheckSchema = z.object({
  part: z.enum(setUpParts),
  found: z.enum(['good', 'bad', 'absent', 'unknown']),
  code: errorCodeSchema.nullable(),
})
export type SetUpCheck = z.infer<typeof setUpCheckSchema>
