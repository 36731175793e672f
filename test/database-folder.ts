import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GIGABYTE = 1e9

/** True if a file system in memory exists and has room for all workers. In a container, it may be small. */
function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > GIGABYTE
}

const parent = hasRoom() ? MEMORY : tmpdir()

/**
 * Creates a folder for databases, in memory if possible: on a disk, the sync after each commit would take most of a test's time.
 * test/crash/power tests that these syncs are made.
 */
export const databaseFolder = (prefix = 'siteward-'): string => mkdtempSync(join(parent, prefix))
