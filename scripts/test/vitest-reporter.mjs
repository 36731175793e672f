// @ts-check
/** Reports each failed test at once, and each file that can't be loaded as a failed test. */
import { relative } from 'node:path'
import { root } from '../setup/project.mjs'
import { storeCounts, tellFailure } from './failures.mjs'

/** @param {readonly import('vitest').TestError[]} errors */
const textsOf = (errors) => errors.map(({ stack, message, diff }) => [stack || message, diff ?? ''].join('\n'))

export default class Reporter {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    if (state === 'failed') tellFailure(`${relative(root, test.module.moduleId)} ${test.fullName}`, textsOf(errors))
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const errors = module.errors()
    if (errors.length > 0) tellFailure(relative(root, module.moduleId), textsOf(errors))
  }

  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const results = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result().state))
    const unloaded = modules.filter((module) => module.state() === 'failed' && module.children.size === 0)
    const counted = results.map((state) => (state === 'pending' ? 'skipped' : state))
    storeCounts([...counted, ...unloaded.map(() => /** @type {const} */ ('failed'))])
  }
}
