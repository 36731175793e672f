import { z } from 'zod'
import { errorCodeSchema } from './result.ts'

const version = z.string().max(40)
const error = errorCodeSchema.nullable()

/**
 * The progress of an update of the app:
 *
 *     none -> found -> downloading -> ready -> restarting
 *               ^___________/ (error)
 */
export const updateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none'), error }),
  z.object({ state: z.literal('found'), version, error }),
  z.object({ state: z.literal('downloading'), version }),
  /** The update is downloaded and verified. It is installed when the app quits. */
  z.object({ state: z.literal('ready'), version }),
  /** The user wants the update now. The app restarts as soon as nothing is being sent. */
  z.object({ state: z.literal('restarting'), version }),
])
export type AppUpdate = z.infer<typeof updateSchema>
