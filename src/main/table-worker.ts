import { workerData } from 'node:worker_threads'
import { readTable } from './bulk/table/read-table.ts'
import { postFile } from './worker.ts'

// Worker that reads one table, and ends.
postFile((onProgress) => readTable(workerData as Uint8Array, onProgress))
