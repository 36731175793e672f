import { z } from 'zod'
import { activityFilterSchema } from './activity.ts'

export const screens = ['websites', 'pending', 'activity', 'presets', 'account', 'settings'] as const
export type Screen = (typeof screens)[number]

/**
 * The screen to which the tray, a menu, a notification or a link leads. Opening it neither saves nor sends anything. `account`:
 * the id of the account that it is in; without it, the account that is shown.
 */
export const destinationSchema = z
  .discriminatedUnion('to', [
    z.object({ to: z.literal('screen'), screen: z.enum(screens) }),
    /** The search field of the list. */
    z.object({ to: z.literal('search') }),
    /** The activity, with only the entries that match a filter. */
    z.object({ to: z.literal('activity'), filter: activityFilterSchema }),
    /** The website with this domain, in the editor. */
    z.object({ to: z.literal('website'), domain: z.string().max(1000) }),
    /** The form for a new website with this domain. */
    z.object({ to: z.literal('add'), domain: z.string().max(1000) }),
    /** The question whether typed text may be lost, after which the app quits. */
    z.object({ to: z.literal('quit') }),
  ])
  .and(z.object({ account: z.string().min(1).max(100).optional() }))
export type Destination = z.infer<typeof destinationSchema>
