// @ts-check
/**
 * `npm run fuzz`: the properties of test/fuzz for long, from a new seed each time. `npm test` runs the same ones for a
 * moment. A failure prints the value that failed; with the same seed and runs it fails again.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { run } from './run.mjs'
import { runScript, setup } from './setup.mjs'
import { projectNode, root, toolEnv, tools } from './setup/project.mjs'

const USAGE = `npm run fuzz -- [--runs N] [--seed S] [--only bridge|answers]

  --runs  cases of each property; default 5000
  --seed  a whole number; without it a new one, which is printed
  --only  one file of test/fuzz`

/** @returns {{ runs: number, seed: number, only: string } | undefined} undefined: what was asked is no use */
const given = () => {
  try {
    const options = /** @type {const} */ ({
      runs: { type: 'string', default: '5000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      only: { type: 'string', default: '' },
    })
    const { runs, seed, only } = parseArgs({ options }).values
    if (![runs, seed].every((text) => /^\d{1,10}$/.test(text)) || !/^[a-z-]*$/.test(only)) return undefined
    return { runs: Number(runs), seed: Number(seed), only }
  } catch {
    return undefined
  }
}

const wanted = given()
if (wanted === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const { runs, seed, only } = wanted
  await runScript(async () => {
    await setup({ need: ['test'] })
    console.log(`${String(runs)} cases of each property, from seed ${String(seed)}`)
    const args = [tools.vitest, 'run', '--project', 'unit', `test/fuzz/${only}`]
    const env = { ...toolEnv(), FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) }
    process.exitCode = await run(projectNode, args, { cwd: root, env })
    if (process.exitCode !== 0) console.error(`again: npm run fuzz -- --runs ${String(runs)} --seed ${String(seed)}`)
  })
}
