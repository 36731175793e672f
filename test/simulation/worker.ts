/** A thread of pool.ts: runs schedules and reports on them. */
import { parentPort } from 'node:worker_threads'
import { disks, type DiskKind } from './disk/disk.ts'
import { generate } from './generate.ts'
import { seedOf } from './machine/random.ts'
import type { Report } from './report.ts'
import { runSchedule } from './schedule.ts'

/** Schedules `from` up to `from + count` of a run. */
export interface Batch {
  seed: number
  from: number
  count: number
  disk: DiskKind
  wide: boolean
}

parentPort?.on('message', (batch: Batch) => void run(batch).then((reports) => parentPort?.postMessage(reports)))

async function run({ seed, from, count, disk, wide }: Batch): Promise<Report[]> {
  const reports: Report[] = []
  for (let n = from; n < from + count; n++) reports.push(await report(seedOf(seed, n), disk, wide))
  return reports
}

export async function report(seed: number, disk: DiskKind, wide = false): Promise<Report> {
  try {
    const { edits, findings } = await runSchedule(generate(seed, wide), disks[disk])
    return { seed, edits, findings }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { seed, edits: 0, findings: [{ count: 'wrong', what: `it ended with ${what}` }] }
  }
}
