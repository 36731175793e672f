import { z } from 'zod'
import { errorCodeSchema } from './result-schema.ts'

const version = z.string().max(40)
/** What went wrong the last time. */
const error = errorCodeSchema.nullable()

/**
 * How far a newer version of the app has come:
 *
 *     none -> found -> downloading -> ready -> restarting
 *               ^___________/ (error)
 */
export const updateSchema = z.discriminatedUnion('state', [
  /** None is known of. */
  z.object({ state: z.literal('none'), error }),
  z.object({ state: z.literal('found'), version, error }),
  z.object({ state: z.literal('downloading'), version }),
  /** It's here, verified, and installed when the app quits. */
  z.object({ state: z.literal('ready'), version }),
  /** The same, at the person's word: as soon as nothing is being sent. */
  z.object({ state: z.literal('restarting'), version }),
])
export type Update = z.infer<typeof updateSchema>
