import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A database has these files, which are moved and removed together. */
const SUFFIXES = ['', '-journal', '-wal', '-shm']

/** Returns the files in the folder of `file` whose names begin with its name and `mark`. */
export const filesNamedAfter = (file: string, mark: string): string[] =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file) + mark))
    .map((name) => join(dirname(file), name))

/** Removes temporary copies of a database that a killed process has left. They may contain sealed passwords. */
export function removeTemporaryCopies(file: string): void {
  const left = filesNamedAfter(file, '.').filter((path) => /\.(backing-up|reading|restoring)(-journal)?$/.test(path))
  try {
    for (const path of left) rmSync(path)
  } catch {
    // Another program may have opened a copy. The next start tries again.
  }
}

/** Renames a database with all its files. */
export function moveDatabaseFiles(from: string, to: string): void {
  for (const part of SUFFIXES) if (existsSync(from + part)) renameSync(from + part, to + part)
}

/** Removes a database with all its files. */
export function removeDatabaseFiles(file: string): void {
  for (const part of SUFFIXES) rmSync(file + part, { force: true })
}

/** Flushes the content of a file, or the entries of a folder, so that they survive a loss of power. */
export function flushToDisk(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } catch (error) {
    // Windows can't flush a folder or a file that is opened for reading. Its file system keeps names by itself.
    if (process.platform !== 'win32') throw error
  } finally {
    closeSync(opened)
  }
}

/** True if the disk is full or a quota is exceeded. */
export const isNodeDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
