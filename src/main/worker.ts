import { parentPort, Worker } from 'node:worker_threads'
import { fail, ok, type AppError, type ErrorCode, type Result } from '../shared/result.ts'

/** Calls `onMessage` with each message of the thread, in order. Resolves to false if the thread ended with an error. */
export function runWorker(script: string, data: unknown, onMessage: (message: unknown) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const worker = new Worker(script, { workerData: data })
    worker.on('message', onMessage)
    worker.once('error', () => resolve(false))
    worker.once('exit', (code) => resolve(code === 0))
  })
}

type OnProgress = (done: number, total: number) => void

/** The content comes without the items of its lists, which follow in slices. */
type WorkerMessage<T> =
  { done: number; total: number } | { error: AppError } | { content: T } | { list: string; items: unknown[] }

/** Number of items per message, which main handles in a few milliseconds. */
const ITEMS_PER_MESSAGE = 500

/**
 * Returns a function that reads a file in a worker thread. `script`: the path of the thread's script, which uses
 * {@link postFile}. Errors of the returned function: those of the script; `ifEnded` if the thread fails.
 */
export const createWorkerReader =
  <Data, T extends object>(script: string, ifEnded: ErrorCode) =>
  async (data: Data, onProgress: OnProgress): Promise<Result<T>> => {
    let result: Result<T> = fail(ifEnded)
    const ended = await runWorker(script, data, (message) => {
      const part = message as WorkerMessage<T>
      if ('done' in part) onProgress(part.done, part.total)
      else if ('error' in part) result = { ok: false, error: part.error }
      else if ('content' in part) result = ok(part.content)
      else if (result.ok) (result.value as Record<string, unknown[]>)[part.list]?.push(...part.items)
    })
    return ended ? result : fail(ifEnded)
  }

/** Reads a file in a worker, and posts its content to {@link createWorkerReader}. */
export function postFile(read: (onProgress: OnProgress) => Result<object>): void {
  const post = (part: WorkerMessage<object>): void => parentPort?.postMessage(part)
  const file = read((done, total) => post({ done, total }))
  if (!file.ok) return post({ error: file.error })
  const lists = Object.entries(file.value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  post({ content: { ...file.value, ...Object.fromEntries(lists.map(([list]) => [list, []])) } })
  for (const [list, items] of lists)
    for (let at = 0; at < items.length; at += ITEMS_PER_MESSAGE)
      post({ list, items: items.slice(at, at + ITEMS_PER_MESSAGE) })
}
