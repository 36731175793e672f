import { z } from 'zod'
import { activityFilterSchema } from './activity.ts'

export const screens = ['websites', 'pending', 'activity', 'presets', 'account', 'settings'] as const
export type Screen = (typeof screens)[number]

/**
 * The screen to which the tray, a menu, a notification or a link leads. Opening it neither saves nor sends anything. `account`:
 * the id of the account to show; by default the one that is shown already.
 */
export const destinationSchema = z
  .discriminatedUnion('to', [
    z.object({ to: z.literal('screen'), screen: z.enum(screens) }),
    z.object({ to: z.literal('search') }),
    z.object({ to: z.literal('activity'), filter: activityFilterSchema }),
    z.object({ to: z.literal('website'), domain: z.string().max(1000) }),
    z.object({ to: z.literal('add'), domain: z.string().max(1000) }),
    /** Asks whether unsaved text may be lost, then quits the app. */
    z.object({ to: z.literal('quit') }),
  ])
  .and(z.object({ account: z.string().min(1).max(100).optional() }))
export type Destination = z.infer<typeof destinationSchema>
