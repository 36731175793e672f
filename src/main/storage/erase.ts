import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ok, type Result } from '../../shared/result.ts'
import { namedAfter, sync } from './files.ts'
import { asFailure } from './sqlite.ts'

/**
 * Deletes a connection's file with all that bears its name: logs, copies, and what was put aside. For one that the
 * person removes, or that came to nothing; it must be closed. Errors: `storage`.
 */
export function eraseFile(file: string): Result<void> {
  try {
    for (const path of namedAfter(file, '')) rmSync(path, { force: true })
    sync(dirname(file))
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}
