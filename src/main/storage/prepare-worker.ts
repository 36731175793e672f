import { parentPort, workerData } from 'node:worker_threads'
import { prepareFile, type PrepareRequest } from './prepare.ts'

// Entry of the worker that `prepareFileInWorker` starts.
parentPort?.postMessage(prepareFile(workerData as PrepareRequest))
