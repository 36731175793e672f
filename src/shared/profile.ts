import { z } from 'zod'
import { bulkPreviewSchema, bulkWishSchema } from './bulk.ts'
import { MOST_PROFILE_NAME } from './fields.ts'
import { isProfileName } from './validate.ts'

/** What the person calls a profile, trimmed. */
const profileNameSchema = z.string().trim().max(MOST_PROFILE_NAME).refine(isProfileName)

/** What a profile sets, as a change of many websites says it; a password is in none. */
export const profileChangeSchema = bulkWishSchema.omit({ masked: true })
export type ProfileChange = z.infer<typeof profileChangeSchema>

/** A named set of settings: applied to websites, and compared with them. */
export const profileSchema = z.object({
  id: z.string().min(1).max(100),
  name: profileNameSchema,
  change: profileChangeSchema,
})
export type Profile = z.infer<typeof profileSchema>

/** Which websites aren't as a profile says. */
export const comparisonSchema = z.object({
  /** Websites in all; those that differ, and those of which nobody can tell, as the service doesn't show a field. */
  total: z.number().int(),
  differing: z.number().int(),
  unknown: z.number().int(),
  /** Those that differ, a page of them: as they are, and as the profile says. */
  rows: bulkPreviewSchema.shape.rows,
  pages: z.number().int(),
})
export type Comparison = z.infer<typeof comparisonSchema>
