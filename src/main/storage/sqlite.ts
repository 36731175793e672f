import Database from 'better-sqlite3'
import { fail, ok, type Result } from '../../shared/result.ts'

export type Db = Database.Database

/**
 * Opens a file that this process alone uses and whose commits outlive a loss of power (design.md, "Choices made
 * once"), and brings it up to date. Errors: `storage` (damaged, in use, or written by a newer version), `disk-full`.
 */
export function openDatabase(file: string, migrations: readonly string[]): Result<Db> {
  let db: Db | undefined
  try {
    db = new Database(file, { timeout: 0 })
    // Exclusive comes before WAL, so that no shared-memory file is needed and a second process is kept out.
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    if (process.platform === 'darwin') db.pragma('fullfsync = ON')
    db.pragma('foreign_keys = ON')
    // Sealed passwords are erased with their edit, not left in free pages.
    db.pragma('secure_delete = ON')
    migrate(db, migrations)
    return ok(db)
  } catch (error) {
    db?.close()
    return asFailure(error)
  }
}

class NewerVersion extends Error {}

/** `user_version` counts the migrations that were made; each is made once, with its number, or not at all. */
function migrate(db: Db, migrations: readonly string[]): void {
  const upgrade = db.transaction(() => {
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > migrations.length) throw new NewerVersion()
    for (const migration of migrations.slice(version)) db.exec(migration)
    if (version < migrations.length) db.pragma(`user_version = ${migrations.length}`)
  })
  upgrade.exclusive()
}

/** What SQLite reports is a value; anything else is a mistake of ours and is thrown on. */
function asFailure(error: unknown): ReturnType<typeof fail> {
  if (error instanceof Database.SqliteError) return fail(error.code === 'SQLITE_FULL' ? 'disk-full' : 'storage')
  if (error instanceof NewerVersion || isClosed(error)) return fail('storage')
  throw error
}

/** An answer may arrive after the file was closed: it can't be written, and the edit stays in doubt. */
const isClosed = (error: unknown) => error instanceof TypeError && /connection is not open/.test(error.message)

/** Runs `work` in one transaction and answers what it answers. Errors: those of `work`, `disk-full`, `storage`. */
export function transact<T>(db: Db, work: () => Result<T>): Result<T> {
  try {
    return db.transaction(work).immediate()
  } catch (error) {
    return asFailure(error)
  }
}
