import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inProject, projectNode, root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'

const kind = process.arch === 'arm64' ? '-arm64' : ''
const system =
  process.platform === 'darwin'
    ? {
        target: '--mac',
        app: [`mac${kind}`, 'Siteward.app', 'Contents'],
        binary: ['MacOS', 'Siteward'],
        below: 'Resources',
      }
    : { target: '--win', app: [`win${kind}-unpacked`], binary: ['Siteward.exe'], below: 'resources' }

let folder: string
test.beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'siteward-integrity-'))))
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a package, and ends it. Returns true if it has opened its database within a minute. */
async function starts(binary: string): Promise<boolean> {
  const userData = mkdtempSync(join(folder, 'data-'))
  const database = join(userData, 'siteward.db')
  const running = spawn(binary, [`--user-data-dir=${userData}`], { stdio: 'ignore' })
  const ended = once(running, 'exit')
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(100)) {
    if (existsSync(database) || running.exitCode !== null || running.signalCode !== null) break
  }
  running.kill('SIGKILL')
  await ended
  return existsSync(database)
}

test('a packaged app whose archive was changed does not start', async () => {
  test.setTimeout(600_000)
  const given = [system.target, 'dir', `--${process.arch}`, `-c.directories.output=${join(folder, 'dist')}`]
  execFileSync(projectNode, [inProject('scripts', 'dist.mjs'), ...given], {
    cwd: root,
    env: { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: 'false' },
    stdio: 'pipe',
  })
  const app = join(folder, 'dist', ...system.app)
  const binary = join(app, ...system.binary)
  expect(await starts(binary)).toBe(true)

  const archive = join(app, system.below, 'app.asar')
  const content = readFileSync(archive)
  // A part of the archive that the app doesn't read: the description in package.json.
  const at = content.indexOf('A desktop tray application')
  expect(at).toBeGreaterThan(0)
  content.write('B', at)
  writeFileSync(archive, content)
  expect(await starts(binary)).toBe(false)
})
