import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inProject, projectNode, root, tools } from '../../../scripts/setup/project.mjs'
import { capture } from '../../../scripts/test/capture.mjs'

let folder: string
beforeEach(() => {
  // Inside the project, because the test runners must be found from there.
  mkdirSync(inProject('.cache'), { recursive: true })
  folder = mkdtempSync(inProject('.cache', 'reporters-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function report(files: Record<string, string>, ...args: string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const texts: string[] = []
  const file = join(folder, 'counts.json')
  const env = { ...process.env, NO_COLOR: '1', SITEWARD_TEST_PIPE: '3', SITEWARD_TEST_COUNTS: file }
  await capture(projectNode, args, { cwd: root, env }, (text) => texts.push(text))
  return { text: texts.join(''), counts: JSON.parse(readFileSync(file, 'utf8')) as unknown }
}

/** Returns a test file with one test that passes, one that fails and one that is skipped. */
const failing = (from: string): string => `
  import { expect, test } from '${from}'
  test('adds', () => expect(1 + 1).toBe(2))
  test('subtracts', () => expect(2 - 1).toBe(2))
  test.skip('multiplies', () => {})`

it('the Playwright reporter prints each failed test with its error, counts a flaky test as failed, and prints the counts of each file', async () => {
  const config = `export default { testDir: '.', workers: 1, retries: 1 }`
  const flaky = `
    import { expect, test } from '@playwright/test'
    test('passes at its second try', ({}, { retry }) => expect(retry).toBe(1))`
  const files = {
    'playwright.config.mjs': config,
    'flaky.spec.mjs': flaky,
    'one.spec.mjs': failing('@playwright/test'),
  }
  const reporter = `--reporter=${inProject('scripts', 'test', 'playwright-reporter.mjs')}`
  const { text, counts } = await report(
    files,
    tools.playwright,
    'test',
    '-c',
    join(folder, 'playwright.config.mjs'),
    reporter,
  )
  expect(text).toMatch(/^FAILED \S+one\.spec\.mjs:4 subtracts$/m)
  expect(text).toMatch(/Expected: 2\s+Received: 1/)
  expect(text).toMatch(/^ {2}\S+one\.spec\.mjs: 1 passed, 1 failed, 1 skipped \(\d+\.\d s\)$/m)
  expect(text).not.toMatch(/FAILED .*(adds|multiplies)/)
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 1 })
})

it('the Vitest reporter prints each failed test with its error, and each file that can’t be loaded', async () => {
  const files = {
    'vitest.config.mjs': `export default { test: { include: ['*.spec.mjs'] } }`,
    'one.spec.mjs': failing('vitest'),
    'broken.spec.mjs': `throw new Error('it does not load')`,
  }
  const reporter = `--reporter=${inProject('scripts', 'test', 'vitest-reporter.mjs')}`
  const { text, counts } = await report(files, tools.vitest, 'run', '--root', folder, reporter)
  expect(text).toMatch(/^FAILED \S+one\.spec\.mjs subtracts$/m)
  expect(text).toMatch(/expected 1 to be 2/)
  expect(text).toMatch(/^FAILED \S+broken\.spec\.mjs$/m)
  expect(text).toContain('it does not load')
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 1 })
  expect(text).not.toMatch(/FAILED .*(adds|multiplies)/)
})
