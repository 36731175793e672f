import Database from 'better-sqlite3'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeDatabaseFiles, flushToDisk } from './files.ts'
import type { Db } from './sqlite.ts'

/** Follows the file's name in the name of each backup; the backup's number comes last. */
const BACKUP_MARK = '.backup-'
/** Maximum number of backups of a file. Beyond it, the oldest are removed. */
const MAX_BACKUPS = 2

/** Returns the paths of a file's backups, the newest first. They are numbered, as the clock may be wrong. */
export function backupsOf(file: string): string[] {
  const start = basename(file) + BACKUP_MARK
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .toSorted((a, b) => Number(b.slice(start.length)) - Number(a.slice(start.length)))
    .map((name) => join(dirname(file), name))
}

/**
 * Copies an open database to a new backup without sealed passwords, and keeps only the newest {@link MAX_BACKUPS}. Runs in steps,
 * between which other work continues. Throws errors of SQLite and the file system; then earlier backups are unchanged.
 */
export async function backUp(db: Db, file: string): Promise<void> {
  const made = `${file}.backing-up`
  removeDatabaseFiles(made)
  try {
    writeFileSync(made, '', { mode: 0o600 })
    await db.backup(made)
    eraseSecrets(made)
    flushToDisk(made)
    const newest = Number(backupsOf(file)[0]?.slice((file + BACKUP_MARK).length) ?? 0)
    renameSync(made, file + BACKUP_MARK + String(newest + 1))
    flushToDisk(dirname(file))
    for (const old of backupsOf(file).slice(MAX_BACKUPS)) rmSync(old)
  } catch (error) {
    removeDatabaseFiles(made)
    throw error
  }
}

/**
 * Erases the sealed passwords of a file. An edit that has one keeps an empty password, and the user is asked to enter it again.
 */
export function eraseSecrets(file: string): void {
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
