import { isUnreadable } from '../outbox/model/edit.ts'
import { asRestored } from '../outbox/transfer/restored.ts'
import { attempt, carryOverTables, put, readableEdits, type Row } from './carry-over.ts'
import { editStore } from './edits.ts'
import { readJson } from './json.ts'
import type { Db } from './sqlite.ts'

/** Values that describe a later state than the one restored. */
const NO_LONGER_TRUE = ['completeAt', 'bulk-change', 'bulk-change-way-back']

/**
 * Brings a restored connection's file up to date, in one transaction. Edits that can be read in the damaged file come as they
 * are there; an edit that only the backup has counts as possibly sent. Presets and notes come as far as they can be read. The
 * late writes that the backup knows of go, as nobody knows what their websites should have since then.
 */
export function restoreEdits(db: Db, damaged: Db | null): void {
  const edits = editStore(db)
  db.transaction(() => {
    db.pragma('defer_foreign_keys = ON')
    if (damaged !== null) carryOverTables(db, damaged, ['meta'])
    db.exec(`DELETE FROM late_write; DELETE FROM meta WHERE name IN ('${NO_LONGER_TRUE.join("', '")}')`)
    const carried = damaged === null ? [] : readableEdits(damaged).filter((row) => carryOverEdit(db, damaged, row))
    const known = new Set(carried.map(({ id }) => String(id)))
    const merged = new Set(carried.flatMap(({ note }) => mergedInto(note)))
    for (const edit of edits.editsFrom(0, Number.MAX_SAFE_INTEGER)) {
      if (known.has(edit.id)) continue
      if (merged.has(edit.id)) edits.removeEdit(edit.id)
      else if (!isUnreadable(edit)) edits.saveEdit(asRestored(edit))
    }
  })()
}

/** False: what the damaged file has can't be placed. Then the backup's edit stays, if it has one. */
function carryOverEdit(db: Db, damaged: Db, row: Row): boolean {
  carryOverWebsite(db, damaged, String(row['website']))
  const earlier = db.prepare<[Row[string]], Row>('SELECT * FROM edit WHERE id = ?').get(row['id'] ?? null)
  if (earlier !== undefined) db.prepare('DELETE FROM edit WHERE id = ?').run(row['id'])
  if (hasWebsite(db, row) && put(db, 'edit', row)) return true
  if (earlier === undefined) setAside(db, row)
  else put(db, 'edit', earlier)
  return false
}

const hasWebsite = (db: Db, { website }: Row): boolean =>
  db.prepare('SELECT 1 FROM website WHERE key = ?').get(website) !== undefined

/** The ids of the edits that were merged into one. */
function mergedInto(note: Row[string] | undefined): string[] {
  const also: unknown = (readJson(String(note)) as { also?: unknown } | null | undefined)?.also
  return Array.isArray(also) ? also.map(String) : []
}

/** Takes the website as the damaged file has it, where that can be read. */
function carryOverWebsite(db: Db, damaged: Db, key: string): void {
  const row = attempt(() => damaged.prepare<[string], Row>('SELECT * FROM website WHERE key = ?').get(key))
  if (row == null) return
  // A refresh may have met it under another key before its creation was acknowledged.
  db.prepare('UPDATE edit SET website = @key WHERE website IN (SELECT key FROM website WHERE id = @id)').run(row)
  db.prepare('UPDATE history SET website = @key WHERE website IN (SELECT key FROM website WHERE id = @id)').run(row)
  db.prepare('DELETE FROM website WHERE id = @id AND key <> @key').run(row)
  if (put(db, 'website', row)) return
  attempt(() =>
    db
      .prepare(
        'UPDATE website SET (id, rank, domain, record, remote_change) = (@id, @rank, @domain, @record, @remote_change) WHERE key = @key',
      )
      .run(row),
  )
  // It has an id: its creation was acknowledged.
  if (row['id'] !== null) db.prepare(`DELETE FROM edit WHERE website = ? AND kind = 'create'`).run(key)
}

/** Keeps what can't be sent, as nobody knows to which website it belongs; without its password. */
function setAside(db: Db, { sealed, ...row }: Row): void {
  void sealed
  put(db, 'meta', { name: `unreadable:${String(row['id'])}`, value: JSON.stringify(row) })
}
