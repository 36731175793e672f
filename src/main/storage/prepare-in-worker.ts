import { statSync } from 'node:fs'
import { fail, type Result } from '../../shared/result.ts'
import { runWorker } from '../worker.ts'
import { prepareFile, type PrepareRequest } from './prepare.ts'

/** Bytes that are checked within some milliseconds; a thread takes longer than that to start. */
const SMALL = 512 * 1024

/**
 * As {@link prepareFile}: at once if the file is small, else in a thread of its own (`script`: prepare-worker.ts, built or
 * not). Errors: those of {@link prepareFile}; `storage` if the thread ends without an answer.
 */
export async function prepareAside(script: string, request: PrepareRequest): Promise<Result<void>> {
  const size = statSync(request.file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= SMALL) return prepareFile(request)
  let result: Result<void> = fail('storage')
  await runWorker(script, request, (message) => (result = message as Result<void>))
  return result
}
