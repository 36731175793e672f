import { z } from 'zod'
import { editKindSchema, historyEntrySchema, resolveWaySchema, sideSchema, waitReasonSchema } from './edit.ts'
import { fieldNames, websiteSettingsSchema } from './website.ts'

/**
 * The kinds of entries about the user's own edits.
 * `delivered`: the service has the change. `failed`: the edit was parked.
 * `resolved`: the user decided about the edit. `undone`: the change was taken back.
 */
export const ownKinds = ['delivered', 'failed', 'resolved', 'undone'] as const
/** The kinds of entries about changes by other clients. */
export const remoteKinds = ['added', 'changed', 'deleted'] as const
/** The kinds of entries about own edits and about remote changes. */
export const activityKinds = [...ownKinds, ...remoteKinds] as const
const activityKindSchema = z.enum(activityKinds)
export type ActivityKind = z.infer<typeof activityKindSchema>

/** `own`: made on this computer; `remote`: made by another client. */
export const authors = ['own', 'remote'] as const
export type Author = (typeof authors)[number]

/** A step of an own edit: the edit was parked (`reason` says why), or the user decided about it (`way` says how). */
export const editStepSchema = z.object({
  kind: editKindSchema,
  reason: waitReasonSchema.optional(),
  way: resolveWaySchema.optional(),
})
export type EditStep = z.infer<typeof editStepSchema>

/** A remote change of a website. In `before` and `after`, `password` is true if the website had a password. */
export const remoteDetailSchema = z.object({
  /** The fields that differ. Empty if another client changed something that the service doesn't show. */
  fields: z.array(z.enum(fieldNames)),
  before: sideSchema,
  after: sideSchema,
})
export type RemoteDetail = z.infer<typeof remoteDetailSchema>

/** An entry of the activity. Has exactly one of `edit` (the result of an own edit), `step` and `remote`. Has no secret. */
const activityEntrySchema = z.object({
  /** The number of the entry. Later entries have higher numbers. */
  n: z.number().int(),
  kind: activityKindSchema,
  /** The local key of the website, or null if it no longer exists. */
  website: z.string().nullable(),
  domain: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  edit: historyEntrySchema.optional(),
  step: editStepSchema.optional(),
  remote: remoteDetailSchema.optional(),
})
export type ActivityEntry = z.infer<typeof activityEntrySchema>

/** The position of an entry in the list, which is sorted by time (`at`) and then by number (`n`), the latest first. */
const entryPlaceSchema = z.object({ at: z.number(), n: z.number().int() })

/** The groups in which a notification counts remote changes. `published` has those that made a website public. */
const remoteGroups = ['added', 'changed', 'published', 'deleted'] as const
export type RemoteGroup = (typeof remoteGroups)[number]

/** A filter of the activity. An entry is listed if it meets all conditions. Times are in milliseconds since 1970. */
export const activityFilterSchema = z.object({
  website: z.string().min(1).max(200).optional(),
  domain: z.string().max(2048).optional(),
  kind: activityKindSchema.optional(),
  author: z.enum(authors).optional(),
  /** Inclusive. */
  from: z.number().optional(),
  /** Exclusive. */
  until: z.number().optional(),
  /**
   * Selects the remote changes that a notification has counted: entries of these `groups`, not earlier than the time `since`,
   * with a number above `after` and at most `until`.
   */
  notified: z
    .object({
      since: z.number(),
      after: z.number().int(),
      until: z.number().int(),
      groups: z.array(z.enum(remoteGroups)).max(remoteGroups.length),
    })
    .optional(),
})
export type ActivityFilter = z.infer<typeof activityFilterSchema>

const limit = z.number().int().min(1).max(100)

/**
 * Asks for a page of the entries that match a filter, starting below the place `after`. With `results`, asks instead for a page
 * of the results of own edits, the last stored first, without the first `offset` results.
 */
export const activityQuerySchema = z.union([
  z.object({
    results: z.literal(true),
    website: activityFilterSchema.shape.website,
    offset: z.number().int().min(0).max(100_000).optional(),
    limit,
  }),
  activityFilterSchema.extend({ after: entryPlaceSchema.optional(), limit }),
])
export type ActivityQuery = z.infer<typeof activityQuerySchema>

/** `next`: the place to continue from, or null on the last page. */
export const activityPageSchema = z.object({ entries: z.array(activityEntrySchema), next: entryPlaceSchema.nullable() })
export type ActivityPage = z.infer<typeof activityPageSchema>

/** The settings of a website at an earlier time. */
export const websiteVersionSchema = websiteSettingsSchema.partial()

/** The number of remote changes in each group. */
export type RemoteSummary = Record<RemoteGroup, number>
