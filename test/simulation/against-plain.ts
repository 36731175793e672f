/**
 * Looks for a schedule that fails because of a known bug: it fails on a copy of the source that has the bug, and passes on a copy
 * without it.
 * Arguments: the copy with the bug, the copy without it, then `--seed`, `--edits`, `--disk`, `--wide`, and `--shows`, a regular
 * expression that a finding has to match.
 * Exit status: 3 if such a schedule was found, 0 if not, any other if the search itself failed.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { DiskKind } from './disk/disk.ts'
import type { Report } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    edits: { type: 'string', default: '20000' },
    disk: { type: 'string', default: 'memory' },
    wide: { type: 'boolean', default: false },
    shows: { type: 'string', default: '' },
  },
})
const [bugged = '', plain = ''] = positionals
const disk = values.disk as DiskKind
const part = (copy: string, file: string): Promise<unknown> =>
  import(pathToFileURL(join(copy, 'test', 'simulation', file)).href)
const { runMany } = (await part(bugged, 'pool.ts')) as typeof import('./pool.ts')
const { formatReport, noTotals } = (await part(bugged, 'report.ts')) as typeof import('./report.ts')
const { report } = (await part(plain, 'worker.ts')) as typeof import('./worker.ts')

const shows = new RegExp(values.shows, 'u')
const tally = { failed: 0, alsoPlain: 0, unrelated: 0 }
let found: Report | undefined

/** Repeats a failing schedule on the copy without the bug. Stores the first failure that only the bug causes. */
const compare = async (failure: Report): Promise<void> => {
  if (found !== undefined) return
  tally.failed += 1
  const isShown = failure.findings.some(({ count, text }) => shows.test(`${count}: ${text}`))
  if (!isShown) tally.unrelated += 1
  else if ((await report(failure.seed, disk, values.wide)).findings.length > 0) tally.alsoPlain += 1
  else found = failure
}

/** The comparisons so far. They run one after another, because they share this thread. */
let compared = Promise.resolve()
const totals = await runMany({
  seed: Number(values.seed),
  disk,
  wide: values.wide,
  batch: 5,
  enough: ({ edits }) => found !== undefined || edits >= Number(values.edits),
  totals: noTotals(),
  done: new Set(),
  onBatch(run) {
    // Empties the list of failures, because the totals store no more once it has `MAX_KEPT_FAILURES`.
    for (const failure of run.totals.failures.splice(0)) compared = compared.then(() => compare(failure))
  },
})
await compared
if (found !== undefined) console.log(formatReport(found))
console.log(
  `${totals.edits} edits in ${totals.schedules} schedules; of ${tally.failed} that failed and were looked at, ` +
    `${tally.alsoPlain} fail without the bug too, ${tally.unrelated} show something else`,
)
process.exitCode = found === undefined ? 0 : 3
