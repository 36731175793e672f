import Database from 'better-sqlite3'
import { fail, ok, type ErrorCode, type Result } from '../../shared/result.ts'
import { isNodeDiskFull } from './files.ts'
import type { FileKind } from './schema.ts'

export type Db = Database.Database

/** True if SQLite reports one of these codes, or an extended code of one of them. */
export const isSqliteCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Database.SqliteError &&
  codes.some((code) => error.code === code || error.code.startsWith(`${code}_`))

/** Throws any error that does not come from SQLite or the file system, because it is a bug. */
export function asFailure(error: unknown): ReturnType<typeof fail> {
  const code = codeOf(error)
  if (code === null) throw error
  return fail(code)
}

/** Returns null for an error that does not come from SQLite, its driver or the file system. */
function codeOf(error: unknown): ErrorCode | null {
  if (isSqliteCode(error, 'SQLITE_FULL') || isNodeDiskFull(error)) return 'disk-full'
  if (isSqliteCode(error, 'SQLITE_BUSY')) return 'in-use'
  return error instanceof Database.SqliteError || isFileError(error) || isDriverError(error) ? 'storage' : null
}

const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'code' in error

/**
 * True for errors that better-sqlite3 itself throws: the folder is missing, a number in a damaged file is too large, or the file
 * was closed before a late response could be stored (its edit stays in doubt).
 */
const isDriverError = (error: unknown) =>
  (error instanceof TypeError && /connection is not open|directory does not exist/.test(error.message)) ||
  (error instanceof RangeError && /too large to be represented/.test(error.message))

/** For `work` that only reads. Errors: those of `work`, `storage`. */
export function runRead<T>(work: () => Result<T>): Result<T> {
  try {
    return work()
  } catch (error) {
    return asFailure(error)
  }
}

/** Carries a failure out of a transaction, because better-sqlite3 rolls back only if something is thrown. */
class RollbackError extends Error {
  readonly answer: ReturnType<typeof fail>
  constructor(answer: ReturnType<typeof fail>) {
    super()
    this.answer = answer
  }
}

/**
 * Runs `work` in one transaction, and rolls back if its result is a failure. Errors: those of `work`, `disk-full`, `storage`;
 * `newer-version` if the file is read-only.
 */
export function transact<T>(db: Db, work: () => Result<T>): Result<T> {
  if (db.readonly) return fail('newer-version')
  try {
    return db
      .transaction(() => {
        const done = work()
        if (!done.ok) throw new RollbackError(done)
        return done
      })
      .immediate()
  } catch (error) {
    return error instanceof RollbackError ? error.answer : asFailure(error)
  }
}

/** Returns the number of applied migrations. */
export const versionOf = (db: Db): number => db.pragma('user_version', { simple: true }) as number

/** Applies the missing migrations in one transaction, and writes the file's kind and version. Throws errors of SQLite. */
export function migrate(db: Db, { applicationId, migrations }: FileKind): void {
  const upgrade = db.transaction(() => {
    for (const migration of migrations.slice(versionOf(db))) db.exec(migration)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${migrations.length}`)
  })
  upgrade.exclusive()
}

/** Closes a database and removes its empty journal. */
export function closeDatabase(db: Db): void {
  if (db.open && !db.memory && !db.readonly) {
    // SQLite removes the journal only in the normal locking mode.
    runRead(() => ok([db.pragma('locking_mode = NORMAL'), db.pragma('journal_mode = DELETE')]))
  }
  db.close()
}
