import { chmodSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { namedAfter, removeAll, sync } from './files.ts'
import type { Db } from './sqlite.ts'

const MARK = '.before-upgrade-from-'

/**
 * Keeps a copy of a file as it is before an upgrade, `<file>.before-upgrade-from-v1`, on disk when this returns. Of
 * several only the last is kept: each holds the sealed passwords of its time. Throws what SQLite and the file system do.
 */
export function keepCopy(db: Db, file: string, version: number): void {
  const copy = `${file}${MARK}v${String(version)}`
  const made = `${file}.copying`
  removeAll(made)
  try {
    db.prepare('VACUUM INTO ?').run(made)
    chmodSync(made, 0o600)
    sync(made)
  } catch (error) {
    removeAll(made)
    throw error
  }
  removeCopies(file)
  renameSync(made, copy)
  sync(dirname(file))
}

export function removeCopies(file: string): void {
  for (const copy of namedAfter(file, MARK)) rmSync(copy, { force: true })
}
