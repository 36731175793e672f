import { z } from 'zod'
import { MAX_WEBSITES } from './fields.ts'
import { savedViewSchema } from './saved-view.ts'
import { MAX_STORED_NOTE, MAX_TAGS, tagColors } from './tags.ts'
import { isTagName } from './validate.ts'

export const tagNameSchema = z.string().trim().refine(isTagName)
/**
 * A tag of an account, which stays on this computer. Names are compared without case. The database and settings files contain
 * `colour` under this name.
 */
export const tagSchema = z.object({ name: tagNameSchema, colour: z.enum(tagColors) })
export type Tag = z.infer<typeof tagSchema>
export const noteSchema = z.string().max(MAX_STORED_NOTE)

/** The tags and the note of a website. They belong to its domain, so that they outlive a deletion on the service. */
export const websiteLocalDataSchema = z.object({
  tags: z.array(tagNameSchema).max(MAX_TAGS),
  note: noteSchema,
})
export type WebsiteLocalData = z.infer<typeof websiteLocalDataSchema>

/** Returns the tags and the note of a website, each only if there are any. */
export const nonEmptyLocalData = (local: WebsiteLocalData | null): Partial<WebsiteLocalData> => ({
  ...(local && local.tags.length > 0 && { tags: local.tags }),
  ...(local?.note && { note: local.note }),
})

/** The tags, notes and views of an account, which stay on this computer. */
export const localDataSchema = z.object({
  tags: z.array(tagSchema).max(MAX_TAGS),
  websites: z.array(websiteLocalDataSchema.extend({ domain: z.string().min(1).max(2048) })).max(MAX_WEBSITES),
  views: z.array(savedViewSchema),
})
export type LocalData = z.infer<typeof localDataSchema>
