import Database from 'better-sqlite3'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { eraseSealedPasswords } from './backup.ts'
import { flushToDisk } from './files.ts'
import { isOfNewerVersion, readHeader } from './header.ts'
import type { FileKind } from './schema.ts'
import { asFailure, migrate, versionOf, type Db } from './sqlite.ts'

/**
 * Opens a database for this process alone and returns the result of `build`. Commits survive a loss of power. Missing
 * migrations are applied, after a copy of the file was made. A file of a newer version is not changed but read into memory
 * (`db.readonly`). Checking a file for damage takes time and is done before, in prepare.ts.
 *
 * Errors: `storage` (damaged or unreadable), `in-use`, `disk-full`; `newer-version` if this version can't read the file.
 */
export function openDatabase<T>(file: string, kind: FileKind, build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    if (file !== ':memory:' && isOfNewerVersion(readHeader(file), kind)) return openNewer(file, build)
    createPrivate(file)
    db = new Database(file, { timeout: 0 })
    configure(db)
    const version = versionOf(db)
    if (version > 0 && version < kind.migrations.length)
      copyBeforeUpgrade(db, `${file}.before-v${kind.migrations.length}`)
    // This also locks the file and proves that it can be written, even if no migration is missing.
    migrate(db, kind)
    return ok(build(db))
  } catch (error) {
    db?.close()
    return asFailure(error)
  }
}

/** Creates a missing file so that only its owner can read it. SQLite gives the file's mode to its journal. */
function createPrivate(file: string): void {
  if (file === ':memory:') return
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // The file exists, or SQLite will report why it can't be created.
  }
}

/**
 * Sets SQLite's options: access for this process alone, synced commits, overwritten deleted data, checked foreign keys, and a
 * rollback journal instead of a write-ahead log, so that all committed data is in one file (docs/decisions/0006-damaged-files.md).
 */
function configure(db: Db): void {
  db.pragma('locking_mode = EXCLUSIVE')
  // No sealed password stays in the journal or in free pages after its edit was removed.
  db.pragma('journal_mode = TRUNCATE')
  db.pragma('secure_delete = ON')
  db.pragma('synchronous = FULL')
  if (process.platform === 'darwin') db.pragma('fullfsync = ON')
  db.pragma('foreign_keys = ON')
}

/** Copies the file before an upgrade, without sealed passwords, which must not outlive their edits. */
function copyBeforeUpgrade(db: Db, copy: string): void {
  writeFileSync(copy, db.serialize(), { mode: 0o600 })
  eraseSealedPasswords(copy)
  flushToDisk(copy)
}

/** Reads a file of a newer version into memory. Errors: `newer-version` if this version can't read it. */
function openNewer<T>(file: string, build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    db = new Database(readFileSync(file), { readonly: true })
    return ok(build(db))
  } catch (error) {
    db?.close()
    asFailure(error)
    return fail('newer-version')
  }
}
