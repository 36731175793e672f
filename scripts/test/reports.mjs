// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {Counts} counts */
export const formatCounts = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * Counts a runner as one more failure if it fails without a failed test (a crash, an error outside of any test), leaves
 * no report, or runs nothing.
 *
 * @param {number} exitCode
 * @param {Counts | null} counts
 * @returns {Counts}
 */
export const countRunnerFailure = (exitCode, counts) => {
  if (!counts) return { passed: 0, failed: 1, skipped: 0 }
  const hasOwnFailure = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)
  return hasOwnFailure ? { ...counts, failed: 1 } : counts
}

/** @param {readonly Counts[]} all */
export const sum = (all) => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
})
