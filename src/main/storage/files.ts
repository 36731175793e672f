import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What SQLite lays beside a database; a file goes nowhere without them. */
const PARTS = ['', '-journal', '-wal', '-shm']

/** The files beside `file` whose names go on from its own with `mark`. */
export const namedAfter = (file: string, mark: string): string[] =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file) + mark))
    .map((name) => join(dirname(file), name))

export function moveAll(from: string, to: string): void {
  for (const part of PARTS) if (existsSync(from + part)) renameSync(from + part, to + part)
}

export function removeAll(file: string): void {
  for (const part of PARTS) rmSync(file + part, { force: true })
}

/** What was written, or which names a folder holds, outlives a loss of power from here on. */
export function sync(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } catch (error) {
    // Windows syncs no folder, and no file that was opened to be read; there names are kept by the file system.
    if (process.platform !== 'win32') throw error
  } finally {
    closeSync(opened)
  }
}
