// @ts-check
/**
 * `npm run prove`: the long proof in memory (docs/proof.md). Its last line has the counts; exit status 1 if any isn't 0.
 * `--bug NAME`: the same on a copy of the source with a known bug in it, which has to be found (exit status 1).
 */
import { parseArgs } from 'node:util'
import { bugNames, proveBug } from './prove/bugs.mjs'
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { inProject, projectNode, root, toolEnv } from './setup/project.mjs'

const USAGE = `npm run prove -- [--edits N] [--seed S] [--resume FILE] [--disk memory|sqlite]
npm run prove -- --schedule SEED   one schedule again, with all that happens in it
npm run prove -- --wide ...        with many websites at once, forms that stay open, and imports among them
npm run prove -- --bug NAME        with a known bug in a copy of the source: 1 it's found, 0 it isn't, 2 it can't be put in
npm run prove -- --bugs            with each of them in turn: 0 all are found
npm run prove -- --queue           a long queue of --edits N, default 10000: its times, memory and requests

  --edits   acknowledged edits, at least; default 1000000
  --seed    default 1`

const options = /** @type {const} */ ({
  edits: { type: 'string' },
  seed: { type: 'string' },
  resume: { type: 'string' },
  disk: { type: 'string' },
  schedule: { type: 'string' },
  wide: { type: 'boolean', default: false },
  bug: { type: 'string' },
  bugs: { type: 'boolean', default: false },
  queue: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
})

const given = () => {
  try {
    const { values } = parseArgs({ options })
    const numbers = [values.edits, values.seed, values.schedule]
    return numbers.every((text) => text === undefined || /^\d{1,10}$/.test(text)) ? values : undefined
  } catch {
    return undefined
  }
}

/** Those of our own arguments that the proof itself takes. */
const passedOn = (/** @type {Record<string, unknown>} */ values) => [
  ...['edits', 'seed', 'resume', 'disk', 'schedule'].flatMap((name) =>
    typeof values[name] === 'string' ? [`--${name}`, values[name]] : [],
  ),
  ...(values.wide === true ? ['--wide'] : []),
]

/** 0: each of them was found. */
const proveAll = async () => {
  let worst = 0
  for (const name of bugNames()) {
    const code = await proveBug(name)
    console.log(`${name}: ${code === 1 ? 'found' : code === 2 ? "can't be put in" : 'NOT found'}`)
    worst = Math.max(worst, code === 1 ? 0 : code === 2 ? 2 : 1)
  }
  return worst
}

const wanted = given()
if (wanted === undefined || wanted.help) {
  console.error(USAGE)
  process.exitCode = wanted === undefined ? 2 : 0
} else {
  await runScript(async () => {
    await setup({ need: [] })
    if (wanted.bugs) process.exitCode = await proveAll()
    else if (wanted.bug !== undefined) process.exitCode = await proveBug(wanted.bug)
    else {
      const main = inProject('test', 'model', wanted.queue ? 'queue.ts' : 'prove.ts')
      const args = ['--no-warnings', main, ...passedOn(wanted.queue ? { edits: wanted.edits } : wanted)]
      process.exitCode = await run(projectNode, args, { cwd: root, env: toolEnv() })
    }
  })
}
