// @ts-check
/**
 * How a runner's reporter tells the test run (capture.mjs) what happens, while its other output is kept back: by lines on a pipe
 * of its own. A reporter that is used without such a pipe writes to the terminal.
 */
import { writeFileSync, writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const pipe = Number(process.env['SITEWARD_TEST_PIPE'] ?? '2')

/** @param {string} text */
export const tell = (text) => writeSync(pipe, `${text}\n`)

/** @param {string} text */
const indented = (text) => stripVTControlCharacters(text).trim().replaceAll(/^/gm, '    ')

/**
 * Tells of a failed test at once.
 *
 * @param {string} title
 * @param {readonly string[]} errors
 */
export const tellFailure = (title, errors) => tell(['', `FAILED ${title}`, ...errors.map(indented), ''].join('\n'))

/**
 * Leaves the counts for the test run (steps.mjs).
 *
 * @param {readonly ('passed' | 'failed' | 'skipped')[]} results of all tests
 */
export const leaveCounts = (results) => {
  const count = (/** @type {string} */ result) => results.filter((one) => one === result).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  const file = process.env['SITEWARD_TEST_COUNTS']
  if (file) writeFileSync(file, JSON.stringify(counts))
}
