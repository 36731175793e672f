import { readJson } from '../../shared/json.ts'
import { isUnreadable } from '../outbox/model/edit.ts'
import { asRestored } from '../outbox/transfer/restored.ts'
import { unlessDamaged, carryOverTables, insertRow, readableEdits, type Row } from './carry-over.ts'
import { editStore } from './edits.ts'
import type { Db } from './sqlite.ts'

/** Names of stored values that do not match the restored state. */
const OUTDATED_NOTES = ['completeAt', 'bulk-change', 'bulk-change-way-back']

/** If later activity entries could not be restored, reports remote changes from the last restored entry on. */
const RESTART_REPORTS = `UPDATE meta SET value = min(CAST(value AS INTEGER), (SELECT coalesce(max(n), 0) FROM activity))
  WHERE name = 'remoteNotified'`

/** The damaged file may have other columns, of an earlier version. */
const WEBSITE_COLUMNS = 'key, id, rank, domain, record'

/**
 * Updates a restored file from the damaged one, in one transaction. Copies readable edits, presets, stored values and activity
 * entries. An edit that only the backup has counts as possibly sent. Drops the late writes of the backup, because the values that
 * their websites should have are unknown.
 */
export function restoreEdits(db: Db, damaged: Db | null): void {
  const edits = editStore(db)
  db.transaction(() => {
    db.pragma('defer_foreign_keys = ON')
    if (damaged !== null) carryOverTables(db, damaged, ['meta', 'activity', 'sent_edit'])
    db.exec(`DELETE FROM late_write; DELETE FROM meta WHERE name IN ('${OUTDATED_NOTES.join("', '")}')`)
    db.exec(RESTART_REPORTS)
    if (damaged !== null) carryOverListedWebsites(db, damaged)
    const carried = damaged === null ? [] : readableEdits(damaged).filter((row) => carryOverEdit(db, damaged, row))
    const carriedIds = new Set(carried.map(({ id }) => String(id)))
    const merged = new Set(carried.flatMap(({ note }) => idsMergedInto(note)))
    for (const edit of edits.editsFrom(0, Number.MAX_SAFE_INTEGER)) {
      if (carriedIds.has(edit.id)) continue
      if (merged.has(edit.id)) edits.removeEdit(edit.id)
      else if (!isUnreadable(edit)) edits.saveEdit(asRestored(edit))
    }
  })()
}

/**
 * Copies an edit of the damaged file. Returns false if its website is missing or it does not fit the table. Then the edit of
 * the backup stays; without one, the damaged edit is kept as a stored value that can't be sent.
 */
function carryOverEdit(db: Db, damaged: Db, row: Row): boolean {
  carryOverWebsite(db, damaged, String(row['website']))
  const earlier = db.prepare<[Row[string]], Row>('SELECT * FROM edit WHERE id = ?').get(row['id'] ?? null)
  if (earlier !== undefined) db.prepare('DELETE FROM edit WHERE id = ?').run(row['id'])
  if (hasWebsite(db, row) && insertRow(db, 'edit', row)) return true
  if (earlier === undefined) keepAsNote(db, row)
  else insertRow(db, 'edit', earlier)
  return false
}

const hasWebsite = (db: Db, { website }: Row): boolean =>
  db.prepare('SELECT 1 FROM website WHERE key = ?').get(website) !== undefined

/** Returns the ids of edits that were merged into the edit with this note. */
function idsMergedInto(note: Row[string] | undefined): string[] {
  const also: unknown = (readJson(String(note)) as { also?: unknown } | null | undefined)?.also
  return Array.isArray(also) ? also.map(String) : []
}

/** Without these websites, a refresh would store them under other keys than those in the activity. */
function carryOverListedWebsites(db: Db, damaged: Db): void {
  const missing = 'SELECT DISTINCT website FROM activity WHERE website NOT IN (SELECT key FROM website)'
  for (const key of db.prepare<[], string>(missing).pluck().all())
    carryOverWebsite(db, damaged, key, 'AND id IS NOT NULL')
}

/** Copies a website from the damaged file, if it can be read. `condition`: SQL that limits the copied rows. */
function carryOverWebsite(db: Db, damaged: Db, key: string, condition = ''): void {
  const row = unlessDamaged(() =>
    damaged.prepare<[string], Row>(`SELECT ${WEBSITE_COLUMNS} FROM website WHERE key = ? ${condition}`).get(key),
  )
  if (row == null) return
  // Before its create was acknowledged, a refresh may have stored the website under another key.
  db.prepare('UPDATE edit SET website = @key WHERE website IN (SELECT key FROM website WHERE id = @id)').run(row)
  db.prepare('UPDATE activity SET website = @key WHERE website IN (SELECT key FROM website WHERE id = @id)').run(row)
  db.prepare('DELETE FROM website WHERE id = @id AND key <> @key').run(row)
  if (insertRow(db, 'website', row)) return
  unlessDamaged(() =>
    db
      .prepare('UPDATE website SET (id, rank, domain, record) = (@id, @rank, @domain, @record) WHERE key = @key')
      .run(row),
  )
  // A website with an id was created, so its create must not be sent again.
  if (row['id'] !== null) db.prepare(`DELETE FROM edit WHERE website = ? AND kind = 'create'`).run(key)
}

/** Keeps an edit that can't be stored as an edit (see {@link carryOverEdit}), without its password. It can't be sent. */
function keepAsNote(db: Db, { sealed, ...row }: Row): void {
  void sealed
  insertRow(db, 'meta', { name: `unreadable:${String(row['id'])}`, value: JSON.stringify(row) })
}
