import { z } from 'zod'
import { errorCodeSchema } from './result.ts'

/** The parts of a working set-up, in the order in which the app checks them. */
export const setUpParts = ['disk', 'clock', 'keychain', 'address', 'tls', 'key', 'tray', 'notifications'] as const

/**
 * `good` · `bad` · `absent`: not available and not required · `unknown`: not checked, because an earlier part failed or
 * nothing uses it. `code`: the reason for `bad` or `unknown`, if there is one.
 */
export const setUpCheckSchema = z.object({
  part: z.enum(setUpParts),
  found: z.enum(['good', 'bad', 'absent', 'unknown']),
  code: errorCodeSchema.nullable(),
})
export type SetUpCheck = z.infer<typeof setUpCheckSchema>
