import { fail, ok, type AppError, type Result } from '../shared/result.ts'
import type { ConnectionIdentity } from './outbox/export-file.ts'
import type { ImportFile } from './outbox/import-read.ts'
import type { ReadImport } from './outbox/ports.ts'
import { runWorker } from './worker.ts'

/** What the worker tells: first what it is about, then what is in it. */
export type ImportPart =
  | { error: AppError }
  | { connection: ConnectionIdentity; total: number }
  | Pick<ImportFile, 'websites'>
  | Pick<ImportFile, 'rows'>

/** Reads a file of exported edits in a thread (`script`: import-worker.ts, built or not). Errors: those of `readImport`. */
export const importInWorker =
  (script: string): ReadImport =>
  async (text, onProgress) => {
    let result: Result<ImportFile> = fail('bad-file')
    let total = 0
    const ended = await runWorker(script, text, (message) => {
      const part = message as ImportPart
      if ('error' in part) result = { ok: false, error: part.error }
      else if ('total' in part) {
        total = part.total
        result = ok({ connection: part.connection, websites: [], rows: [] })
      } else if (result.ok) {
        const { websites, rows } = result.value
        if ('websites' in part) websites.push(...part.websites)
        else rows.push(...part.rows)
        onProgress(websites.length + rows.length, total)
      }
    })
    return ended ? result : fail('bad-file')
  }
