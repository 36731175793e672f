/**
 * Fuzzes the bridge and the client in one process, and then the built app in Electron. Every run uses a new seed. `npm test`
 * checks the same properties with few cases of a fixed seed.
 * A failure prints the value that failed. The same seed and number of cases repeat it.
 */
import { randomInt } from 'node:crypto'
import { run } from '../../scripts/run.mjs'
import { inProject, projectNode, root, toolEnv, tools } from '../../scripts/setup/project.mjs'
import { readSwitches } from '../../scripts/switches.mjs'

const USAGE = `npm run fuzz -- [--runs N] [--inputs N] [--seed S] [--only app|bridge|answers]

  --runs    cases of each property of the bridge and the client; default 5000
  --inputs  malformed inputs that the built app gets in Electron; default 100000
  --seed    a whole number; without it a new one, which is printed
  --only    one file of test/fuzz`

const options = {
  runs: { type: 'string', default: '5000' },
  inputs: { type: 'string', default: '100000' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  only: { type: 'string', default: '' },
} as const
const { runs, inputs, seed, only } = readSwitches(USAGE, options, { runs: 1e9, inputs: 1e9, seed: 2 ** 31 })

const env = { ...toolEnv(), FUZZ_RUNS: runs, FUZZ_INPUTS: inputs, FUZZ_SEED: seed }
const start = (args: string[]): Promise<number> => run(projectNode, args, { cwd: root, env })

console.log(`seed ${seed}`)
if (only !== 'app') process.exitCode = await start([tools.vitest, 'run', '--project', 'unit', `test/fuzz/${only}`])
if (only === 'app' || only === '') process.exitCode ||= await start(['--no-warnings', inProject('test/fuzz/app.ts')])
if (process.exitCode !== 0) console.error(`again: npm run fuzz -- --runs ${runs} --inputs ${inputs} --seed ${seed}`)
