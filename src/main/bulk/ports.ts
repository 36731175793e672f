import { z } from 'zod'
import { editKindSchema, type EditKind } from '../../shared/edit.ts'
import type { Result } from '../../shared/result.ts'

/** What was last done to many websites at once, as far as it has come. */
export const storedBatchSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  /** Milliseconds since 1970, for display alone. */
  at: z.number(),
  /** The ids of its edits that aren't done with. */
  edits: z.array(z.string()),
  /** Those of them that are something else now: the website of an update is to be deleted, or a delete was taken back. */
  replaced: z.array(z.string()),
  /** How many of the others were sent, and how many weren't. */
  sent: z.number(),
  back: z.number(),
})
export type StoredBatch = z.infer<typeof storedBatchSchema>

/** What there is to know of an edit by its id. */
export interface Traced {
  id: string
  /** As it waits, by itself or in the edit of its website that it went into; null: it doesn't any more. */
  there: { website: string; kind: EditKind; isParked: boolean } | null
  /** It's known to have been applied. */
  isApplied: boolean
}

/** What was done to many is told of after a restart too; the edits themselves know nothing of one another. */
export interface BatchStore {
  /** Null: there's none, or it can't be read. Errors: `storage`. */
  batch(): Result<StoredBatch | null>
  /** In the place of the one before; null: none any more. A loss of power may take it. Errors: `disk-full`, `storage`, `newer-version`. */
  saveBatch(batch: StoredBatch | null): Result<void>
  /** The ids of the edits that these websites were given last, where they aren't on their way. Errors: `storage`. */
  latestEdits(websites: readonly string[]): Result<string[]>
  /** All of them in one look. Errors: `storage`. */
  trace(ids: readonly string[]): Result<Traced[]>
}
