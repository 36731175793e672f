/** Applies known bugs, as patches, to a copy of the source. The simulation has to find each of them. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scripts/run.mjs'
import { inProject, projectNode, toolEnv, tools } from '../../scripts/setup/project.mjs'

const folder = inProject('test', 'simulation', 'bugs')
const ENDING = '.patch'

export const bugNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()

const COPIED = [
  'src',
  'test/simulation',
  'test/unit',
  ...readdirSync(inProject('test'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('test', file)),
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]

/**
 * Reads the head of a patch. `Prove:` has the arguments of the simulation or, if it begins with `test/`, the unit tests to run.
 * `Shows:` has a regular expression that the finding, or the name of the failing test, must match.
 */
const howToFind = (patch: string) => ({
  prove: (/^Prove: (.*)$/m.exec(patch)?.[1] ?? '--edits 20000').trim().split(/\s+/),
  shows: (/^Shows: (.*)$/m.exec(patch)?.[1] ?? '').trim(),
})

async function failingTests(copy: string, args: string[]): Promise<Set<string>> {
  const outputFile = join(copy, 'tests.json')
  const reporter = ['--reporter=json', `--outputFile=${outputFile}`]
  await run(projectNode, [tools.vitest, 'run', '--project', 'unit', ...args, ...reporter], {
    cwd: copy,
    env: toolEnv(),
  })
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[]
  }
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (all.length === 0) throw new Error(`No test ran: ${args.join(' ')}`)
  return new Set(all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName))
}

async function compare(bugged: string, plain: string, patch: string): Promise<number> {
  const { prove, shows } = howToFind(patch)
  if (prove[0]?.startsWith('test/')) {
    const before = await failingTests(plain, prove)
    const more = [...(await failingTests(bugged, prove))].filter((name) => !before.has(name))
    const shown = more.filter((name) => new RegExp(shows, 'u').test(name))
    for (const name of shown) console.log(`fails: ${name}`)
    return shown.length > 0 ? 1 : 0
  }
  const args = ['--no-warnings', inProject('test', 'simulation', 'against-plain.ts'), bugged, plain, ...prove]
  const code = await run(projectNode, [...args, '--shows', shows], { cwd: bugged, env: toolEnv() })
  return code === 3 ? 1 : code === 0 ? 0 : 2
}

/** Returns 1 if the bug is found, 0 if it isn't, and 2 if its patch no longer applies or the search failed. */
export async function proveBug(name: string): Promise<number> {
  if (!bugNames().includes(name)) {
    console.error(`There's no bug ${name}: ${bugNames().join(', ')}`)
    return 2
  }
  const file = join(folder, `${name}${ENDING}`)
  const both = mkdtempSync(join(tmpdir(), 'siteward-bug-'))
  const [plain, bugged] = [join(both, 'plain'), join(both, 'bugged')]
  try {
    for (const path of COPIED) cpSync(inProject(path), join(plain, path), { recursive: true })
    // Copied from the first copy, because the source may have changed since.
    cpSync(plain, bugged, { recursive: true })
    const applied = spawnSync('git', ['apply', file], { cwd: bugged, encoding: 'utf8' })
    if (applied.status !== 0) {
      console.error(`${name} doesn't fit the source any more:\n${applied.stderr}`)
      return 2
    }
    for (const copy of [plain, bugged]) symlinkSync(inProject('node_modules'), join(copy, 'node_modules'), 'junction')
    return await compare(bugged, plain, readFileSync(file, 'utf8'))
  } finally {
    rmSync(both, { recursive: true, force: true })
  }
}

/** Tries each known bug. Returns 0 if all are found, 2 if one could not be tried, and 1 otherwise. */
export async function proveBugs(): Promise<number> {
  let worst = 0
  for (const name of bugNames()) {
    const code = await proveBug(name)
    console.log(`${name}: ${code === 1 ? 'found' : code === 2 ? "can't be put in" : 'NOT found'}`)
    worst = Math.max(worst, code === 1 ? 0 : code === 2 ? 2 : 1)
  }
  return worst
}
