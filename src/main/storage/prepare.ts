import { ok, type Result } from '../../shared/result.ts'
import { backupsOf } from './backup.ts'
import { integrityCheck } from './check.ts'
import { isNewer, readHeader } from './header.ts'
import { finishSwap } from './quarantine.ts'
import { restore } from './restore.ts'
import { fileKinds } from './schema.ts'
import { asFailure } from './sqlite.ts'

export interface PrepareRequest {
  file: string
  kind: keyof typeof fileKinds
  /** There was data: an empty file, or none, is a damaged one. */
  known: boolean
}

/**
 * Checks a file before it is opened, and restores a damaged one. A file of a newer version is left alone. It may take time,
 * so it runs in a worker (prepare-worker.ts). Errors: `in-use`, `disk-full`, `storage`; then the file is as it was.
 */
export function prepareFile({ file, kind: name, known }: PrepareRequest): Result<void> {
  const kind = fileKinds[name]
  try {
    finishSwap(file)
    const header = readHeader(file)
    if (header === null && !known && backupsOf(file).length === 0) return ok(undefined)
    if (isNewer(header, kind)) return ok(undefined)
    if (header === null || !integrityCheck(file, kind)) restore(file, kind, Date.now())
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}
