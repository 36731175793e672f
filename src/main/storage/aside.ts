import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { moveAll, namedAfter, sync } from './files.ts'

const READY = '.salvaged-'
const DAMAGED = '.damaged-'

/** Where a damaged file goes at `at` (milliseconds since 1970), by a name that isn't taken. */
export function asideName(file: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(':', '-').replace(/\..*/, '')
  for (let n = 1; ; n++) {
    const name = file + DAMAGED + (n === 1 ? stamp : `${stamp}-${String(n)}`)
    if (!existsSync(name) && !existsSync(`${name}-wal`)) return name
  }
}

/**
 * Puts `made`, complete and on disk, in the place of a damaged file, and that one aside. Its new name is the word that
 * this is to be done: whatever interrupts it, {@link finishSwap} goes on with it.
 */
export function swap(file: string, made: string, aside: string): void {
  renameSync(made, file + READY + aside.slice((file + DAMAGED).length))
  sync(dirname(file))
  finishSwap(file)
}

export function finishSwap(file: string): void {
  const ready = namedAfter(file, READY)[0]
  if (ready === undefined) return
  const aside = file + DAMAGED + ready.slice((file + READY).length)
  moveAll(file, aside)
  sync(dirname(file))
  renameSync(ready, file)
  sync(dirname(file))
}
