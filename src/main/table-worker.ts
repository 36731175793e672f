import { parentPort, workerData } from 'node:worker_threads'
import { readTable } from './bulk/table/read-table.ts'
import type { TablePart } from './table-in-worker.ts'

/** Number of rows in a message, which main handles in a few milliseconds. */
const ROWS_PER_MESSAGE = 500

const post = (part: TablePart): void => parentPort?.postMessage(part)

// Worker that reads one table, posts its content in parts, and ends.
const table = readTable(workerData as Uint8Array, (done, total) => post({ done, total }))
if (!table.ok) post({ error: table.error })
else {
  const { ignored, rows } = table.value
  post({ ignored })
  for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE) post({ rows: rows.slice(at, at + ROWS_PER_MESSAGE) })
}
