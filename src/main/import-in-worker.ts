import { fail, ok, type AppError, type Result } from '../shared/result.ts'
import type { ConnectionIdentity } from './outbox/transfer/export-file.ts'
import type { ImportFile } from './outbox/transfer/import-read.ts'
import type { ReadImport } from './outbox/ports.ts'
import { runWorker } from './worker.ts'

/** The messages of the worker: its progress, and then the content of the file in parts. */
export type ImportPart =
  | { done: number; total: number }
  | { error: AppError }
  | { connection: ConnectionIdentity }
  | Pick<ImportFile, 'websites'>
  | Pick<ImportFile, 'rows'>

/** Reads a file of exported edits in a thread (`script`: import-worker.ts, built or not). Errors: those of `readImport`. */
export const importInWorker =
  (script: string): ReadImport =>
  async (text, onProgress) => {
    let result: Result<ImportFile> = fail('bad-file')
    const ended = await runWorker(script, text, (message) => {
      const part = message as ImportPart
      if ('done' in part) onProgress(part.done, part.total)
      else if ('error' in part) result = { ok: false, error: part.error }
      else if ('connection' in part) result = ok({ connection: part.connection, websites: [], rows: [] })
      else if (result.ok && 'websites' in part) result.value.websites.push(...part.websites)
      else if (result.ok && 'rows' in part) result.value.rows.push(...part.rows)
    })
    return ended ? result : fail('bad-file')
  }
