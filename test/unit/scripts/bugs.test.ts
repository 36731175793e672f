import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bugNames } from '../../simulation/known-bugs.ts'

const root = join(import.meta.dirname, '../../..')

test('the simulation has at least 39 known bugs to find', () => {
  expect(bugNames().length).toBeGreaterThanOrEqual(39)
})

test.each(bugNames())('the known bug "%s" can still be applied', (name) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', join('test/simulation/bugs', `${name}.patch`)], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
