import Database from 'better-sqlite3'
import { shapesOf } from './rows.ts'
import type { Snapshot } from './snapshot.ts'
import { isSqliteCode, migrate, type Db } from './sqlite.ts'

/**
 * Whether a file is whole: its log, its trees and indexes, and the tables that its version has. It's looked at in
 * memory, so that not a byte of a damaged file changes.
 */
export function isSound(snapshot: Snapshot, migrations: readonly string[]): boolean {
  // A log without a file is thrown away by SQLite.
  if (!snapshot.isDatabase || snapshot.logDamaged || snapshot.size === 0) return false
  let db: Db | undefined
  try {
    db = new Database(snapshot.image(), { readonly: true })
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') return false
    return tablesOf(db) === tablesOf(made(migrations.slice(0, snapshot.version)))
  } catch (error) {
    if (isSqliteCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR', 'SQLITE_CANTOPEN')) return false
    throw error
  } finally {
    db?.close()
  }
}

function made(migrations: readonly string[]): Db {
  const db = new Database(':memory:')
  migrate(db, migrations)
  return db
}

const tablesOf = (db: Db): string =>
  JSON.stringify(shapesOf(db).toSorted((a, b) => (a.table < b.table ? -1 : Number(a.table > b.table))))
