import { Worker } from 'node:worker_threads'

/**
 * Runs a script in a thread of its own, so that nothing else waits for it. `heard` is called with each of its messages, in
 * order. Resolves when the thread has ended; false: with an error.
 */
export function runWorker(script: string, data: unknown, heard: (message: unknown) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const worker = new Worker(script, { workerData: data })
    worker.on('message', heard)
    worker.once('error', () => resolve(false))
    worker.once('exit', (code) => resolve(code === 0))
  })
}
