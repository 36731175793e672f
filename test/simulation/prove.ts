/** The long proof in memory (docs/proof.md), on all cores. Its last line has the counts; exit status 1 if any isn't 0. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readSwitches } from '../../scripts/switches.mjs'
import { disks, type DiskKind } from './disk/disk.ts'
import { generate } from './generate.ts'
import { proveBug, proveBugs } from './known-bugs.ts'
import { proveOverwrites } from './overwrites.ts'
import { runMany, type Run } from './pool.ts'
import { formatTotals, formatReport, isClean, noTotals, type Totals } from './report.ts'
import { runSchedule } from './schedule.ts'
import { describeWorld } from './describe.ts'

const USAGE = `npm run prove -- [--edits N] [--seed S] [--resume FILE] [--disk memory|sqlite]
npm run prove -- --schedule SEED   one schedule again, with all that happens in it
npm run prove -- --accounts N ...  with N accounts at once in one process; not with --schedule
npm run prove -- --wide ...        with bulk edits, forms that stay open, and imports among them
npm run prove -- --first ...       ends at the first finding
npm run prove -- --bug NAME        with a known bug in a copy of the source: 1 it's found, 0 it isn't, 2 it can't be put in
npm run prove -- --bugs            with each of them in turn: 0 all are found
npm run prove -- --overwrites      how many values of other clients are overwritten, and with how many requests
npm run prove -- --queue           a long queue of --edits N, default 10000: its times, memory and requests

  --edits   acknowledged edits, at least; default 1000000
  --seed    default 1`

const options = {
  edits: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  disk: { type: 'string', default: 'memory' },
  resume: { type: 'string' },
  wide: { type: 'boolean', default: false },
  accounts: { type: 'string', default: '1' },
  schedule: { type: 'string' },
  first: { type: 'boolean', default: false },
  bug: { type: 'string' },
  bugs: { type: 'boolean', default: false },
  queue: { type: 'boolean', default: false },
  overwrites: { type: 'boolean', default: false },
} as const
const values = readSwitches(USAGE, options, { edits: 1e10, seed: 1e10, schedule: 1e10, accounts: 10 })
const { wide } = values
const disk: DiskKind = values.disk === 'sqlite' ? 'sqlite' : 'memory'

if (values.queue) await import('./queue.ts')
else if (values.overwrites) process.exitCode = (await proveOverwrites()) ? 0 : 1
else if (values.bugs) process.exitCode = await proveBugs()
else if (values.bug !== undefined) process.exitCode = await proveBug(values.bug)
else if (values.schedule !== undefined) await again(Number(values.schedule))
else await prove(Number(values.edits), Number(values.seed))

async function again(seed: number): Promise<void> {
  const { edits, findings, story } = await runSchedule(generate(seed, wide), disks[disk], describeWorld)
  console.log(story)
  console.log(formatReport({ seed, edits, findings }))
  process.exitCode = findings.length === 0 ? 0 : 1
}

async function prove(edits: number, seed: number): Promise<void> {
  const state = readState(seed)
  const begun = performance.now()
  const before = state.totals.edits
  let reported = begun
  let shown = 0
  const show = ({ failures }: Totals): void => {
    for (const failure of failures.slice(shown)) console.log(formatReport(failure))
    shown = failures.length
  }
  const totals = await runMany({
    seed,
    disk,
    wide,
    accounts: Number(values.accounts),
    batch: 25,
    ...state,
    enough: (so) => so.edits >= edits || (values.first && !isClean(so)),
    onBatch(run) {
      show(run.totals)
      if (performance.now() - reported < 2_000) return
      reported = performance.now()
      keepState(run)
      const rate = Math.round(((run.totals.edits - before) / (reported - begun)) * 1000)
      console.error(
        `${formatTotals(run.totals.edits, run.totals)} (${run.totals.schedules} schedules, ${rate} edits/s)`,
      )
    },
  })
  keepState({ seed, totals, done: state.done })
  show(totals)
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`seed ${seed}: ${totals.edits} edits in ${totals.schedules} schedules, ${seconds} s`)
  console.log(formatTotals(Math.min(edits, totals.edits), totals))
  process.exitCode = isClean(totals) ? 0 : 1
}

function readState(seed: number): Pick<Run, 'totals' | 'done'> {
  const { resume } = values
  if (resume === undefined || !existsSync(resume)) return { totals: noTotals(), done: new Set() }
  const kept = JSON.parse(readFileSync(resume, 'utf8')) as { seed: number; totals: Totals; done: number[] }
  if (kept.seed !== seed) throw new Error(`${resume} is of seed ${kept.seed}.`)
  return { totals: kept.totals, done: new Set(kept.done) }
}

function keepState({ seed, totals, done }: Pick<Run, 'seed' | 'totals' | 'done'>): void {
  if (values.resume !== undefined) writeFileSync(values.resume, JSON.stringify({ seed, totals, done: [...done] }))
}
