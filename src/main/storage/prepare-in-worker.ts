import { Worker } from 'node:worker_threads'
import { fail, type Result } from '../../shared/result.ts'
import type { PrepareRequest } from './prepare.ts'

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
