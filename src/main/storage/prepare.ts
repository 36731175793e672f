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
  const isNew = (): boolean => !known && backupsOf(file).length === 0 && readHeader(file) === null
  try {
    finishSwap(file)
    const header = readHeader(file)
    if (isNew() || isNewer(header, kind)) return ok(undefined)
    if (header !== null && integrityCheck(file, kind)) return ok(undefined)
    // The transaction that was to create it was interrupted, and the check has rolled it back.
    if (isNew()) return ok(undefined)
    restore(file, kind, Date.now())
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}
