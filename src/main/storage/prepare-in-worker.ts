import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { fail, type Result } from '../../shared/result.ts'
import { prepareFile, type PrepareRequest } from './prepare.ts'

/** Bytes that are checked within some milliseconds; a thread takes longer than that to start. */
const SMALL = 512 * 1024

/** As {@link prepareFile}: at once where the file is small, else in a thread of its own ({@link prepareInWorker}). */
export async function prepareAside(script: string, request: PrepareRequest): Promise<Result<void>> {
  const size = sizeOf(request.file) + sizeOf(`${request.file}-wal`)
  return size <= SMALL ? prepareFile(request) : prepareInWorker(script, request)
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/**
 * As {@link prepareFile}, in a thread of its own, so that nothing else waits for a large file. `script` is
 * prepare-worker.ts, built or not. Errors: those of {@link prepareFile}; `storage` where the thread ends without a word.
 */
export function prepareInWorker(script: string, request: PrepareRequest): Promise<Result<void>> {
  return new Promise((resolve) => {
    const worker = new Worker(script, { workerData: request })
    worker.once('message', (result: Result<void>) => resolve(result))
    worker.once('error', () => resolve(fail('storage')))
    worker.once('exit', () => resolve(fail('storage')))
  })
}
