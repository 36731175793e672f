import { parentPort, workerData } from 'node:worker_threads'
import { checkOrRestoreFile, type CheckRequest } from './prepare.ts'

// Entry of the worker that `checkOrRestoreInWorker` starts.
parentPort?.postMessage(checkOrRestoreFile(workerData as CheckRequest))
