import Database from 'better-sqlite3'
import { existsSync, statSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { keepCopy } from './copy.ts'
import { readHeader, readSnapshot } from './snapshot.ts'
import { asFailure, migrate, versionOf, type Db } from './sqlite.ts'

/**
 * Opens a file that this process alone uses and whose commits outlive a loss of power (design.md, "Choices made
 * once"), brings it up to date, with a copy kept, and answers what `build` makes of it. One of a newer version is opened
 * to be read alone (`db.readonly`). Checking and upgrading a large file takes its time: have it prepared before
 * (prepare.ts). Errors: `storage` (damaged, or not to be read), `in-use`, `disk-full`; `newer-version`, where that can't
 * be read by this one.
 */
export function openDatabase<T>(file: string, migrations: readonly string[], build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    const newer = imageOfNewer(file, migrations)
    if (newer !== null) return openNewer(newer, build)
    db = new Database(file, { timeout: 0 })
    // Exclusive comes before WAL, so that no shared-memory file is needed and a second process is kept out.
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    if (process.platform === 'darwin') db.pragma('fullfsync = ON')
    // A small log goes into the file within few milliseconds, and takes little of a disk that fills up.
    db.pragma('wal_autocheckpoint = 200')
    db.pragma('foreign_keys = ON')
    // Sealed passwords are erased with their edit, not left in free pages.
    db.pragma('secure_delete = ON')
    const version = versionOf(db)
    if (version > 0 && version < migrations.length) keepCopy(db, file, version)
    migrate(db, migrations)
    return ok(build(db))
  } catch (error) {
    db?.close()
    return asFailure(error)
  }
}

/**
 * Null: of this version or an older one. To tell it must not be opened: with a log beside it, opening it to be read
 * alone changes it too.
 */
function imageOfNewer(file: string, migrations: readonly string[]): Buffer | null {
  if (!existsSync(file) || !statSync(file).isFile()) return null
  const logged = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  // With a log beside it, its first page may be in that.
  if (!logged && readHeader(file).version <= migrations.length) return null
  const snapshot = readSnapshot(file)
  return snapshot.version > migrations.length ? snapshot.image() : null
}

/** In memory, so that not a byte of the file, its log, or its folder changes. */
function openNewer<T>(image: Buffer, build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    db = new Database(image, { readonly: true })
    return ok(build(db))
  } catch (error) {
    db?.close()
    asFailure(error)
    return fail('newer-version')
  }
}
