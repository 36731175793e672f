import { parentPort, workerData } from 'node:worker_threads'
import { prepareFile, type PrepareRequest } from './prepare.ts'

// The entry of a worker: it does one thing, says how that went, and ends.
parentPort?.postMessage(prepareFile(workerData as PrepareRequest))
