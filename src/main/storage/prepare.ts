import Database from 'better-sqlite3'
import { existsSync, rmSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { finishSwap } from './aside.ts'
import { removeCopies } from './copy.ts'
import { openDatabase } from './open.ts'
import { salvage, type FileKind } from './salvage.ts'
import { appMigrations, connectionMigrations } from './schema.ts'
import { readSnapshot } from './snapshot.ts'
import { isSound } from './sound.ts'
import { asFailure, isSqliteCode } from './sqlite.ts'

const kinds = {
  connection: { migrations: connectionMigrations, notes: 'meta' },
  app: { migrations: appMigrations, notes: 'setting' },
} satisfies Record<string, FileKind>

export interface PrepareRequest {
  file: string
  kind: keyof typeof kinds
  /** There was data: an empty file, or none, is no new one. */
  known: boolean
}

/**
 * Makes a file ready to be opened: checks it whole, salvages it where it's damaged, upgrades it where it's older, and
 * goes on with what was interrupted. One of a newer version is left alone. It may take its time, so it runs in a worker
 * (prepare-worker.ts). Errors: `in-use`, `disk-full`, `storage`; then the file is as it was.
 */
export function prepareFile({ file, kind, known }: PrepareRequest): Result<void> {
  const { migrations } = kinds[kind]
  try {
    finishSwap(file)
    if (existsSync(`${file}-journal`)) rollBack(file)
    const snapshot = readSnapshot(file)
    if (snapshot.size === 0 && !snapshot.logged && !known) return ok(undefined)
    if (snapshot.version > migrations.length) return ok(undefined)
    if (isInUse(file)) return fail('in-use')
    if (!isSound(snapshot, migrations)) {
      salvage(file, snapshot, kinds[kind], Date.now())
      return ok(undefined)
    }
    if (snapshot.version === migrations.length && !snapshot.logged) {
      // The last run ended in order, and left it whole: the copy from before an upgrade has served.
      removeCopies(file)
      return ok(undefined)
    }
    const opened = openDatabase(file, migrations, (db) => db)
    if (!opened.ok) return opened
    opened.value.close()
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}

/** Whether another process has it, which keeps it locked as long as it's open. */
function isInUse(file: string): boolean {
  if (!existsSync(file)) return false
  // SQLite lays some down to read it, and leaves them.
  const beside = ['-wal', '-shm'].map((part) => file + part).filter((path) => !existsSync(path))
  try {
    const db = new Database(file, { readonly: true, timeout: 0 })
    try {
      db.pragma('user_version')
    } finally {
      db.close()
    }
  } catch (error) {
    if (isSqliteCode(error, 'SQLITE_BUSY')) return true
  }
  for (const path of beside) rmSync(path, { force: true })
  return false
}

/** A file that was being made when the power went is as before that; whatever else is wrong with it shows later. */
function rollBack(file: string): void {
  try {
    const db = new Database(file, { timeout: 0 })
    try {
      db.pragma('locking_mode = EXCLUSIVE')
      db.pragma('user_version')
    } finally {
      db.close()
    }
  } catch (error) {
    if (!isSqliteCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB')) throw error
  }
}
