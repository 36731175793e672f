import { Worker } from 'node:worker_threads'

/**
 * Runs a script in a thread, and calls `onMessage` with each of its messages, in order. Resolves to false if the thread
 * ended with an error.
 */
export function runWorker(script: string, data: unknown, onMessage: (message: unknown) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const worker = new Worker(script, { workerData: data })
    worker.on('message', onMessage)
    worker.once('error', () => resolve(false))
    worker.once('exit', (code) => resolve(code === 0))
  })
}
