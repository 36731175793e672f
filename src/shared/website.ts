import { z } from 'zod'
import { jsonSchema } from './json.ts'
import {
  fieldNames,
  fieldTable,
  mapSettings,
  isWebsiteId,
  MAX_PRESET_NAME,
  MAX_SEARCH_TEXT,
  MAX_INPUT,
  perPageValues,
  sortFieldNames,
  type SettingName,
  type WebsiteSettings,
  websiteStates,
} from './fields.ts'
import { MAX_TAG_NAME } from './tags.ts'
import { choiceFilterValues, MAX_NOTE_SEARCH, type ChoiceFilterName, type Filter } from './search.ts'

export { createDefaults, fieldNames, MAX_WEBSITES, PRIVACY, settingNames, type FieldName } from './fields.ts'
export type { SettingName, WebsiteSettings } from './fields.ts'

const perPageSchema = z.literal(perPageValues)

/** Number of websites on a page of the app's list. `all`: all websites are on one page. */
export const pageSizeSchema = z.union([perPageSchema, z.literal('all')])
export type PageSize = z.infer<typeof pageSizeSchema>

/** Query parameters of the service's list (docs/interface.md#the-list), all with defaults. The app's own list takes them too. */
export const listQuerySchema = z.object({
  search: z.string().max(MAX_SEARCH_TEXT).default(''),
  search_by: z.literal('domain').default('domain'),
  sort_by: z.enum(sortFieldNames).default('id'),
  sort: z.enum(['desc', 'asc']).default('desc'),
  per_page: perPageSchema.default(10),
})
export type ListQuery = z.infer<typeof listQuerySchema>

const choiceSchemas = (Object.keys(choiceFilterValues) as ChoiceFilterName[]).map((name) =>
  z.object({ name: z.literal(name), value: z.enum(choiceFilterValues[name]), not: z.boolean() }),
)

/** The schema of a {@link Filter}. */
export const filterSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('ip'), value: z.string().min(1).max(50), not: z.boolean() }),
  z.object({ name: z.literal('created'), value: z.string().min(1).max(50), not: z.boolean() }),
  z.object({ name: z.literal('differs'), value: z.string().min(1).max(MAX_PRESET_NAME), not: z.boolean() }),
  z.object({ name: z.literal('tag'), value: z.string().min(1).max(MAX_TAG_NAME), not: z.boolean() }),
  z.object({ name: z.literal('note'), value: z.string().min(1).max(MAX_NOTE_SEARCH), not: z.boolean() }),
  ...choiceSchemas,
]) as z.ZodType as z.ZodType<Filter>

export const passwordSchema = z.string().max(MAX_INPUT.password)
const lines = z.array(z.string().max(MAX_INPUT.line)).max(MAX_INPUT.lines)

export const websiteSettingsSchema = z.object(
  mapSettings(schemaOf) as unknown as { [N in SettingName]: z.ZodType<WebsiteSettings[N]> },
)
export type Privacy = WebsiteSettings['privacy']

function schemaOf(name: SettingName): z.ZodType {
  const field = fieldTable[name]
  if (field.kind === 'choice') return z.literal(Object.values(field.choices))
  return field.kind === 'switch' ? z.boolean() : lines
}

/** The fields of "Update a website". Only the given fields are sent (PUT is partial). */
export const websiteChangesSchema = websiteSettingsSchema.partial().extend({ password: passwordSchema.optional() })
export type WebsiteChanges = z.infer<typeof websiteChangesSchema>

/** The values that the user saw when they began to type. Other clients may have changed them since (docs/sync.md#merging). */
export const seenSettingsSchema = websiteSettingsSchema.partial()
export type SeenSettings = z.infer<typeof seenSettingsSchema>

/** A new website as the user has typed it. */
export const websiteDraftSchema = websiteSettingsSchema.extend({
  domain: z.string().max(2048),
  password: passwordSchema.optional(),
})
export type WebsiteDraft = z.infer<typeof websiteDraftSchema>

/**
 * The service's id: opaque text, even if the service uses numbers. It becomes part of a request's path ({@link
 * isWebsiteId}).
 */
export const websiteIdSchema = z.string().min(1).max(1000).refine(isWebsiteId)

/**
 * A website record as the app stores it. A key is absent if the service does not show that field; a list that was null is empty
 * (docs/service.md#website-record). The service's answers are read tolerantly instead of with this schema
 * (src/main/service/fields.ts).
 */
export const websiteRecordSchema = z.object({
  id: websiteIdSchema,
  domain: z.string(),
  ...websiteSettingsSchema.partial().shape,
  /** True if a password is set; the password itself is never returned. */
  password: z.boolean().optional(),
  /** Times are texts, as the service wrote them. */
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  /** Fields that are not in docs/interface.md#website-fields: kept, shown read-only, never sent. */
  extra: z.record(z.string(), jsonSchema),
})
export type WebsiteRecord = z.infer<typeof websiteRecordSchema>

const websiteStateSchema = z.enum(websiteStates)
export type WebsiteState = z.infer<typeof websiteStateSchema>

/** A row of the view: the replica's record with the pending edits applied. */
export const websiteViewSchema = websiteRecordSchema.omit({ id: true }).extend({
  /** The permanent local key, to which edits refer. */
  key: z.string(),
  /** The service's id; null until the create is applied. */
  id: z.string().nullable(),
  state: websiteStateSchema,
  /** The tags and the note, which stay on this computer. Absent if there are none. */
  tags: z.array(z.string()).optional(),
  note: z.string().optional(),
  pending: z.array(z.enum(fieldNames)),
})
export type WebsiteView = z.infer<typeof websiteViewSchema>

/** A page of the list of websites, with the counts of all. */
export const websitePageSchema = z.object({
  websites: z.array(websiteViewSchema),
  /** The number of websites that match, on all pages. */
  matching: z.number().int(),
  /** The number of all websites, whether they match or not. */
  total: z.number().int(),
  page: z.number().int(),
  pages: z.number().int(),
})
export type WebsitePage = z.infer<typeof websitePageSchema>
