import { workerData } from 'node:worker_threads'
import { readImport } from './outbox/transfer/import-read.ts'
import { postFile } from './worker.ts'

// Worker that reads one file of exported edits, and ends.
postFile((onProgress) => readImport(workerData as string, onProgress))
