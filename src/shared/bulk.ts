import { z } from 'zod'
import { listNames, PRIVACY, settingNames, type ListName } from './fields.ts'
import { appErrorSchema, type AppError, type ErrorCode } from './result.ts'
import { tidyLines } from './validate.ts'
import { fieldNames, passwordSchema, websiteSettingsSchema } from './website.ts'

export { MAX_BULK_WEBSITES, MAX_BULK_DELETE } from './fields.ts'

/** Maximum number of websites that are created at once. */
export const MAX_BULK_CREATE = 1000
/** Maximum number of websites that a result lists by name, for example those that were refused. */
export const MAX_NAMED_WEBSITES = 1000

/** Tidied on input, because the lines are compared with those of each website. */
const lines = websiteSettingsSchema.shape.exclude_ips.transform(tidyLines)

/** A bulk edit's change of a list: replace it, or add and remove lines. */
const linesChangeSchema = z.discriminatedUnion('how', [
  z.object({ how: z.literal('set'), lines }),
  z.object({ how: z.literal('edit'), add: lines, remove: lines }),
])
export type LinesChange = z.infer<typeof linesChangeSchema>

/** A change to several websites. A field that is absent stays as it is in each of them. */
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

/** A {@link BulkUpdate} without its password, for a preview or a comparison. `masked`: a password would be set. */
export const bulkPatchSchema = bulkUpdateSchema.omit({ password: true }).extend({ masked: z.boolean().optional() })
export type BulkPatch = z.infer<typeof bulkPatchSchema>

/** The values of the changed fields, before (`from`) or after (`to`). `from` lacks fields that the service doesn't show. */
export const differenceSideSchema = websiteSettingsSchema.partial()
/** The effect that a bulk edit would have: numbers of websites, and one page of those that would change. */
export const bulkPreviewSchema = z.object({
  changing: z.number().int(),
  /** The number of websites that have the wanted values already. */
  same: z.number().int(),
  refused: z.number().int(),
  /** The number of websites that would be protected with a password but have none. */
  unlocked: z.number().int(),
  rows: z.array(
    z.object({
      key: z.string(),
      domain: z.string(),
      from: differenceSideSchema,
      to: differenceSideSchema,
      password: z.boolean(),
      error: appErrorSchema.nullable(),
    }),
  ),
  pages: z.number().int(),
})
export type BulkPreview = z.infer<typeof bulkPreviewSchema>
export type BulkPreviewRow = BulkPreview['rows'][number]

/** The result of a bulk change or of its undo. `bulkChange` is the id of the bulk change, for undo. */
export const bulkResultSchema = z.object({
  bulkChange: z.string(),
  /** The number of websites that were changed or, for an undo, whose change was or will be undone. */
  changed: z.number().int(),
  /** After an undo: the number of the `changed` websites for which something still has to be sent. */
  queued: z.number().int().optional(),
  /** After an undo: the number of further websites of which only the tags or the note were restored. */
  local: z.number().int().optional(),
  same: z.number().int(),
  refused: z.array(z.object({ key: z.string(), domain: z.string(), error: appErrorSchema })),
  /**
   * Present if an undo left out created or deleted websites because their creates or deletes were already sent: the number of
   * these websites and their first domains. Undoing them needs the user's consent.
   */
  sent: z
    .object({ kind: z.enum(['create', 'delete']), count: z.number().int(), domains: z.array(z.string()) })
    .optional(),
  /** After an undo: the domains of the websites that were left in full or in part, because their values were changed since. */
  changedSince: z.array(z.string()).optional(),
  /** The fields that an undo can't restore, because the service doesn't show their values. */
  unknown: z.array(z.enum(fieldNames)),
  /** The first domains of the websites with fields that an undo can't restore. */
  domainsWithUnknown: z.array(z.string()).optional(),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

const RETRYABLE_UNDO_ERRORS: readonly ErrorCode[] = ['disk-full', 'storage', 'in-use', 'domain-listed']
/** True if the undo of a bulk change can be tried again for a website that it has refused with this error. */
export const canRetryUndo = ({ code }: Pick<AppError, 'code'>): boolean => RETRYABLE_UNDO_ERRORS.includes(code)

/** The effect that copying would have on each website. */
export const copyPreviewSchema = z.array(
  z.object({
    key: z.string(),
    domain: z.string(),
    /**
     * `protected`: the copy needs a new password or another privacy. `exists`: the other account has the domain. `gone`: the
     * website no longer exists.
     */
    effect: z.enum(['copied', 'protected', 'exists', 'gone']),
    /** The settings that the service doesn't show. The copy gets their defaults. */
    unknown: z.array(z.enum(settingNames)),
  }),
)
export type AccountCopyPreview = z.infer<typeof copyPreviewSchema>

/** The privacy of the copies of protected websites, whose passwords cannot be read. Null: these websites are not copied. */
export const protectedCopyPrivacySchema = z
  .discriminatedUnion('privacy', [
    z.object({ privacy: z.literal(PRIVACY.password), password: passwordSchema.min(1) }),
    z.object({ privacy: z.literal([PRIVACY.public, PRIVACY.private]) }),
  ])
  .nullable()
export type ProtectedCopyPrivacy = z.infer<typeof protectedCopyPrivacySchema>

/** The result of copying websites. `bulkChange` is the id for undo. */
export const copyResultSchema = z.object({
  bulkChange: z.string(),
  created: z.number().int(),
  refused: z.array(z.object({ domain: z.string(), error: appErrorSchema })),
})
export type AccountCopyResult = z.infer<typeof copyResultSchema>

/** `row` counts from 0. */
export const bulkCreateResultSchema = z.object({
  bulkChange: z.string(),
  created: z.number().int(),
  refused: z.array(z.object({ row: z.number().int(), error: appErrorSchema })),
})
export type BulkCreateResult = z.infer<typeof bulkCreateResultSchema>
