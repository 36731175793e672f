import Database from 'better-sqlite3'
import { fail, ok, type Result } from '../../shared/result.ts'

export type Db = Database.Database

/**
 * Opens a file that this process alone uses and whose commits outlive a loss of power (design.md, "Choices made
 * once"), brings it up to date, and answers what `build` makes of it. Errors: `storage` (damaged, not to be read, or in
 * use), `newer-version` (and then not a byte of it was changed), `disk-full`.
 */
export function openDatabase<T>(file: string, migrations: readonly string[], build: (db: Db) => T): Result<T> {
  let db: Db | undefined
  try {
    db = new Database(file, { timeout: 0 })
    // Exclusive comes before WAL, so that no shared-memory file is needed and a second process is kept out.
    db.pragma('locking_mode = EXCLUSIVE')
    if (versionOf(db) > migrations.length) throw new NewerVersion()
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    if (process.platform === 'darwin') db.pragma('fullfsync = ON')
    db.pragma('foreign_keys = ON')
    // Sealed passwords are erased with their edit, not left in free pages.
    db.pragma('secure_delete = ON')
    migrate(db, migrations)
    return ok(build(db))
  } catch (error) {
    db?.close()
    return asFailure(error)
  }
}

class NewerVersion extends Error {}

/** `user_version` counts the migrations that were made. */
const versionOf = (db: Db) => db.pragma('user_version', { simple: true }) as number

/** Each is made once, with its number, or not at all. */
function migrate(db: Db, migrations: readonly string[]): void {
  const upgrade = db.transaction(() => {
    const version = versionOf(db)
    for (const migration of migrations.slice(version)) db.exec(migration)
    if (version < migrations.length) db.pragma(`user_version = ${migrations.length}`)
  })
  upgrade.exclusive()
}

/** What SQLite reports is a value; anything else is a mistake of ours and is thrown on. */
function asFailure(error: unknown): ReturnType<typeof fail> {
  if (error instanceof Database.SqliteError) return fail(error.code === 'SQLITE_FULL' ? 'disk-full' : 'storage')
  if (error instanceof NewerVersion) return fail('newer-version')
  if (isOfDatabase(error)) return fail('storage')
  throw error
}

/**
 * What better-sqlite3 itself throws: for a folder that isn't there; for a number that a damaged file holds in place of
 * ours; and for a file that was closed, where an answer arrives too late to be written, and the edit stays in doubt.
 */
const isOfDatabase = (error: unknown) =>
  (error instanceof TypeError && /connection is not open|directory does not exist/.test(error.message)) ||
  (error instanceof RangeError && /too large to be represented/.test(error.message))

/** Runs `work`, which reads alone. Errors: those of `work`, `storage`. */
export function reading<T>(work: () => Result<T>): Result<T> {
  try {
    return work()
  } catch (error) {
    return asFailure(error)
  }
}

/** Runs `work` in one transaction and answers what it answers. Errors: those of `work`, `disk-full`, `storage`. */
export function transact<T>(db: Db, work: () => Result<T>): Result<T> {
  try {
    return db.transaction(work).immediate()
  } catch (error) {
    return asFailure(error)
  }
}
