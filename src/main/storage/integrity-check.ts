import Database from 'better-sqlite3'
import type { FileKind } from './schema.ts'
import { isSqliteCode, migrate, versionOf, type Db } from './sqlite.ts'

/**
 * True if a file is an undamaged database of this kind: its pages, its indexes, and the tables of its version. Opening the file
 * rolls back an interrupted transaction. Throws errors that don't mean damage, such as a failing disk or a locked file.
 */
export function integrityCheck(file: string, kind: FileKind): boolean {
  let db: Db | undefined
  try {
    db = new Database(file, { timeout: 0, fileMustExist: true })
    db.pragma('locking_mode = EXCLUSIVE')
    if (db.pragma('application_id', { simple: true }) !== kind.applicationId) return false
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') return false
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) return false
    return schemaOf(db) === schemaOf(emptyDatabase(kind, versionOf(db)))
  } catch (error) {
    if (isSqliteCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR')) return false
    throw error
  } finally {
    db?.close()
  }
}

/** Creates a database in memory with the tables that a file of this version should have. */
function emptyDatabase({ migrations, ...kind }: FileKind, version: number): Db {
  const db = new Database(':memory:')
  migrate(db, { ...kind, migrations: migrations.slice(0, version) })
  return db
}

/** Returns the definitions of all tables and indexes as one text, to be compared. */
const schemaOf = (db: Db): string =>
  JSON.stringify(db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all())
