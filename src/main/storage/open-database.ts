import Database from 'better-sqlite3'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { eraseSealedPasswords } from './backup.ts'
import { flushToDisk } from './files.ts'
import { isOfNewerVersion, readHeader } from './header.ts'
import type { FileKind } from './schema.ts'
import { asFailure, migrate, versionOf, type Db } from './sqlite.ts'

/**
 * Opens a database for this process alone and returns the result of `build`. Commits survive a loss of power. Copies the file
 * before it applies missing migrations. Does not change a file of a newer version, but reads it into memory (`db.readonly`). Does
 * not check for damage, which takes time and is done before (prepare.ts).
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

/** Creates a missing file that only its owner can read. SQLite gives its mode to the journal. */
function createPrivate(file: string): void {
  if (file === ':memory:') return
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // The file exists, or SQLite will report why it can't be created.
  }
}

/**
 * Uses a rollback journal instead of a write-ahead log, so that all committed data is in one file
 * (docs/decisions/0006-damaged-files.md).
 */
function configure(db: Db): void {
  db.pragma('locking_mode = EXCLUSIVE')
  // With `secure_delete`, keeps sealed passwords of removed edits out of the journal and free pages.
  db.pragma('journal_mode = TRUNCATE')
  db.pragma('secure_delete = ON')
  db.pragma('synchronous = FULL')
  if (process.platform === 'darwin') db.pragma('fullfsync = ON')
  db.pragma('foreign_keys = ON')
}

/** Leaves out sealed passwords, which must not outlive their edits. */
function copyBeforeUpgrade(db: Db, copy: string): void {
  writeFileSync(copy, db.serialize(), { mode: 0o600 })
  eraseSealedPasswords(copy)
  flushToDisk(copy)
}

/** Errors: `newer-version` if this version can't read the file. */
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
