import { parentPort, workerData } from 'node:worker_threads'
import { readImport } from './outbox/transfer/import-read.ts'
import type { ImportPart } from './import-in-worker.ts'

/** Number of rows in a message, which main handles in a few milliseconds. */
const ROWS_PER_MESSAGE = 500

const post = (part: ImportPart): void => parentPort?.postMessage(part)

// Worker that reads one file, posts its content in parts, and ends.
const file = readImport(workerData as string, (done, total) => post({ done, total }))
if (!file.ok) post({ error: file.error })
else {
  const { connection, websites, rows } = file.value
  post({ connection })
  for (let at = 0; at < websites.length; at += ROWS_PER_MESSAGE)
    post({ websites: websites.slice(at, at + ROWS_PER_MESSAGE) })
  for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE) post({ rows: rows.slice(at, at + ROWS_PER_MESSAGE) })
}
