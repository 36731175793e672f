import { z } from 'zod'
import { jsonSchema } from './json.ts'

/** The account (docs/service.md#account-record). Fields that this schema doesn't name are in `extra`. */
export const accountSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  avatar_url: z.string().optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
  created_at: z.string().optional(),
  plan: z
    .object({
      id: z.string().optional(),
      name: z.string().optional(),
      /** The features of the plan as the service returned them; `websites` is a number, -1 means unlimited. */
      features: z.record(z.string(), jsonSchema),
      extra: z.record(z.string(), jsonSchema),
    })
    .optional(),
  extra: z.record(z.string(), jsonSchema),
})
export type Account = z.infer<typeof accountSchema>

/** The account as the window shows it. */
export const accountViewSchema = z.object({
  account: accountSchema,
  /** When the account was read from the service, in milliseconds since 1970, for display alone. */
  seenAt: z.number(),
})
export type AccountView = z.infer<typeof accountViewSchema>
