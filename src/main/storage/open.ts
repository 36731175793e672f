import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { eraseSecrets } from './backup.ts'
import { sync } from './files.ts'
import { isNewer, readHeader } from './header.ts'
import type { FileKind } from './schema.ts'
import { asFailure, migrate, versionOf, type Db } from './sqlite.ts'

/**
 * Opens a file that this process alone uses and whose commits outlive a loss of power, applies the migrations that it
 * lacks, with a copy kept, and returns what `build` makes of it. A file of a newer version is read into memory
 * (`db.readonly`), and not a byte of it changes. Checking a file takes time: see prepare.ts. Errors: `storage` (damaged, or
 * not readable), `in-use`, `disk-full`; `newer-version` if this version can't read it.
 */
export function openDatabase<T>(file: string, kind: FileKind, build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    if (file !== ':memory:' && isNewer(readHeader(file), kind)) return openNewer(file, build)
    db = new Database(file, { timeout: 0 })
    configure(db)
    const version = versionOf(db)
    if (version > 0 && version < kind.migrations.length) keepCopy(db, `${file}.before-v${kind.migrations.length}`)
    // Also the proof that the file can be written, and what locks it.
    migrate(db, kind)
    return ok(build(db))
  } catch (error) {
    db?.close()
    return asFailure(error)
  }
}

/**
 * A rollback journal rather than a write-ahead log: all that was acknowledged is in the one file, and nothing but a
 * transaction in progress is beside it (docs/decisions/0006-damaged-files.md).
 */
function configure(db: Db): void {
  db.pragma('locking_mode = EXCLUSIVE')
  // Neither the journal nor free pages keep a sealed password that was erased with its edit.
  db.pragma('journal_mode = TRUNCATE')
  db.pragma('secure_delete = ON')
  db.pragma('synchronous = FULL')
  if (process.platform === 'darwin') db.pragma('fullfsync = ON')
  db.pragma('foreign_keys = ON')
}

/** Keeps the file as it is before an upgrade, without sealed passwords, which may not outlive their edits. */
function keepCopy(db: Db, copy: string): void {
  writeFileSync(copy, db.serialize(), { mode: 0o600 })
  eraseSecrets(copy)
  sync(copy)
}

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
