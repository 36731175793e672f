import { z } from 'zod'
import { privacySchema, seenSettingsSchema } from './website.ts'

const list = z.string().max(200_000)

/** What was typed into the editor and isn't saved. A password has no field here: it's typed anew. */
export const unfinishedFormSchema = z.strictObject({
  /** Null: a website to be created. */
  website: z.string().min(1).max(100).nullable(),
  typed: z.strictObject({
    domain: z.string().max(2048).optional(),
    privacy: privacySchema.optional(),
    email: z.boolean().optional(),
    exclude_bots: z.boolean().optional(),
    exclude_ips: list.optional(),
    exclude_params: list.optional(),
  }),
  /** What the website had in these fields as they were typed over. */
  seen: seenSettingsSchema,
  cleared: z.array(z.enum(['exclude_ips', 'exclude_params'])).max(2),
})
export type UnfinishedForm = z.infer<typeof unfinishedFormSchema>

/** What the person is in the middle of: kept in main's memory, for a page that is let go or ends by itself. */
export const unfinishedSchema = z.object({
  form: unfinishedFormSchema.nullable(),
  /** Something is under way that can't be kept so, a secret that is being typed above all: the page isn't let go. */
  held: z.boolean(),
})
export type Unfinished = z.infer<typeof unfinishedSchema>
