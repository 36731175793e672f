import { parentPort, workerData } from 'node:worker_threads'
import { readImport } from './outbox/transfer/import-read.ts'
import type { ImportPart } from './import-in-worker.ts'

/** Rows of one message: main takes each message in a few milliseconds. */
const PART = 500

const say = (part: ImportPart): void => parentPort?.postMessage(part)

// The entry of a worker: it reads one file, tells what it has found part by part, and ends.
const file = readImport(workerData as string, (done, total) => say({ done, total }))
if (!file.ok) say({ error: file.error })
else {
  const { connection, websites, rows } = file.value
  say({ connection })
  for (let at = 0; at < websites.length; at += PART) say({ websites: websites.slice(at, at + PART) })
  for (let at = 0; at < rows.length; at += PART) say({ rows: rows.slice(at, at + PART) })
}
