/**
 * The long proof (docs/proof.md): `--edits N` acknowledged edits at least, in schedules of `--seed S`, on all cores.
 * `--resume FILE` keeps how far it is and goes on from there; `--schedule SEED` runs one of them again and tells all that
 * happened in it; `--disk sqlite` takes the real store; `--wide` more kinds of commands. Exit status 1: something was found.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { disks, type DiskKind } from './disk/disk.ts'
import { generate } from './generate.ts'
import { runMany, type Run } from './pool.ts'
import { inOneLine, inWords, isClean, noTotals, type Totals } from './report.ts'
import { runSchedule } from './schedule.ts'
import { tell } from './tell.ts'

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    disk: { type: 'string', default: 'memory' },
    resume: { type: 'string' },
    wide: { type: 'boolean', default: false },
    schedule: { type: 'string' },
    /** Ends at the first that is found. */
    first: { type: 'boolean', default: false },
  },
})
const { wide } = values
const disk: DiskKind = values.disk === 'sqlite' ? 'sqlite' : 'memory'

if (values.schedule !== undefined) await again(Number(values.schedule))
else await prove(Number(values.edits), Number(values.seed))

/** One schedule, with all that happened in it. */
async function again(seed: number): Promise<void> {
  const { edits, findings, story } = await runSchedule(generate(seed, wide), disks[disk], tell)
  console.log(story)
  console.log(inWords({ seed, edits, findings }))
  process.exitCode = findings.length === 0 ? 0 : 1
}

async function prove(edits: number, seed: number): Promise<void> {
  const state = readState(seed)
  const begun = performance.now()
  const before = state.totals.edits
  let told = begun
  let shown = 0
  const show = ({ failures }: Totals): void => {
    for (const failure of failures.slice(shown)) console.log(inWords(failure))
    shown = failures.length
  }
  const totals = await runMany({
    seed,
    disk,
    wide,
    batch: 25,
    ...state,
    enough: (so) => so.edits >= edits || (values.first && !isClean(so)),
    onBatch(run) {
      show(run.totals)
      if (performance.now() - told < 2_000) return
      told = performance.now()
      keepState(run)
      const rate = Math.round(((run.totals.edits - before) / (told - begun)) * 1000)
      console.error(`${inOneLine(run.totals.edits, run.totals)} (${run.totals.schedules} schedules, ${rate} edits/s)`)
    },
  })
  keepState({ seed, totals, done: state.done })
  show(totals)
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`seed ${seed}: ${totals.edits} edits in ${totals.schedules} schedules, ${seconds} s`)
  console.log(inOneLine(Math.min(edits, totals.edits), totals))
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
