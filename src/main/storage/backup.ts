import Database from 'better-sqlite3'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ok, type Result } from '../../shared/result.ts'
import { removeDatabaseFiles, flushToDisk } from './files.ts'
import { asFailure, type Db } from './sqlite.ts'

/** The name of a backup is that of the file, this mark and a number. */
const BACKUP_MARK = '.backup-'
const MAX_BACKUPS = 2

/** Returns the newest backup first. Backups are numbered, because the clock may be wrong. */
export function backupsOf(file: string): string[] {
  const start = basename(file) + BACKUP_MARK
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .toSorted((a, b) => Number(b.slice(start.length)) - Number(a.slice(start.length)))
    .map((name) => join(dirname(file), name))
}

/** The backup has no sealed passwords. Errors: `disk-full`, `storage`; then earlier backups are unchanged. */
export function createBackupMaker(db: Db, file: string): () => Promise<Result<void>> {
  let earlier: string[] | null = null
  return async () => {
    if (db.memory || db.readonly) return ok(undefined)
    try {
      // The file may have become damaged since it was opened and checked, and then the backups of this run have the damage too.
      // So the newest backup of earlier runs stays.
      earlier ??= backupsOf(file).slice(0, 1)
      return ok(await backUp(db, file, earlier))
    } catch (error) {
      return asFailure(error)
    }
  }
}

/** Removes the oldest backups beyond {@link MAX_BACKUPS}, except `kept`. Throws errors of SQLite and the file system. */
async function backUp(db: Db, file: string, kept: readonly string[]): Promise<void> {
  const made = `${file}.backing-up`
  removeDatabaseFiles(made)
  try {
    writeFileSync(made, '', { mode: 0o600 })
    await db.backup(made)
    eraseSealedPasswords(made)
    flushToDisk(made)
    const newest = Number(backupsOf(file)[0]?.slice((file + BACKUP_MARK).length) ?? 0)
    renameSync(made, file + BACKUP_MARK + String(newest + 1))
    flushToDisk(dirname(file))
    const all = backupsOf(file)
    const others = all.filter((path) => !kept.includes(path))
    // The kept backup may have been deleted, because an account was removed.
    for (const old of others.slice(MAX_BACKUPS - (all.length - others.length))) rmSync(old)
  } catch (error) {
    removeDatabaseFiles(made)
    throw error
  }
}

/** Erases the sealed passwords of a file. An edit that had one keeps an empty one, and the user is asked to enter it again. */
export function eraseSealedPasswords(file: string): void {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = MEMORY')
    db.pragma('secure_delete = ON')
    const isOurs = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'edit'`).get() !== undefined
    if (isOurs)
      db.exec(
        `UPDATE edit SET sealed = x'' WHERE sealed IS NOT NULL; UPDATE late_write SET sealed = NULL, newest = NULL`,
      )
  } finally {
    db.close()
  }
}
