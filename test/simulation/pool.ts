import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { DiskKind } from './disk/disk.ts'
import { addReports, type Report, type Totals } from './report.ts'
import type { Batch } from './worker.ts'

export interface Run {
  seed: number
  disk: DiskKind
  wide?: boolean
  accounts?: number
  batch: number
  enough: (totals: Totals) => boolean
  totals: Totals
  done: Set<number>
  onBatch?: (run: Run) => void
}

/** Runs schedules of one seed on all cores until `enough` returns true. */
export async function runMany(run: Run): Promise<Totals> {
  let next = 0
  const take = (): number | null => {
    while (run.done.has(next)) next++
    return run.enough(run.totals) ? null : next++
  }
  await Promise.all(Array.from({ length: availableParallelism() }, () => work(run, take)))
  return run.totals
}

/** Runs batches on a thread of its own. `take` returns the number of the next batch, or null if the run may end. */
async function work(run: Run, take: () => number | null): Promise<void> {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  try {
    for (let n = take(); n !== null; n = take()) {
      const { seed, disk, batch, wide = false, accounts = 1 } = run
      addReports(run.totals, await ask(worker, { seed, from: n * batch, count: batch, disk, wide, accounts }))
      run.done.add(n)
      run.onBatch?.(run)
    }
  } finally {
    await worker.terminate()
  }
}

const ask = (worker: Worker, batch: Batch): Promise<Report[]> =>
  new Promise((resolve, reject) => {
    worker.once('message', (reports: Report[]) => {
      worker.off('error', reject)
      resolve(reports)
    })
    worker.once('error', reject)
    worker.postMessage(batch)
  })
