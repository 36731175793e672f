// @ts-check
/**
 * How a runner's reporter tells the test run (capture.mjs) what happens, while its other output is kept back: by lines on a pipe
 * of its own. A reporter that is used without such a pipe writes to the terminal.
 */
import { writeSync } from 'node:fs'
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
