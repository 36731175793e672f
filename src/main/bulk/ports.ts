import { z } from 'zod'
import { differenceSchema } from '../../shared/bulk.ts'
import { editKindSchema, type EditKind } from '../../shared/edit.ts'
import type { Result } from '../../shared/result.ts'

/** `replaced`: there's another edit under its id, or with it in it, that isn't what was done to many. */
const standsSchema = z.enum(['waiting', 'parked', 'replaced', 'sent', 'back'])

/** An edit, with its website; the domain is known once that is gone too. */
const queuedSchema = z.object({ id: z.string(), website: z.string(), domain: z.string() })
export type Queued = z.infer<typeof queuedSchema>

const eachSchema = queuedSchema.extend({ is: standsSchema })
export type Each = z.infer<typeof eachSchema>

/** What was last done to many websites at once, as far as it has come. */
export const storedBulkChangeSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  each: z.array(eachSchema),
  /** {@link WayBack} is on disk too. */
  canUndo: z.boolean().default(false),
})
export type StoredBulkChange = z.infer<typeof storedBulkChangeSchema>

/** What one website was before, and what it was set to; `password`: another one was set, nobody knows the one before. */
const stepSchema = z.object({ before: differenceSchema, after: differenceSchema, password: z.boolean() })
export type Step = z.infer<typeof stepSchema>

/** What it takes to take back what was done to many: which websites it was, and what each that was changed was before. */
export const wayBackSchema = z.discriminatedUnion('kind', [
  z.object({ id: z.string(), kind: z.literal('update'), steps: z.array(z.tuple([z.string(), stepSchema])) }),
  z.object({ id: z.string(), kind: z.enum(['create', 'delete']), keys: z.array(z.string()) }),
])
export type WayBack = z.infer<typeof wayBackSchema>

/** What there is to know of an edit by its id. */
export interface Traced {
  id: string
  /** As it waits, by itself or in the edit of its website that it went into; null: it doesn't any more. */
  there: { website: string; domain: string; kind: EditKind; isParked: boolean } | null
  /** It's known to have been applied. */
  isApplied: boolean
}

/** What was done to many is told of after a restart too; the edits themselves know nothing of one another. */
export interface BulkChangeStore {
  /** Null: there's none, or it can't be read. Errors: `storage`. */
  bulkChange(): Result<StoredBulkChange | null>
  /** In the place of the one before; null: none any more, nor a way back. A loss of power may take it. Errors: `disk-full`, `storage`, `newer-version`. */
  saveBulkChange(bulkChange: StoredBulkChange | null): Result<void>
  /** Of the last bulk change; null: none is kept. Errors: `storage`. */
  wayBack(): Result<WayBack | null>
  /** In the place of the one before. Errors: `disk-full`, `storage`, `newer-version`. */
  saveWayBack(way: WayBack): Result<void>
  /** The edits that these websites were given last, where they aren't on their way. Errors: `storage`. */
  latestEdits(websites: readonly string[]): Result<Queued[]>
  /** All of them in one look. Errors: `storage`. */
  trace(ids: readonly string[]): Result<Traced[]>
}
