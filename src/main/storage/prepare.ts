import { statSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import { runWorker } from '../worker.ts'
import { backupsOf } from './backup.ts'
import { removeTemporaryCopies } from './files.ts'
import { integrityCheck } from './integrity-check.ts'
import { isOfNewerVersion, readHeader } from './header.ts'
import { finishFileSwap } from './quarantine.ts'
import { restoreFile } from './restore.ts'
import { fileKinds } from './schema.ts'
import { asFailure } from './sqlite.ts'

/** A file to check before it is opened. */
export interface CheckRequest {
  file: string
  kind: keyof typeof fileKinds
  /** True if the file had data before, so that a missing or empty file is a damaged one. */
  hadData: boolean
}

/**
 * Checks a file before it is opened, and restores it if it is damaged (docs/sync.md#damaged-database). Leaves a file of a newer
 * version alone. Errors: `in-use`, `disk-full`, `storage`; then the file is unchanged.
 */
export function checkOrRestoreFile({ file, kind: name, hadData }: CheckRequest): Result<void> {
  const kind = fileKinds[name]
  const isNew = (): boolean => !hadData && backupsOf(file).length === 0 && readHeader(file) === null
  try {
    finishFileSwap(file)
    removeTemporaryCopies(file)
    const header = readHeader(file)
    if (isNew() || isOfNewerVersion(header, kind)) return ok(undefined)
    if (header !== null && integrityCheck(file, kind)) return ok(undefined)
    // The creation of the file was interrupted, and the check has rolled it back.
    if (isNew()) return ok(undefined)
    restoreFile(file, kind, Date.now())
    return ok(undefined)
  } catch (error) {
    return asFailure(error)
  }
}

/** Checking a file up to this size takes less time than starting a worker. */
const MAX_INLINE_CHECK_BYTES = 512 * 1024

/**
 * Runs {@link checkOrRestoreFile}, in a worker if the file is large. `script`: the path of prepare-worker.ts, built or not.
 * Errors: those of {@link checkOrRestoreFile}; `storage` if the worker ends without a result.
 */
export async function checkOrRestoreInWorker(script: string, request: CheckRequest): Promise<Result<void>> {
  const size = statSync(request.file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= MAX_INLINE_CHECK_BYTES) return checkOrRestoreFile(request)
  let result: Result<void> = fail('storage')
  await runWorker(script, request, (message) => (result = message as Result<void>))
  return result
}
