import { z } from 'zod'
import { jsonSchema } from './json.ts'
import {
  fieldNames,
  fieldTable,
  forEachSetting,
  isWebsiteId,
  MOST_PRESET_NAME,
  MOST_SEARCHED,
  MOST_TYPED,
  sortNames,
  type SettingName,
  type WebsiteSettings,
  websiteStates,
} from './fields.ts'
import { bulkWebsiteResults, filterValues, type ChoiceName, type Filter } from './search.ts'

export { createDefaults, fieldNames, MOST_WEBSITES, PRIVACY, settingNames, type FieldName } from './fields.ts'
export type { SettingName, WebsiteSettings } from './fields.ts'

const perPageSchema = z.literal([10, 25, 50, 100])

/** The list may be shown on one page, whatever the service's own pages are. */
export const pageSizeSchema = z.union([perPageSchema, z.literal('all')])
export type PageSize = z.infer<typeof pageSizeSchema>

/** Query parameters of The list (docs/interface.md#the-list), all optional there, all decided here. */
export const listQuerySchema = z.object({
  search: z.string().max(MOST_SEARCHED).default(''),
  search_by: z.literal('domain').default('domain'),
  sort_by: z.enum(sortNames).default('id'),
  sort: z.enum(['desc', 'asc']).default('desc'),
  per_page: perPageSchema.default(10),
})
export type ListQuery = z.infer<typeof listQuerySchema>

const choiceSchemas = (Object.keys(filterValues) as ChoiceName[]).map((name) =>
  z.object({ name: z.literal(name), value: z.enum(filterValues[name]), not: z.boolean() }),
)

/** A filter of the list (search.ts). */
export const filterSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('ip'), value: z.string().min(1).max(50), not: z.boolean() }),
  z.object({ name: z.literal('differs'), value: z.string().min(1).max(MOST_PRESET_NAME), not: z.boolean() }),
  ...choiceSchemas,
]) as z.ZodType as z.ZodType<Filter>

export const passwordSchema = z.string().max(MOST_TYPED.password)
const lines = z.array(z.string().max(MOST_TYPED.line)).max(MOST_TYPED.lines)

/** The fields of a website that can be written, but for `domain` (create only) and `password` (secret). */
export const websiteSettingsSchema = z.object(
  forEachSetting(schemaOf) as unknown as { [N in SettingName]: z.ZodType<WebsiteSettings[N]> },
)
export type Privacy = WebsiteSettings['privacy']

function schemaOf(name: SettingName): z.ZodType {
  const field = fieldTable[name]
  if (field.kind === 'choice') return z.literal(Object.values(field.choices))
  return field.kind === 'switch' ? z.boolean() : lines
}

/** What "Update a website" may carry: only what is given is sent (PUT is partial). */
export const websiteChangesSchema = websiteSettingsSchema.partial().extend({ password: passwordSchema.optional() })
export type WebsiteChanges = z.infer<typeof websiteChangesSchema>

/**
 * What the fields of changes were when the person began to change them: others may have written since
 * (docs/sync.md#merging).
 */
export const seenSettingsSchema = websiteSettingsSchema.partial()
export type SeenSettings = z.infer<typeof seenSettingsSchema>

/** What "Create a website" carries. */
export const websiteDraftSchema = websiteSettingsSchema.extend({
  domain: z.string().max(2048),
  password: passwordSchema.optional(),
})
export type WebsiteDraft = z.infer<typeof websiteDraftSchema>

/**
 * The service's id: opaque; a number on some hosts, kept as text. From wherever it comes, it goes into the path of a request
 * ({@link isWebsiteId}).
 */
export const websiteIdSchema = z.string().min(1).max(1000).refine(isWebsiteId)

/**
 * A website record as the service returned it, read tolerantly. A key that is absent here was absent there: the
 * service doesn't show that field (docs/service.md#website-record). A list that was null is empty.
 */
export const websiteRecordSchema = z.object({
  id: websiteIdSchema,
  domain: z.string(),
  ...websiteSettingsSchema.partial().shape,
  /** Whether a password is set; the password itself is never returned. */
  password: z.boolean().optional(),
  /** As the service wrote it. */
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  /** Fields that docs/interface.md#website-fields doesn't know: kept, shown read-only, never sent. */
  extra: z.record(z.string(), jsonSchema),
})
export type WebsiteRecord = z.infer<typeof websiteRecordSchema>

const websiteStateSchema = z.enum(websiteStates)
export type WebsiteState = z.infer<typeof websiteStateSchema>

/** What others did to a field; of a list whose lines were shown before and after, how many came and went. */
const changedFieldSchema = z.object({
  name: z.enum(fieldNames),
  added: z.number().int().optional(),
  removed: z.number().int().optional(),
})
export type ChangedField = z.infer<typeof changedFieldSchema>

/**
 * What others did to a website since the person looked at it; `at` in milliseconds since 1970, for display alone. `fields`:
 * where it was changed; none where that can't be seen. Absent: nobody knows.
 */
export const remoteChangeSchema = z.object({
  what: z.enum(['added', 'changed']),
  at: z.number(),
  fields: z.array(changedFieldSchema).optional(),
})
export type RemoteChange = z.infer<typeof remoteChangeSchema>

/** Websites that aren't in the list: how many, and the domains of the first. */
export const someDomainsSchema = z.object({ count: z.number().int(), domains: z.array(z.string()) })
export type SomeDomains = z.infer<typeof someDomainsSchema>

/** A row of the view: the replica's record with the pending edits applied. */
export const websiteViewSchema = websiteRecordSchema.omit({ id: true }).extend({
  remoteChange: remoteChangeSchema.optional(),
  /** Permanent local key; edits refer to it. */
  key: z.string(),
  /** The service's id; null until it's created there. */
  id: z.string().nullable(),
  state: websiteStateSchema,
  /** The fields that wait to be sent. */
  pending: z.array(z.enum(fieldNames)),
  /** Where those of a bulk change are asked for: what has come of it. */
  bulkResult: z.enum(bulkWebsiteResults).optional(),
})
export type WebsiteView = z.infer<typeof websiteViewSchema>

export const websitePageSchema = z.object({
  websites: z.array(websiteViewSchema),
  /** Websites that match the search, on all pages. */
  matching: z.number().int(),
  /** Websites in all. */
  total: z.number().int(),
  /** Of all, those that others added or changed, and that the person hasn't looked at. */
  remoteChanges: z.number().int(),
  /** That others deleted since the person looked; absent: none. */
  deletedRemotely: someDomainsSchema.optional(),
  /** Where those of a bulk change are asked for: that are of it too; absent: none. */
  gone: someDomainsSchema.optional(),
  page: z.number().int(),
  pages: z.number().int(),
})
export type WebsitePage = z.infer<typeof websitePageSchema>
