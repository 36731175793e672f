// @ts-check
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { inProject, projectNode, root, toolEnv, tools } from '../setup/project.mjs'
import { startKeyring } from '../with-keyring.mjs'
import { capture } from './capture.mjs'
import { countRunnerFailure } from './reports.mjs'

/** @typedef {import('./reports.mjs').Counts} Counts */
/** @typedef {{ name: string, run: () => Promise<{ counts: Counts, output: string }> }} Step */

/**
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
 * @param {string} name
 * @param {string} reporter
 * @param {...string} args
 * @returns {Step}
 */
const tests = (name, reporter, ...args) => ({
  name,
  run: async () => {
    const file = inProject('.cache', `counts-${name}.json`)
    mkdirSync(inProject('.cache'), { recursive: true })
    rmSync(file, { force: true })
    const keyring = await startKeyring()
    const stepEnv = { NO_COLOR: '1', SITEWARD_TEST_PIPE: '3', SITEWARD_TEST_COUNTS: file }
    const env = { ...toolEnv(), ...keyring.env, ...stepEnv }
    try {
      const { exitCode, output } = await capture(projectNode, [...args, `--reporter=${reporter}`], { cwd: root, env })
      return {
        counts: countRunnerFailure(exitCode, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null),
        output,
      }
    } finally {
      await keyring.stop()
    }
  },
})

/**
 * @param {string} name the project in vitest.config.ts
 * @param {...string} more further projects that count as one part with it
 */
const vitest = (name, ...more) => {
  const projects = [name, ...more].flatMap((project) => ['--project', project])
  return tests(name, './scripts/test/vitest-reporter.mjs', tools.vitest, 'run', ...projects)
}

/** @param {string} tool */
const cached = (tool) => ['--cache', '--cache-strategy', 'content', '--cache-location', `.cache/${tool}`]

export const checks = [
  check('types', tools.svelteCheck, '--tsconfig', './tsconfig.json', '--fail-on-warnings'),
  // Both caches compare the content of files, so that only changed files are read again.
  check('lint', tools.eslint, '.', '--max-warnings', '0', ...cached('eslint')),
  check('format', tools.prettier, '--check', '.', ...cached('prettier')),
  check('unused', tools.knip, '--no-progress'),
  check('cycles', tools.dependencyCruiser, '--config', '.dependency-cruiser.mjs', 'src', 'test/simulation'),
  check('links', './scripts/test/links.mjs'),
]

export const unit = vitest('unit', 'unit-isolated')

/** Runs the proof in memory (docs/proof.md), which uses all cores. */
export const simulation = vitest('simulation')

/** The parts that open a browser. They run alone, because they need the whole machine. */
export const inBrowser = [
  vitest('component'),
  tests('e2e', './scripts/test/playwright-reporter.mjs', tools.playwright, 'test', '-c', 'playwright.config.ts'),
]
