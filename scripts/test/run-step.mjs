// @ts-check
import { formatCounts, countRunnerFailure } from './reports.mjs'

/**
 * Runs a part of the test run, and prints a line when it starts and one when it ends. The output of the part is printed
 * only if it fails.
 *
 * @param {import('./steps.mjs').Step} step
 */
export const runStep = async ({ name, run }) => {
  console.log(`${name}: started`)
  const begun = performance.now()
  // A part that can't start (no keychain, no display) counts as failed, and the others run.
  const { counts, output } = await run().catch((error) => ({
    counts: countRunnerFailure(1, null),
    output: String(error),
  }))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (counts.failed > 0 && output.trim() !== '') console.log(`\n${output.trim()}\n`)
  console.log(`${name}: ${formatCounts(counts)} (${seconds} s)`)
  return counts
}
