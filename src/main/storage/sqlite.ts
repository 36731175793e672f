import Database from 'better-sqlite3'
import { fail, ok, type ErrorCode, type Result } from '../../shared/result.ts'
import { isDiskFull } from './disk-full.ts'
import type { FileKind } from './schema.ts'

export type Db = Database.Database

export const isSqliteCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Database.SqliteError &&
  codes.some((code) => error.code === code || error.code.startsWith(`${code}_`))

/** What SQLite and the file system report is a value; anything else is a mistake of ours and is thrown on. */
export function asFailure(error: unknown): ReturnType<typeof fail> {
  const code = codeOf(error)
  if (code === null) throw error
  return fail(code)
}

function codeOf(error: unknown): ErrorCode | null {
  if (isSqliteCode(error, 'SQLITE_FULL') || isDiskFull(error)) return 'disk-full'
  if (isSqliteCode(error, 'SQLITE_BUSY')) return 'in-use'
  return error instanceof Database.SqliteError || isFileError(error) || isOfDatabase(error) ? 'storage' : null
}

/** What the file system answered. */
const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'code' in error

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

/** Ends a transaction that comes to nothing: better-sqlite3 rolls back for what is thrown alone. */
class Refused extends Error {
  readonly answer: ReturnType<typeof fail>
  constructor(answer: ReturnType<typeof fail>) {
    super()
    this.answer = answer
  }
}

/**
 * Runs `work` in one transaction and answers what it answers; where that is a failure, nothing was written. Errors: those of `work`, `disk-full`, `storage`;
 * `newer-version` where the file is read alone.
 */
export function transact<T>(db: Db, work: () => Result<T>): Result<T> {
  if (db.readonly) return fail('newer-version')
  try {
    return db
      .transaction(() => {
        const done = work()
        if (!done.ok) throw new Refused(done)
        return done
      })
      .immediate()
  } catch (error) {
    return error instanceof Refused ? error.answer : asFailure(error)
  }
}

/** `user_version` counts the migrations that were made. */
export const versionOf = (db: Db): number => db.pragma('user_version', { simple: true }) as number

/** Applies the migrations that a file lacks, all or none, and writes its kind and version. Throws what SQLite does. */
export function migrate(db: Db, { applicationId, migrations }: FileKind): void {
  const upgrade = db.transaction(() => {
    for (const migration of migrations.slice(versionOf(db))) db.exec(migration)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${migrations.length}`)
  })
  upgrade.exclusive()
}

/** Closes a file, and leaves no empty journal beside it. */
export function closeDatabase(db: Db): void {
  if (db.open && !db.memory && !db.readonly) {
    // SQLite removes the journal only where it doesn't hold the lock for good.
    reading(() => ok([db.pragma('locking_mode = NORMAL'), db.pragma('journal_mode = DELETE')]))
  }
  db.close()
}
