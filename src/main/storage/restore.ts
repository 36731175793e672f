import Database from 'better-sqlite3'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Recovery } from '../../shared/state.ts'
import { backupsOf } from './backup.ts'
import { carryOverTables, withCopy } from './carry-over.ts'
import { integrityCheck } from './integrity-check.ts'
import { removeDatabaseFiles, flushToDisk } from './files.ts'
import { readHeader, isOfNewerVersion } from './header.ts'
import { quarantinePath, swapFiles } from './quarantine.ts'
import { writeRecoveryNote } from './recovery-note.ts'
import { restoreEdits } from './restore-edits.ts'
import { appFile, type FileKind } from './schema.ts'
import { migrate, type Db } from './sqlite.ts'

/**
 * Builds a new file from the newest valid backup and the readable parts of the damaged file. Quarantines the damaged file, which
 * is never deleted; removes newer backups that are damaged too. Changes nothing until the new file is complete and on disk.
 * Throws errors of SQLite and the file system.
 */
export function restoreFile(file: string, kind: FileKind, at: number): void {
  const made = `${file}.restoring`
  const quarantined = quarantinePath(file, at)
  const backups = backupsOf(file).filter((path) => !isOfNewerVersion(readHeader(path), kind))
  const backup = backups.find((path) => integrityCheck(path, kind))
  removeDatabaseFiles(made)
  writeFileSync(made, backup === undefined ? '' : readFileSync(backup), { mode: 0o600 })
  const db = new Database(made)
  try {
    migrate(db, kind)
    withCopy(file, (damaged) => copyReadableParts(db, damaged, kind))
    writeRecoveryNote(db, kind.notes, {
      why: 'damaged',
      at,
      quarantined: existsSync(file) ? quarantined : '',
      backupAt: backup === undefined ? null : statSync(backup).mtimeMs,
      ...countsOf(db, kind),
    })
  } catch (error) {
    db.close()
    removeDatabaseFiles(made)
    throw error
  }
  db.close()
  flushToDisk(made)
  swapFiles(file, made, quarantined)
  if (backup !== undefined) removeDamagedBackups(backups.slice(0, backups.indexOf(backup)))
}

/** Without this, the next backups would keep a damaged backup instead of the restored one. */
function removeDamagedBackups(damaged: readonly string[]): void {
  try {
    for (const path of damaged) removeDatabaseFiles(path)
  } catch {
    // Another program may have opened a backup. The file is restored all the same.
  }
}

function copyReadableParts(db: Db, damaged: Db | null, kind: FileKind): void {
  if (kind !== appFile) restoreEdits(db, damaged)
  else if (damaged !== null) carryOverTables(db, damaged, ['connection', 'keychain_record', 'setting'])
}

/** The app's own file has no websites and edits. */
function countsOf(db: Db, kind: FileKind): Pick<Recovery, 'websites' | 'edits'> {
  if (kind === appFile) return { websites: 0, edits: 0 }
  const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  return { websites: count('website'), edits: count('edit') }
}
