import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import type { Salvage } from '../../shared/state.ts'
import { asideName, swap } from './aside.ts'
import { removeAll, sync } from './files.ts'
import { reinstate } from './reinstate.ts'
import { findRows, shapesOf } from './rows.ts'
import { SALVAGE_NOTE, type NotesTable } from './salvage-note.ts'
import type { Snapshot } from './snapshot.ts'
import { migrate } from './sqlite.ts'

/** Of which kind a file is: the tables it has, and the one where small notes are kept by name. */
export interface FileKind {
  migrations: readonly string[]
  notes: NotesTable
}

/**
 * Makes a new file of what can be read of a damaged one, and puts that one aside (sync.md, the row "database corrupt or
 * cut short"). The damaged file is only read, and never deleted; until the new one is complete and on disk nothing has
 * changed. Throws what SQLite and the file system do.
 */
export function salvage(file: string, snapshot: Snapshot, { migrations, notes }: FileKind, at: number): void {
  const made = `${file}.salvaging`
  removeAll(made)
  const aside = asideName(file, at)
  const db = new Database(made)
  try {
    migrate(db, migrations)
    const found = findRows(snapshot, shapesOf(db))
    const kept = reinstate(db, found)
    const note: Salvage = {
      at,
      aside: existsSync(file) || snapshot.logged ? aside : '',
      ...kept,
      lost: found.bad === 0 && snapshot.size > 0 ? 0 : null,
    }
    db.prepare(`INSERT INTO ${notes} (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`).run(
      SALVAGE_NOTE,
      JSON.stringify(note),
    )
  } catch (error) {
    db.close()
    removeAll(made)
    throw error
  }
  db.close()
  sync(made)
  swap(file, made, aside)
}
