/** A thread of pool.ts: runs schedules and reports on them. */
import { parentPort } from 'node:worker_threads'
import { disks, type DiskKind } from './disk/disk.ts'
import { generate } from './generate.ts'
import { seedOf } from './machine/random.ts'
import type { Report } from './report.ts'
import { runSchedule } from './schedule.ts'
import { runTogether } from './several-accounts.ts'

/** A part of a run: `count` schedules, from number `from` on. */
export interface Batch {
  seed: number
  from: number
  count: number
  disk: DiskKind
  wide: boolean
  accounts: number
}

parentPort?.on('message', (batch: Batch) => void run(batch).then((reports) => parentPort?.postMessage(reports)))

async function run({ seed, from, count, disk, wide, accounts }: Batch): Promise<Report[]> {
  const reports: Report[] = []
  for (let n = from; n < from + count; n++) reports.push(await report(seedOf(seed, n), disk, wide, accounts))
  return reports
}

/** Runs the schedules of a seed, one for each account. If a run throws, that is a finding. */
export async function report(seed: number, disk: DiskKind, wide = false, accounts = 1): Promise<Report> {
  try {
    const schedules = Array.from({ length: accounts }, (_, n) => generate(seedOf(seed, n), wide))
    const { edits, findings } =
      accounts > 1 ? await runTogether(schedules, disks[disk]) : await runSchedule(generate(seed, wide), disks[disk])
    return { seed, edits, findings }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { seed, edits: 0, findings: [{ count: 'wrong', text: `it ended with ${reason}` }] }
  }
}
