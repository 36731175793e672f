// @ts-check
/** What a test run is made of, and how each part is run and counted. */
import { mkdirSync, rmSync } from 'node:fs'
import { inProject, projectNode, root, toolEnv, tools } from '../setup/project.mjs'
import { startKeyring } from '../with-keyring.mjs'
import { capture } from './capture.mjs'
import { countPlaywright, countVitest, judge, readCounts } from './reports.mjs'

/** @typedef {import('./reports.mjs').Counts} Counts */
/** @typedef {{ name: string, counts: Counts, seconds: number, output: string }} Result */
/** @typedef {{ name: string, run: () => Promise<{ counts: Counts, output: string }> }} Step */

const reports = inProject('.cache', 'reports')

/**
 * A check passes or fails as a whole.
 *
 * @param {string} name
 * @param {...string} args
 * @returns {Step}
 */
const check = (name, ...args) => ({
  name,
  run: async () => {
    const { exitCode, output } = await capture(projectNode, args, { cwd: root, env: toolEnv() })
    return { counts: { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }, output }
  },
})

/**
 * Tests run with a keychain of their own.
 *
 * @template T
 * @param {string} name
 * @param {string[]} args
 * @param {{ report: (file: string) => { args: string[], env: NodeJS.ProcessEnv }, count: (report: T) => Counts }} how
 * @returns {Step}
 */
const tests = (name, args, { report, count }) => ({
  name,
  run: async () => {
    const file = inProject('.cache', 'reports', `${name}.json`)
    mkdirSync(reports, { recursive: true })
    rmSync(file, { force: true })
    const keyring = await startKeyring()
    const extra = report(file)
    const env = { ...toolEnv(), ...keyring.env, NO_COLOR: '1', SITEWARD_TEST_PIPE: '3', ...extra.env }
    try {
      const { exitCode, output } = await capture(projectNode, [...args, ...extra.args], { cwd: root, env })
      return { counts: judge(exitCode, readCounts(file, count)), output }
    } finally {
      await keyring.stop()
    }
  },
})

/** @param {string} name the project in vitest.config.ts */
const vitest = (name) =>
  tests(name, [tools.vitest, 'run', '--project', name], {
    report: (file) => ({
      args: ['--reporter=./scripts/test/vitest-reporter.mjs', '--reporter=json', `--outputFile.json=${file}`],
      env: {},
    }),
    count: countVitest,
  })

/**
 * @param {string} name
 * @param {string} config
 */
const playwright = (name, config) =>
  tests(name, [tools.playwright, 'test', '-c', config], {
    report: (file) => ({
      args: ['--reporter=./scripts/test/playwright-reporter.mjs,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    }),
    count: countPlaywright,
  })

export const checks = [
  check('types', tools.svelteCheck, '--tsconfig', './tsconfig.json', '--fail-on-warnings'),
  check('lint', tools.eslint, '.', '--max-warnings', '0'),
  check('format', tools.prettier, '--check', '.'),
  check('unused', tools.knip, '--no-progress'),
]

export const unit = vitest('unit')

/** The proof in memory (docs/proof.md), which takes all cores. */
export const model = vitest('model')

/** Those that open a browser, which want the machine for themselves. */
export const inBrowser = [vitest('component'), playwright('e2e', 'playwright.config.ts')]
