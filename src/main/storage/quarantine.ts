import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { moveDatabaseFiles, filesNamedAfter, flushToDisk } from './files.ts'

/** A restored file is named `FILE.restored-TIME` until it has replaced the damaged FILE. TIME is that of the quarantine. */
const RESTORED_MARK = '.restored-'
/** A damaged file in quarantine is named `FILE.damaged-TIME`. TIME is that of the quarantine. */
const DAMAGED_MARK = '.damaged-'

/** Returns an unused path. `at`: time of the quarantine in milliseconds since 1970. */
export function quarantinePath(file: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(':', '-').replace(/\..*/, '')
  for (let n = 1; ; n++) {
    const path = file + DAMAGED_MARK + (n === 1 ? stamp : `${stamp}-${String(n)}`)
    if (!existsSync(path) && !existsSync(`${path}-journal`)) return path
  }
}

/**
 * Moves a damaged file to its quarantine path and replaces it with `restored`, which must be on disk. The first rename
 * records the plan: if the process ends before the last one, {@link finishFileSwap} continues.
 */
export function swapFiles(file: string, restored: string, quarantined: string): void {
  renameSync(restored, file + RESTORED_MARK + quarantined.slice((file + DAMAGED_MARK).length))
  flushToDisk(dirname(file))
  finishFileSwap(file)
}

/** Finishes a swap that {@link swapFiles} has begun, if there is one. */
export function finishFileSwap(file: string): void {
  const ready = filesNamedAfter(file, RESTORED_MARK)[0]
  if (ready === undefined) return
  moveDatabaseFiles(file, file + DAMAGED_MARK + ready.slice((file + RESTORED_MARK).length))
  flushToDisk(dirname(file))
  renameSync(ready, file)
  flushToDisk(dirname(file))
}
