// @ts-check
/** Known bugs, as patches on a copy of the source: the proof has to find each of them. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { inProject, projectNode, toolEnv, tools } from '../setup/project.mjs'

const folder = inProject('test', 'model', 'bugs')
const ENDING = '.patch'

export const bugNames = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()

/** What is needed to run the proof and the unit tests. */
const COPIED = ['src', 'test/model', 'test/unit', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/**
 * Above the patch itself stands what the bug is, and in a line `Prove: …` what finds it: arguments of the proof in memory,
 * or, beginning with `test/`, a test that speaks real HTTP.
 *
 * @param {string} patch
 */
const howToFind = (patch) => (/^Prove: (.*)$/m.exec(patch)?.[1] ?? '--edits 20000').trim().split(/\s+/)

/**
 * @param {string} name
 * @returns {Promise<number>} 1: it was found; 0: it wasn't; 2: it can't be put in
 */
export async function proveBug(name) {
  if (!bugNames().includes(name)) {
    console.error(`There's no bug ${name}: ${bugNames().join(', ')}`)
    return 2
  }
  const file = join(folder, `${name}${ENDING}`)
  const copy = mkdtempSync(join(tmpdir(), 'siteward-bug-'))
  try {
    for (const path of COPIED) cpSync(inProject(path), join(copy, path), { recursive: true })
    symlinkSync(inProject('node_modules'), join(copy, 'node_modules'), 'junction')
    const applied = spawnSync('git', ['apply', file], { cwd: copy, encoding: 'utf8' })
    if (applied.status !== 0) {
      console.error(`${name} doesn't fit the source any more:\n${applied.stderr}`)
      return 2
    }
    const [first = '', ...more] = howToFind(readFileSync(file, 'utf8'))
    const args = first.startsWith('test/')
      ? [tools.vitest, 'run', '--project', 'unit', first, ...more]
      : ['--no-warnings', join(copy, 'test', 'model', 'prove.ts'), '--first', first, ...more]
    return (await run(projectNode, args, { cwd: copy, env: toolEnv() })) === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
