import { z } from 'zod'
import { differenceSideSchema } from '../../shared/bulk.ts'
import { editKindSchema, type EditKind } from '../../shared/edit.ts'
import { websiteLocalDataSchema } from '../../shared/local-data.ts'
import type { Result } from '../../shared/result.ts'

/**
 * The result for one edit. `replaced`: its website has another edit instead, which isn't part of the bulk change. `back`: the
 * edit has left the outbox without being applied, for example because it was undone.
 */
const itemResultSchema = z.enum(['waiting', 'parked', 'replaced', 'sent', 'back'])

/** An edit with its website. The domain is kept, because the website may be deleted. */
const queuedEditSchema = z.object({ id: z.string(), website: z.string(), domain: z.string() })
export type QueuedEdit = z.infer<typeof queuedEditSchema>

const bulkChangeItemSchema = queuedEditSchema.extend({ is: itemResultSchema })
export type BulkChangeItem = z.infer<typeof bulkChangeItemSchema>

/** The last bulk change and the results so far. */
export const storedBulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** The `order` of its last edit, which is its place among all saves. */
  order: z.number().optional(),
  each: z.array(bulkChangeItemSchema),
  /** True if its {@link BulkUndo} is on disk too. */
  canUndo: z.boolean().default(false),
})
export type StoredBulkChange = z.infer<typeof storedBulkChangeSchema>

/**
 * The values of one website before and after. `password`: a password was set; the one before is unknown. `domain`: the domain of the
 * website, unless it was not created yet.
 */
const undoStepSchema = z.object({
  before: differenceSideSchema,
  after: differenceSideSchema,
  password: z.boolean(),
  domain: z.string().optional(),
})
export type UndoStep = z.infer<typeof undoStepSchema>

const domainTagsAndNoteSchema = websiteLocalDataSchema.extend({ domain: z.string() })
const tagsAndNotesUndoSchema = z.object({
  before: z.array(domainTagsAndNoteSchema),
  after: z.array(domainTagsAndNoteSchema),
  made: z.array(z.string()),
})
/** The tags and notes of domains before and after a change, in the same order, and the tags that the change made. */
export type TagsAndNotesUndo = z.infer<typeof tagsAndNotesUndoSchema>

/**
 * The data to undo a bulk change: its websites, and for an update the values before and after, as an undo leaves what has
 * changed since. `local`: the tags and notes that an imported table changed.
 */
export const bulkUndoSchema = z.discriminatedUnion('kind', [
  z.object({
    id: z.string(),
    kind: z.literal('update'),
    steps: z.array(z.tuple([z.string(), undoStepSchema])),
    /** The websites that an imported table created, too. */
    created: z.array(z.string()).default([]),
    /** The places of its saves among all saves: after the first number, up to the second one. */
    saves: z.object({ after: z.number(), until: z.number() }).default({ after: 0, until: 0 }),
    local: tagsAndNotesUndoSchema.optional(),
  }),
  z.object({
    id: z.string(),
    kind: z.enum(['create', 'delete']),
    keys: z.array(z.string()),
    local: tagsAndNotesUndoSchema.optional(),
  }),
])
export type BulkUndo = z.infer<typeof bulkUndoSchema>

/** The current state of an edit, found by its id. */
export interface TracedEdit {
  id: string
  /** The pending edit, or the one that it was merged into. Null if it is no longer pending. */
  pending: { website: string; domain: string; kind: EditKind; isParked: boolean } | null
  /** True if the edit is known to have been applied. */
  isApplied: boolean
}

/** Stores the last bulk change, so that its result is known after a restart. The edits don't know of each other. */
export interface BulkChangeStore {
  /** Returns the last bulk change; null if none is stored or it can't be read. Errors: `storage`. */
  bulkChange(): Result<StoredBulkChange | null>
  /**
   * Replaces the stored bulk change; null removes it with the data to undo it. A loss of power may undo this. Errors: `disk-full`, `storage`,
   * `newer-version`.
   */
  saveBulkChange(bulkChange: StoredBulkChange | null): Result<void>
  /** Returns the data to undo the last bulk change, or null if none is stored. Errors: `storage`. */
  bulkUndo(): Result<BulkUndo | null>
  /** Replaces the stored data to undo the last bulk change. Errors: `disk-full`, `storage`, `newer-version`. */
  saveBulkUndo(way: BulkUndo): Result<void>
  /** Returns the `order` of the newest save, or 0. */
  lastOrder(): number
  /** Returns the newest edit of each of these websites, unless that edit is being sent or in doubt. Errors: `storage`. */
  latestEdits(websites: readonly string[]): Result<QueuedEdit[]>
  /** Returns the current state of edits. Errors: `storage`. */
  trace(ids: readonly string[]): Result<TracedEdit[]>
}
