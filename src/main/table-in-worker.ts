import { fail, ok, type AppError, type Result } from '../shared/result.ts'
import type { ReadTable, Table } from './bulk/table/read-table.ts'
import { runWorker } from './worker.ts'

/** The messages of the worker: its progress, and then the content of the table in parts. */
export type TablePart =
  { done: number; total: number } | { error: AppError } | Pick<Table, 'ignored'> | Pick<Table, 'rows'>

/** Reads a table in a thread (`script`: table-worker.ts, built or not). Errors: those of `readTable`. */
export const tableInWorker =
  (script: string): ReadTable =>
  async (bytes, onProgress) => {
    let result: Result<Table> = fail('not-a-table')
    const ended = await runWorker(script, bytes, (message) => {
      const part = message as TablePart
      if ('done' in part) onProgress(part.done, part.total)
      else if ('error' in part) result = { ok: false, error: part.error }
      else if ('ignored' in part) result = ok({ ignored: part.ignored, rows: [] })
      else if (result.ok) result.value.rows.push(...part.rows)
    })
    return ended ? result : fail('not-a-table')
  }
