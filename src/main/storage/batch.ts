import { z } from 'zod'
import { editKindSchema } from '../../shared/edit.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** What was last done to many websites at once; `keys`: of those that it was queued for. */
const storedBatchSchema = z.object({
  id: z.string(),
  kind: editKindSchema,
  at: z.number(),
  keys: z.array(z.string()),
})
export type StoredBatch = z.infer<typeof storedBatchSchema>

/** It is told of after a restart too; the edits themselves know nothing of one another. */
export interface BatchStore {
  /** Null: there's none, or it can't be read. Errors: `storage`. */
  batch(): Result<StoredBatch | null>
  /** In the place of the one before; null: none any more. Errors: `disk-full`, `storage`, `newer-version`. */
  saveBatch(batch: StoredBatch | null): Result<void>
  /** How the edits of a website stand; null: none is left. Within {@link OutboxStore.read}. */
  stands(website: string): 'waiting' | 'parked' | null
}

const NAME = 'batch'

export function batchStore(db: Db): BatchStore {
  const get = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck()
  const save = db.prepare<[string, string]>(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const remove = db.prepare<[string]>('DELETE FROM meta WHERE name = ?')
  const anyParked = db
    .prepare<[string], number | null>(`SELECT max(state = 'parked') FROM edit WHERE website = ?`)
    .pluck()
  return {
    batch: () =>
      reading(() => {
        const value = get.get(NAME)
        return ok(value === undefined ? null : (storedBatchSchema.safeParse(readJson(value)).data ?? null))
      }),
    saveBatch: (batch) =>
      transact(db, () => ok(void (batch === null ? remove.run(NAME) : save.run(NAME, JSON.stringify(batch))))),
    stands(website) {
      const parked = anyParked.get(website) ?? null
      return parked === null ? null : parked === 1 ? 'parked' : 'waiting'
    },
  }
}
