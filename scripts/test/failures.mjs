// @ts-check
/**
 * Lets a runner's reporter write lines to a pipe of the test run (capture.mjs), which collects all other output. Without such a
 * pipe the reporter writes to the terminal.
 */
import { writeFileSync, writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const pipe = Number(process.env['SITEWARD_TEST_PIPE'] ?? '2')

/** @param {string} text */
export const tell = (text) => writeSync(pipe, `${text}\n`)

/** @param {string} text */
const indented = (text) => stripVTControlCharacters(text).trim().replaceAll(/^/gm, '    ')

/**
 * @param {string} title
 * @param {readonly string[]} errors
 */
export const tellFailure = (title, errors) => tell(['', `FAILED ${title}`, ...errors.map(indented), ''].join('\n'))

/** @param {readonly ('passed' | 'failed' | 'skipped')[]} results of all tests */
export const storeCounts = (results) => {
  const count = (/** @type {string} */ result) => results.filter((one) => one === result).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  const file = process.env['SITEWARD_TEST_COUNTS']
  if (file) writeFileSync(file, JSON.stringify(counts))
}
