import { parentPort, workerData } from 'node:worker_threads'
import { readTable } from './bulk/table/read-table.ts'
import type { TablePart } from './table-in-worker.ts'

/** Rows per message: main handles each in a few milliseconds. */
const PART = 500

const post = (part: TablePart): void => parentPort?.postMessage(part)

// Worker that reads one table, posts its content in parts, and ends.
const table = readTable(workerData as Uint8Array, (done, total) => post({ done, total }))
if (!table.ok) post({ error: table.error })
else {
  const { ignored, rows } = table.value
  post({ ignored })
  for (let at = 0; at < rows.length; at += PART) post({ rows: rows.slice(at, at + PART) })
}
