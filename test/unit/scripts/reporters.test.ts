import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inProject, projectNode, root, tools } from '../../../scripts/setup/project.mjs'
import { capture } from '../../../scripts/test/capture.mjs'

let folder: string
beforeEach(() => {
  // Within the project, so that the runners are found.
  mkdirSync(inProject('.cache'), { recursive: true })
  folder = mkdtempSync(inProject('.cache', 'reporters-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the files with a runner, and returns what its reporter has told. */
async function told(files: Record<string, string>, ...args: string[]): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const texts: string[] = []
  const env = { ...process.env, NO_COLOR: '1', SITEWARD_TEST_PIPE: '3' }
  await capture(projectNode, args, { cwd: root, env }, (text) => texts.push(text))
  return texts.join('')
}

const failing = (from: string): string => `
  import { expect, test } from '${from}'
  test('adds', () => expect(1 + 1).toBe(2))
  test('subtracts', () => expect(2 - 1).toBe(2))
  test.skip('multiplies', () => {})`

it('end-to-end tests: a failed test is told with its error, and each file as it ends', async () => {
  const config = `export default { testDir: '.', workers: 1 }`
  const files = { 'playwright.config.mjs': config, 'one.spec.mjs': failing('@playwright/test') }
  const reporter = `--reporter=${inProject('scripts', 'test', 'playwright-reporter.mjs')}`
  const text = await told(files, tools.playwright, 'test', '-c', join(folder, 'playwright.config.mjs'), reporter)
  expect(text).toMatch(/^FAILED \S+one\.spec\.mjs:4 subtracts$/m)
  expect(text).toMatch(/Expected: 2\s+Received: 1/)
  expect(text).toMatch(/^ {2}\S+one\.spec\.mjs: 1 passed, 1 failed, 1 skipped \(\d+\.\d s\)$/m)
  expect(text).not.toMatch(/FAILED .*(adds|multiplies)/)
})

it('other tests: a failed test is told with its error, and so is a file that can’t be loaded', async () => {
  const files = {
    'vitest.config.mjs': `export default { test: { include: ['*.spec.mjs'] } }`,
    'one.spec.mjs': failing('vitest'),
    'broken.spec.mjs': `throw new Error('it does not load')`,
  }
  const reporter = `--reporter=${inProject('scripts', 'test', 'vitest-reporter.mjs')}`
  const text = await told(files, tools.vitest, 'run', '--root', folder, reporter)
  expect(text).toMatch(/^FAILED \S+one\.spec\.mjs subtracts$/m)
  expect(text).toMatch(/expected 1 to be 2/)
  expect(text).toMatch(/^FAILED \S+broken\.spec\.mjs$/m)
  expect(text).toContain('it does not load')
  expect(text).not.toMatch(/FAILED .*(adds|multiplies)/)
})
