import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GIGABYTE = 1e9

/** True if the system has a file system in memory with room for the files of all workers. In a container it may be small. */
function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > GIGABYTE
}

const parent = hasRoom() ? MEMORY : tmpdir()

/**
 * Creates a folder for databases, in memory where that is possible. On a disk, the syncs after each commit would take most of the
 * time of a test. The tests of power loss (test/crash/power) show that they are made.
 */
export const databaseFolder = (prefix = 'siteward-'): string => mkdtempSync(join(parent, prefix))
