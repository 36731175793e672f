// @ts-check
/**
 * `npm test` sets up what is missing, runs the checks and all tests, and ends with the line `N passed, N failed`.
 * `--check` (npm run check) runs only the checks, `--only unit,e2e` only these parts. `--official` runs the end-to-end
 * tests on the official Electron only.
 */
import { obtainRuntime } from './runtime.mjs'
import { SetupError } from './setup/error.mjs'
import { reportSetupTime, setup } from './setup.mjs'
import { checks, inBrowser, simulation, unit } from './test/steps.mjs'
import { endAll } from './test/capture.mjs'
import { runStep } from './test/run-step.mjs'
import { formatCounts, sum } from './test/reports.mjs'

/** @typedef {import('./test/steps.mjs').Step} Step */

let interrupted = false
const interrupt = () => {
  interrupted = true
  endAll()
}

const official = process.argv.includes('--official')

const parts = [...checks, unit, simulation, ...inBrowser]

/** @param {readonly string[]} args */
const chosenParts = (args) => {
  if (args.includes('--check')) return checks.map(({ name }) => name)
  const at = args.indexOf('--only')
  if (at === -1) return parts.map(({ name }) => name)
  const names = (args[at + 1] ?? '').split(',')
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0) throw new SetupError(`--only takes ${parts.map(({ name }) => name).join(', ')}`)
  return names
}

/** @param {readonly Step[]} steps */
const inSeries = async (steps) => {
  const results = []
  for (const step of steps) {
    if (interrupted) break
    results.push(await runStep(step))
  }
  return results
}

/**
 * @param {readonly string[]} names
 * @returns {import('./setup.mjs').Need[]}
 */
const needsOf = (names) => [
  ...(names.includes('e2e') ? /** @type {const} */ (['build']) : []),
  ...([unit, simulation, ...inBrowser].some(({ name }) => names.includes(name)) ? /** @type {const} */ (['test']) : []),
]

/** @param {import('./test/reports.mjs').Counts} total */
const reportTotal = (total) => {
  console.log(formatCounts(total))
  process.exitCode = total.failed === 0 && !interrupted ? 0 : 1
}

/** @param {readonly string[]} names */
const runParts = async (names) => {
  const selected = (/** @type {readonly Step[]} */ steps) => steps.filter(({ name }) => names.includes(name))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, interrupt)
  // The checks and the unit tests run at the same time, because each of the two series keeps only one core busy.
  const first = await Promise.all([inSeries(selected(checks)), inSeries(selected([unit]))])
  return sum([...first.flat(), ...(await inSeries(selected([simulation, ...inBrowser])))])
}

try {
  const names = chosenParts(process.argv.slice(2))
  await setup({ need: needsOf(names) })
  if (names.includes('e2e')) {
    const runtime = await obtainRuntime({ again: official, say: (line) => console.log(`setup: ${line}`) })
    if (official && !runtime.official) throw new SetupError("Electron's official binary could not be downloaded.")
    console.log(`e2e runs on ${runtime.name}`)
  }
  reportSetupTime()
  reportTotal(await runParts(names))
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  reportTotal({ passed: 0, failed: 1, skipped: 0 })
}
