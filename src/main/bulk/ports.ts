import { z } from 'zod'
import { differenceSideSchema } from '../../shared/bulk.ts'
import { editKindSchema, type EditKind } from '../../shared/edit.ts'
import { websiteLocalDataSchema } from '../../shared/local-data.ts'
import type { Result } from '../../shared/result.ts'

/**
 * The stored result of an edit. `replaced`: the website has another edit now, which isn't part of the bulk change. `back`: the
 * edit has left the outbox without being applied, for example because it was undone. The window gets `notSent` for both.
 */
const itemResultSchema = z.enum(['waiting', 'parked', 'replaced', 'sent', 'back'])

/** The domain is stored too, because the website may be gone when its result is shown. */
const queuedEditSchema = z.object({ id: z.string(), website: z.string(), domain: z.string() })
export type QueuedEdit = z.infer<typeof queuedEditSchema>

const bulkChangeItemSchema = queuedEditSchema.extend({ is: itemResultSchema })
/** The stored result of a bulk change for one website. */
export type BulkChangeItem = z.infer<typeof bulkChangeItemSchema>

/** A bulk change as it is stored. */
export const storedBulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Milliseconds since 1970, only for display. */
  at: z.number(),
  /** The `order` of the last edit. It sorts the bulk change among all saves. */
  order: z.number().optional(),
  each: z.array(bulkChangeItemSchema),
  /** True if the data to undo the bulk change ({@link BulkUndo}) is stored. */
  canUndo: z.boolean().default(false),
})
export type StoredBulkChange = z.infer<typeof storedBulkChangeSchema>

/** The values of one updated website before and after a bulk change. */
const undoStepSchema = z.object({
  before: differenceSideSchema,
  after: differenceSideSchema,
  /** True if a password was set. The previous one is unknown. */
  password: z.boolean(),
  /** Absent if the service had not created the website yet. */
  domain: z.string().optional(),
})
export type UndoStep = z.infer<typeof undoStepSchema>

const domainTagsAndNoteSchema = websiteLocalDataSchema.extend({ domain: z.string() })
const tagsAndNotesUndoSchema = z.object({
  before: z.array(domainTagsAndNoteSchema),
  after: z.array(domainTagsAndNoteSchema),
  made: z.array(z.string()),
})
/**
 * The tags and notes of websites before and after a change, with the same domains in the same order. `made`: the tags that the
 * change has created.
 */
export type TagsAndNotesUndo = z.infer<typeof tagsAndNotesUndoSchema>

/**
 * The data to undo a bulk change. An update has the values before and after, because an undo leaves values that were changed
 * since. `local`: the tags and notes that an imported table changed.
 */
export const bulkUndoSchema = z.discriminatedUnion('kind', [
  z.object({
    id: z.string(),
    kind: z.literal('update'),
    steps: z.array(z.tuple([z.string(), undoStepSchema])),
    /** The websites that an imported table created. */
    created: z.array(z.string()).default([]),
    /** The `order` of each save of the bulk change is greater than `after`, and at most `until`. */
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

/** The present state of an edit that a bulk change has queued. */
export interface TracedEdit {
  id: string
  /** The edit itself, or the one that it was merged into. Null if it is no longer pending. */
  pending: { website: string; domain: string; kind: EditKind; isParked: boolean } | null
  /** True if the edit is known to have been applied. */
  isApplied: boolean
}

/** Stores the last bulk change, because its edits have no reference to each other. */
export interface BulkChangeStore {
  /** Returns the last bulk change; null if none is stored or it can't be read. Errors: `storage`. */
  bulkChange(): Result<StoredBulkChange | null>
  /**
   * Replaces the stored bulk change; null removes it and its undo data. A power loss may revert this write. Errors: `disk-full`,
   * `storage`, `newer-version`.
   */
  saveBulkChange(bulkChange: StoredBulkChange | null): Result<void>
  /** Returns the data to undo the last bulk change, or null if none is stored. Errors: `storage`. */
  bulkUndo(): Result<BulkUndo | null>
  /** Replaces the stored data to undo the last bulk change. Errors: `disk-full`, `storage`, `newer-version`. */
  saveBulkUndo(way: BulkUndo): Result<void>
  /** Returns the `order` (a sequence number) of the newest save, or 0. */
  lastOrder(): number
  /** Returns the newest edit of each of these websites, unless that edit is being sent or in doubt. Errors: `storage`. */
  latestEdits(websites: readonly string[]): Result<QueuedEdit[]>
  /** Returns the current state of edits. Errors: `storage`. */
  trace(ids: readonly string[]): Result<TracedEdit[]>
}
