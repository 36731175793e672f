import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bugNames } from '../../simulation/known-bugs.ts'

const root = join(import.meta.dirname, '../../..')

test('the simulation has at least 39 known bugs to find', () => {
  expect(bugNames().length).toBeGreaterThanOrEqual(39)
})

test('each known bug can still be applied', () => {
  const failures = bugNames().flatMap((name) => {
    const patch = join('test/simulation/bugs', `${name}.patch`)
    const { status, stderr } = spawnSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' })
    return status === 0 && stderr === '' ? [] : [`${name}: ${stderr}`]
  })
  expect(failures).toEqual([])
})
