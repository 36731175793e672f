import { z } from 'zod'
import { listNames, type ListName } from './fields.ts'
import { appErrorSchema } from './result-schema.ts'
import { tidyLines } from './validate.ts'
import { fieldNames, passwordSchema, websiteSettingsSchema } from './website.ts'

export { MOST_AT_ONCE, MOST_DELETED } from './fields.ts'

/** As many are made at once. */
export const MOST_MADE = 1000
/** Of those that were refused, as many are named. */
export const MOST_REFUSED = 1000

/** Tidied once, as they come in: they are compared with those of each website. */
const lines = websiteSettingsSchema.shape.exclude_ips.transform(tidyLines)

/** What becomes of a list of lines: these and no others, or some come and some go. */
const linesChangeSchema = z.discriminatedUnion('how', [
  z.object({ how: z.literal('set'), lines }),
  z.object({ how: z.literal('edit'), add: lines, remove: lines }),
])
export type LinesChange = z.infer<typeof linesChangeSchema>

/** What becomes of many websites at once; a field that's left out stays as it is in each of them. */
export const bulkUpdateSchema = z
  .object({
    ...websiteSettingsSchema.shape,
    ...(Object.fromEntries(listNames.map((name) => [name, linesChangeSchema])) as Record<
      ListName,
      typeof linesChangeSchema
    >),
    password: passwordSchema,
  })
  .partial()
export type BulkUpdate = z.infer<typeof bulkUpdateSchema>

/** The same, looked at before it's done; `masked`: a password goes with it, which isn't given. */
export const bulkPatchSchema = bulkUpdateSchema.omit({ password: true }).extend({ masked: z.boolean().optional() })
export type BulkPatch = z.infer<typeof bulkPatchSchema>

/** One field of one website: as it is, and as it would be. A field that the service doesn't show has no `from`. */
export const differenceSchema = websiteSettingsSchema.partial()
export const bulkPreviewSchema = z.object({
  /** How many would change, would stay as they are, and can't be changed so. */
  changing: z.number().int(),
  same: z.number().int(),
  refused: z.number().int(),
  /** How many would be behind a password, and have none. */
  unlocked: z.number().int(),
  /** Those that would change, or can't, a page of them. */
  rows: z.array(
    z.object({
      key: z.string(),
      domain: z.string(),
      from: differenceSchema,
      to: differenceSchema,
      password: z.boolean(),
      error: appErrorSchema.nullable(),
    }),
  ),
  pages: z.number().int(),
})
export type BulkPreview = z.infer<typeof bulkPreviewSchema>
export type BulkRow = BulkPreview['rows'][number]

/** What became of it; `bulkChange` names it for {@link bulkResultSchema}'s undo. */
export const bulkResultSchema = z.object({
  bulkChange: z.string(),
  changed: z.number().int(),
  same: z.number().int(),
  /** Which websites were not changed, and why; the first of them. */
  refused: z.array(z.object({ key: z.string(), domain: z.string(), error: appErrorSchema })),
  /** Fields that can't be set back, because the service doesn't show what they were. */
  unknown: z.array(z.enum(fieldNames)),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

/** What became of many new websites; `row` counts from 0. */
export const bulkCreatedSchema = z.object({
  bulkChange: z.string(),
  created: z.number().int(),
  refused: z.array(z.object({ row: z.number().int(), error: appErrorSchema })),
})
export type BulkCreated = z.infer<typeof bulkCreatedSchema>
