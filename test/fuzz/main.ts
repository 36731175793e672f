/**
 * Checks the properties of this folder with many cases, from a new seed each time; `npm test` checks the same ones with
 * few. A failure prints the value that failed; with the same seed and runs it fails again.
 */
import { randomInt } from 'node:crypto'
import { run } from '../../scripts/run.mjs'
import { projectNode, root, toolEnv, tools } from '../../scripts/setup/project.mjs'
import { readSwitches } from '../../scripts/switches.mjs'

const USAGE = `npm run fuzz -- [--runs N] [--seed S] [--only bridge|answers]

  --runs  cases of each property; default 5000
  --seed  a whole number; without it a new one, which is printed
  --only  one file of test/fuzz`

const options = {
  runs: { type: 'string', default: '5000' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  only: { type: 'string', default: '' },
} as const
const { runs, seed, only } = readSwitches(USAGE, options, { runs: 1e9, seed: 2 ** 31 })

console.log(`${runs} cases of each property, from seed ${seed}`)
const args = [tools.vitest, 'run', '--project', 'unit', `test/fuzz/${only}`]
const env = { ...toolEnv(), FUZZ_RUNS: runs, FUZZ_SEED: seed }
process.exitCode = await run(projectNode, args, { cwd: root, env })
if (process.exitCode !== 0) console.error(`again: npm run fuzz -- --runs ${runs} --seed ${seed}`)
