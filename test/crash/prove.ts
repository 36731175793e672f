/**
 * Kills the real process at each step of sending an edit and at random times, and cuts its power. Then compares the acknowledged
 * edits with the service (docs/proof.md#crash-and-power-loss). Several workers share the stories.
 */
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { readSwitches } from '../../scripts/switches.mjs'
import { bundleChild } from './bundle.ts'
import { buildRecorder, canRecord } from './power/recorder.ts'
import { steps, weaknesses, type Weakness } from './protocol.ts'
import { dice } from './random.ts'
import type { Done, Job } from './worker.ts'

type Part = Job['at']
const parts: readonly Part[] = [...steps, 'random', 'power']

/** Maximum number of kills in one story, after which the edits are compared with the service. */
const CHAIN = 20
const CUTS = 10
const REPORT_INTERVAL_MS = 10_000

const USAGE = `npm run prove:crash -- [--kills N] [--random N] [--power N] [--seed S] [--only PART,…] [--break NAME]

  --kills    SIGKILLs at each step; default 200
  --random   SIGKILLs at random times; default 1000
  --power    losses of power; default 1000, which takes Linux and gcc
  --seed     a whole number; without it a new one, which is printed
  --only     these parts alone: ${parts.join(', ')}; with --story S one of their stories
  --break    breaks a promise on purpose, which has to be found: ${weaknesses.join(', ')}`

const options = {
  kills: { type: 'string', default: '200' },
  random: { type: 'string', default: '1000' },
  power: { type: 'string', default: '1000' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  story: { type: 'string' },
  only: { type: 'string', default: parts.join(',') },
  break: { type: 'string' },
} as const
const most = 2 ** 31
const switches = readSwitches(USAGE, options, { kills: most, random: most, power: most, seed: most, story: most })
const seed = Number(switches.seed)
const chosen = switches.only.split(',') as Part[]
const weakness = (switches.break ?? null) as Weakness | null
const unknown = [...chosen.filter((part) => !parts.includes(part)), ...(weakness ? [weakness] : [])].filter(
  (name) => !(weaknesses as readonly string[]).includes(name),
)
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: there is no such thing. There are: ${[...parts, ...weaknesses].join(', ')}`)
  process.exit(2)
}

const built = mkdtempSync(join(tmpdir(), 'siteward-recorder-'))
const bundle = await bundleChild()
const total = { kills: 0, power: 0, taken: 0, adopted: 0, lost: 0, doubled: 0, wrong: 0, asked: 0, secrets: 0 }
const byPart = new Map<Part, number>()
const begun = performance.now()
const jobs = allJobs()
const planned = jobs.reduce((sum, { count }) => sum + count, 0)
console.log(`${String(planned)} kills and losses of power in ${String(jobs.length)} stories, from seed ${String(seed)}`)

const telling = setInterval(tell, REPORT_INTERVAL_MS)
let failed = false
try {
  await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, startWorker))
} finally {
  clearInterval(telling)
  rmSync(dirname(bundle), { recursive: true, force: true })
  rmSync(built, { recursive: true, force: true })
}
conclude()

function allJobs(): Job[] {
  const losesPower = chosen.includes('power') && switches.power !== '0'
  if (losesPower && !canRecord()) throw new Error('Losing power takes Linux and gcc. Without it: --power 0')
  const base = {
    program: { node: presentRuntime().executable, bundle },
    weakness,
    recorder: losesPower ? buildRecorder(built) : '',
  }
  return chosen.flatMap((at): Job[] => {
    const count = Number(switches[at === 'power' || at === 'random' ? at : 'kills'])
    const each = at === 'power' ? CUTS : CHAIN
    const random = dice(seed).of(at)
    if (switches.story) return [{ ...base, at, seed: Number(switches.story), count: Math.min(count, each) }]
    return Array.from({ length: Math.ceil(count / each) }, (_, index) => ({
      ...base,
      at,
      seed: random.below(2 ** 31),
      count: Math.min(each, count - index * each),
    }))
  })
}

function startWorker(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(join(import.meta.dirname, 'worker.ts'), { execPath: process.execPath, execArgv: [] })
    let job: Job | undefined
    worker.on('message', (message: 'ready' | Done) => {
      if (message !== 'ready' && job !== undefined) record(job, message)
      // Random order, so that a failure in any part shows early.
      job = jobs.splice(Math.floor(Math.random() * jobs.length), 1)[0]
      if (job === undefined) worker.disconnect()
      else worker.send(job)
    })
    worker.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`A worker ended with ${String(code)} in ${JSON.stringify({ ...job, program: undefined })}`))
    })
  })
}

/** Adds the result of a job to the totals. After a failure, prints what was found, and the command that repeats the job. */
function record({ at, seed: story, count }: Job, done: Done): void {
  total[at === 'power' ? 'power' : 'kills'] += done.count
  total.taken += done.taken
  total.adopted += done.adopted
  total.secrets += done.leaks.length
  byPart.set(at, (byPart.get(at) ?? 0) + done.count)
  for (const { kind } of done.findings) total[kind] += 1
  if (done.count < count) console.log(`${at}: came about ${String(done.count)} times instead of ${String(count)}`)
  if (done.count >= count && done.findings.length + done.leaks.length === 0) return
  failed = true
  console.log(
    `\n${at}, again: npm run prove:crash -- --only ${at} --story ${String(story)}${switches.break ? ` --break ${switches.break}` : ''}`,
  )
  for (const { kind, domain, why } of done.findings.slice(0, 10)) console.log(`  ${kind} ${domain}: ${why}`)
  for (const { where, way } of done.leaks.slice(0, 10)) console.log(`  secret in ${where}, ${way}`)
}

function tell(): void {
  const done = total.kills + total.power
  const seconds = (performance.now() - begun) / 1000
  const left = done === 0 ? '' : `, about ${String(Math.ceil(((seconds / done) * (planned - done)) / 60))} min left`
  console.log(`${String(done)} of ${String(planned)}, ${String(total.taken)} promises${left}`)
}

function conclude(): void {
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.log(`\n${[...byPart].map(([part, count]) => `${part} ${String(count)}`).join(', ')}`)
  console.log(
    `${String(total.taken)} promises in ${minutes} min; wrong=${String(total.wrong)} asked=${String(total.asked)} adopted=${String(total.adopted)}`,
  )
  const { kills, power, lost, doubled, secrets } = total
  console.log(
    `kills=${String(kills)} power=${String(power)} lost=${String(lost)} doubled=${String(doubled)} secrets=${String(secrets)}`,
  )
  process.exitCode = failed ? 1 : 0
}
