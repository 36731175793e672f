import type { EditKind } from '../../shared/edit.ts'
import { ok, type Result } from '../../shared/result.ts'
import {
  storedBulkChangeSchema,
  bulkUndoSchema,
  type BulkChangeStore,
  type QueuedEdit,
  type TracedEdit,
} from '../bulk/ports.ts'
import { IS_APPLIED } from './activity.ts'
import { notesIn } from './notes.ts'
import { runRead, transact, type Db } from './sqlite.ts'

/** Names of stored values: the last bulk change, and the data to undo it. */
const BULK_CHANGE_NOTE = 'bulk-change'
const UNDO_NOTE = 'bulk-change-way-back'

interface PendingRow {
  id: string
  website: string
  domain: string
  kind: EditKind
  parked: number
}
type Row = { id: string; applied: number } & (PendingRow | Record<'website' | 'domain' | 'kind' | 'parked', null>)

export function bulkChangeStore(db: Db): Omit<BulkChangeStore, 'lastOrder'> {
  const notes = notesIn(db, 'meta')
  const latest = db.prepare<[string], QueuedEdit>(
    // Without CROSS JOIN, SQLite would scan all edits for each website.
    `SELECT edit.id, edit.website, website.domain FROM json_each(?) AS wanted CROSS JOIN edit
       ON edit.seq = (SELECT max(seq) FROM edit WHERE website = CAST(wanted.value AS TEXT))
       JOIN website ON website.key = edit.website
     WHERE edit.state IN ('queued', 'parked')
     ORDER BY wanted.key`,
  )
  const traced = db.prepare<[string], Row>(
    `SELECT wanted.value AS id, edit.website, website.domain, edit.kind, edit.state = 'parked' AS parked,
       sent_edit.n IS NOT NULL OR (activity.n IS NOT NULL AND ${IS_APPLIED}) AS applied
     FROM json_each(?) AS wanted
       LEFT JOIN edit ON edit.id = CAST(wanted.value AS TEXT)
       LEFT JOIN website ON website.key = edit.website
       LEFT JOIN sent_edit ON sent_edit.id = CAST(wanted.value AS TEXT)
       LEFT JOIN activity ON activity.edit = CAST(wanted.value AS TEXT)`,
  )
  const holders = db.prepare<[], PendingRow>(
    `SELECT gone.value AS id, edit.website, website.domain, edit.kind, edit.state = 'parked' AS parked
     FROM edit JOIN website ON website.key = edit.website,
       json_each(CASE WHEN json_valid(edit.note) THEN edit.note ELSE '{}' END, '$.also') AS gone
     WHERE edit.note IS NOT NULL`,
  )

  /** Maps a merged edit's id to the edit it is in. Empty if all `rows` are pending or applied, which saves a long search. */
  function mergedInto(rows: readonly Row[]): Map<string, PendingRow> {
    const areAllFound = rows.every(({ website, applied }) => website !== null || applied === 1)
    return new Map(areAllFound ? [] : holders.all().map((pending) => [pending.id, pending]))
  }

  return {
    bulkChange: () => runRead(() => ok(storedBulkChangeSchema.safeParse(notes.get(BULK_CHANGE_NOTE)).data ?? null)),
    saveBulkChange: (bulkChange) =>
      transact(db, () => {
        if (bulkChange === null) for (const name of [BULK_CHANGE_NOTE, UNDO_NOTE]) notes.remove(name)
        else notes.set(BULK_CHANGE_NOTE, bulkChange)
        return ok(undefined)
      }),
    bulkUndo: () => runRead(() => ok(bulkUndoSchema.safeParse(notes.get(UNDO_NOTE)).data ?? null)),
    saveBulkUndo: (way) => transact(db, () => ok(notes.set(UNDO_NOTE, way))),
    latestEdits: (websites) => runRead(() => ok(latest.all(JSON.stringify(websites)))),
    trace: (ids): Result<TracedEdit[]> =>
      runRead(() => {
        const rows = traced.all(JSON.stringify(ids))
        const merged = mergedInto(rows)
        return ok(
          rows.map((row) => {
            const { id, applied } = row
            const pending = row.website === null ? (merged.get(id) ?? null) : row
            return {
              id,
              pending: pending && {
                website: pending.website,
                domain: pending.domain,
                kind: pending.kind,
                isParked: pending.parked === 1,
              },
              isApplied: applied === 1,
            }
          }),
        )
      }),
  }
}
