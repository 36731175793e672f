// @ts-check
/** Reports each failed test at once, and each file when its last test has ended. */
import { relative } from 'node:path'
import { root } from '../setup/project.mjs'
import { storeCounts, tell, tellFailure } from './failures.mjs'
import { formatCounts } from './reports.mjs'

/** @typedef {import('@playwright/test/reporter').TestCase} TestCase */
/** @typedef {import('@playwright/test/reporter').TestError} TestError */

/** @param {readonly TestError[]} errors */
const textsOf = (errors) =>
  errors.map(({ message, value, snippet, stack }) => [message ?? value ?? stack ?? '', snippet ?? ''].join('\n'))

/** @param {TestCase} test counts as failed if it passes only at its second try */
const resultOf = (test) =>
  /** @type {const} */ ({ expected: 'passed', skipped: 'skipped', unexpected: 'failed', flaky: 'failed' })[
    test.outcome()
  ]

export default class Reporter {
  /** @type {TestCase[]} */
  #tests = []
  /** @type {Map<string, { left: number, begun: number, passed: number, failed: number, skipped: number }>} */
  #files = new Map()

  /**
   * @param {unknown} _config
   * @param {import('@playwright/test/reporter').Suite} suite
   */
  onBegin(_config, suite) {
    this.#tests = suite.allTests()
    for (const { location } of this.#tests) {
      const file = this.#files.get(location.file) ?? { left: 0, begun: 0, passed: 0, failed: 0, skipped: 0 }
      this.#files.set(location.file, { ...file, left: file.left + 1 })
    }
  }

  /** @param {TestCase} test */
  onTestBegin({ location }) {
    const file = this.#files.get(location.file)
    if (file) file.begun ||= performance.now()
  }

  /**
   * @param {TestCase} test
   * @param {import('@playwright/test/reporter').TestResult} result
   */
  onTestEnd(test, { retry }) {
    if (test.outcome() === 'unexpected' && retry < test.retries) return
    const name = relative(root, test.location.file)
    const result = resultOf(test)
    if (result === 'failed')
      tellFailure(
        `${name}:${test.location.line} ${test.titlePath().slice(3).join(' › ')}`,
        textsOf(test.results.flatMap(({ errors }) => errors)),
      )
    const file = this.#files.get(test.location.file)
    if (!file) return
    file[result]++
    if (--file.left > 0) return
    const seconds = file.begun ? (performance.now() - file.begun) / 1000 : 0
    tell(`  ${name}: ${formatCounts(file)} (${seconds.toFixed(1)} s)`)
  }

  onEnd() {
    storeCounts(this.#tests.map(resultOf))
  }

  /** @param {TestError} error an error outside of any test */
  onError(error) {
    tellFailure('outside of the tests', textsOf([error]))
  }
}
