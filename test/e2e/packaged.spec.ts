import { extractAll, listPackage } from '@electron/asar'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { inProject, projectNode, root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { reachedFrom } from './support/reached.ts'
import { connect, websiteTable } from './support/screens.ts'

test.skip(process.platform !== 'linux', 'the package of Linux is what is looked into')

/** What Electron's own binary has there: a mark, the version and number of its fuses, and their states. */
const MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const AS_ELECTRON_HAS_THEM = '101100011'
/** No Node by an environment variable, no NODE_OPTIONS, no --inspect; the archive's integrity is checked, and nothing else is run. */
const AS_THEY_SHOULD_BE = '000011001'

let folder: string
let resources: string
/** What is packed, taken out again. */
let app: string

test.beforeAll(() => {
  test.setTimeout(180_000)
  // Outside of the project, whose packages would be found from within.
  folder = mkdtempSync(join(tmpdir(), 'siteward-packed-'))
  const electron = join(folder, 'electron')
  mkdirSync(join(electron, 'resources'), { recursive: true })
  writeFileSync(join(electron, 'electron'), `${MARK}\x01${'\x09'}${AS_ELECTRON_HAS_THEM}`, { mode: 0o755 })
  const output = join(folder, 'dist')
  const given = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`]
  execFileSync(projectNode, [inProject('scripts', 'dist.mjs'), '--linux', 'dir', '--x64', '--arm64', ...given], {
    cwd: root,
    stdio: 'pipe',
  })
  resources = join(output, 'linux-unpacked', 'resources')
  app = join(folder, 'app')
  extractAll(join(resources, 'app.asar'), app)
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test('the package has what is reached from its entries, the pictures of this system, and nothing else', () => {
  const entries = [
    'out/main/index.js',
    'out/main/prepare-worker.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'node_modules/better-sqlite3/lib/index.js',
    'node_modules/keytar/lib/keytar.js',
  ]
  // Built without a feed, it has nothing that would look for newer versions there.
  const reached = reachedFrom(app, entries, /\/updater-[\w-]+\.js$/)
  // The archive names folders too.
  const packed = listPackage(join(resources, 'app.asar'), { isPack: false }).map((path) => path.slice(1))
  const files = packed.filter((path) => !statSync(join(app, path)).isDirectory())
  const kinds = ['attention', 'idle', 'offline', 'paused', 'pending']
  expect(files.sort()).toEqual(
    [
      ...reached.files,
      'package.json',
      'node_modules/better-sqlite3/package.json',
      'node_modules/better-sqlite3/prebuilds/linux-x64.node',
      'node_modules/keytar/package.json',
      'node_modules/keytar/prebuilds/linux-x64/keytar.node',
      'resources/icon.png',
      ...kinds.flatMap((kind) => [`resources/tray/linux/${kind}.png`, `resources/tray/linux/${kind}@2x.png`]),
    ].sort(),
  )
  expect([...reached.packages].sort()).toEqual(['better-sqlite3', 'electron', 'keytar'])
})

test('outside of the archive, whose integrity is checked, are the two native modules alone', () => {
  const unpacked = readdirSync(join(resources, 'app.asar.unpacked'), { recursive: true, withFileTypes: true })
  expect(unpacked.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort()).toEqual([
    'keytar.node',
    'linux-x64.node',
  ])
  expect(readdirSync(resources).sort()).toEqual(['app.asar', 'app.asar.unpacked', 'licences.txt'])
  const { size } = statSync(join(resources, 'app.asar'))
  test.info().annotations.push({ type: 'app.asar', description: `${String(size)} bytes` })
  expect(size).toBeLessThan(5_000_000)
})

test('for another processor there are its own native modules, and the same besides', () => {
  const other = join(folder, 'dist', 'linux-arm64-unpacked', 'resources', 'app.asar')
  const [here, there] = [join(resources, 'app.asar'), other].map((archive) => listPackage(archive, { isPack: false }))
  expect(there).toContain('/node_modules/better-sqlite3/prebuilds/linux-arm64.node')
  expect(there?.map((path) => path.replace('linux-arm64', 'linux-x64')).sort()).toEqual(here?.sort())
})

test('fuses: the binary is no Node, takes no debugger, and runs nothing but the archive', () => {
  const binary = readFileSync(join(resources, '..', 'siteward'), 'latin1')
  expect(binary.slice(binary.indexOf(MARK) + MARK.length + 2)).toBe(AS_THEY_SHOULD_BE)
})

test('the licence of each package is beside it, of those in the bundles too', () => {
  const licences = readFileSync(join(resources, 'licences.txt'), 'utf8')
  for (const name of ['better-sqlite3', '@github/keytar', 'ofetch', 'zod', 'svelte', 'lucide']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\([\\w.-]+\\)$`, 'm'))
  }
})

test('the app starts from what is packed, with its database and its keychain', async ({
  userData,
  keychain,
  service,
}) => {
  const { app: running, page } = await launchApp({ userData, env: keychain, folder: app })
  await connect(page, service)
  await expect(websiteTable(page)).toBeVisible()
  expect(await page.evaluate(() => window.siteward?.getState())).toMatchObject({
    value: { keychain: 'ready', connection: { key: 'stored' } },
  })
  await quitApp(running)
})
