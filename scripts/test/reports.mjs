// @ts-check
/** How many passed and failed, by what the runners report for machines. */
import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: unknown[] }[]} testResults a file each
 */

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 */

/** @param {Counts} counts */
export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * @param {VitestReport} report
 * @returns {Counts}
 */
export const countVitest = (report) => {
  // A file that can't be loaded has no tests that could fail.
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @param {PlaywrightReport} report
 * @returns {Counts}
 */
export const countPlaywright = ({ stats }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
})

/**
 * A runner that fails without a failed test (a crash, an error outside of any test), leaves no report, or runs nothing
 * is itself one failure.
 *
 * @param {number} exitCode
 * @param {Counts | null} counts
 * @returns {Counts}
 */
export const judge = (exitCode, counts) => {
  if (!counts) return { passed: 0, failed: 1, skipped: 0 }
  const hasOwnFailure = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)
  return hasOwnFailure ? { ...counts, failed: 1 } : counts
}

/**
 * @template T
 * @param {string} file
 * @param {(report: T) => Counts} count
 * @returns {Counts | null} null: there's no report that can be read
 */
export const readCounts = (file, count) => {
  if (!existsSync(file)) return null
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** @param {readonly Counts[]} all */
export const sum = (all) => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
})
