// @ts-check
/** Tells of each failed test at once, and of each file that can't be loaded. */
import { relative } from 'node:path'
import { root } from '../setup/project.mjs'
import { tellFailure } from './failures.mjs'

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
}
