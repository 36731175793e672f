import { extractAll, getRawHeader, listPackage } from '@electron/asar'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { inProject, projectNode, root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { fusesOf, integrityIn, macIcon, writeElectronStandIn } from './support/electron-stand-in.ts'
import { installersOf } from './support/installers.ts'
import { reachedFrom } from './support/reached.ts'
import { connect, websiteTable } from './support/screens.ts'

test.skip(process.platform !== 'linux', 'macOS and Windows sign what they pack')

/** The fuses of a release: no ELECTRON_RUN_AS_NODE, NODE_OPTIONS or --inspect; only the verified archive is run. */
const FUSES = '000011001'

const TRAY_ICONS = ['attention', 'idle', 'offline', 'paused', 'pending']
const MAC_CONTENTS = join('Siteward.app', 'Contents')

const SYSTEMS = [
  {
    name: 'linux',
    folder: 'linux',
    resources: 'resources',
    binary: 'siteward',
    beside: [],
    trayIcons: TRAY_ICONS.flatMap((kind) => [`tray/linux/${kind}.png`, `tray/linux/${kind}@2x.png`]),
  },
  {
    name: 'win32',
    folder: 'win',
    resources: 'resources',
    binary: 'Siteward.exe',
    beside: [],
    trayIcons: [...TRAY_ICONS.map((kind) => `tray/windows/${kind}.ico`), 'overlay.png', 'overlay@2x.png'],
  },
  {
    name: 'darwin',
    folder: 'mac',
    resources: join(MAC_CONTENTS, 'Resources'),
    binary: join(MAC_CONTENTS, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'),
    beside: ['icon.icns'],
    trayIcons: TRAY_ICONS.flatMap((kind) => [`tray/macos/${kind}Template.png`, `tray/macos/${kind}Template@2x.png`]),
  },
]

let folder: string
let app: string

const packed = (system: string, arch = 'x64'): string => {
  const kind = arch === 'x64' ? '' : `-${arch}`
  return join(folder, 'dist', system === 'mac' ? `mac${kind}` : `${system}${kind}-unpacked`)
}

const filesIn = (archive: string): string[] => listPackage(archive, { isPack: false }).map((path) => path.slice(1))

test.beforeAll(() => {
  test.setTimeout(180_000)
  // The folder is outside of the project, so that the packed app can't load the project's packages.
  folder = mkdtempSync(join(tmpdir(), 'siteward-packed-'))
  const electron = join(folder, 'electron')
  writeElectronStandIn(electron)
  const icon = join(folder, 'icon.icns')
  writeFileSync(icon, macIcon(readFileSync(inProject('resources', 'icon.png'))))
  const targets = ['--linux', 'dir', '--win', 'dir', '--mac', 'dir', '--x64', '--arm64']
  const given = [`-c.electronDist=${electron}`, `-c.directories.output=${join(folder, 'dist')}`]
  // These options skip steps that need tools of those systems, or a download.
  const withoutTools = [
    `-c.mac.icon=${icon}`,
    '-c.electronFuses.resetAdHocDarwinSignature=false',
    '-c.win.signAndEditExecutable=false',
  ]
  execFileSync(projectNode, [inProject('scripts', 'dist.mjs'), ...targets, ...given, ...withoutTools], {
    cwd: root,
    stdio: 'pipe',
  })
  app = join(folder, 'app')
  extractAll(join(packed('linux'), 'resources', 'app.asar'), app)
})
test.afterAll(() => rmSync(folder, { recursive: true }))

for (const { name, folder: system, resources: below, binary, beside, trayIcons } of SYSTEMS) {
  test.describe(name, () => {
    const resources = (arch?: string) => join(packed(system, arch), below)
    const archive = (arch?: string) => join(resources(arch), 'app.asar')

    test('the package has only the files that its entry points load, its native modules, and the icons of this system', () => {
      const entries = [
        'out/main/index.js',
        'out/main/import-worker.js',
        'out/main/table-worker.js',
        'out/main/prepare-worker.js',
        'out/preload/index.cjs',
        'out/renderer/index.html',
        'node_modules/better-sqlite3/lib/index.js',
        'node_modules/keytar/lib/keytar.js',
      ]
      const unpacked = join(folder, `app-${name}`)
      extractAll(archive(), unpacked)
      // Built without a feed, the package has no updater.
      const reached = reachedFrom(unpacked, entries, /\/updater-[\w-]+\.js$/)
      // The archive also lists folders.
      const files = filesIn(archive()).filter((path) => !statSync(join(unpacked, path)).isDirectory())
      expect(files.sort()).toEqual(
        [
          ...reached.files,
          'package.json',
          'node_modules/better-sqlite3/package.json',
          `node_modules/better-sqlite3/prebuilds/${name}-x64.node`,
          'node_modules/keytar/package.json',
          `node_modules/keytar/prebuilds/${name}-x64/keytar.node`,
          'resources/icon.png',
          ...trayIcons.map((file) => `resources/${file}`),
        ].sort(),
      )
      expect([...reached.packages].sort()).toEqual(['better-sqlite3', 'electron', 'keytar'])
      // A sandboxed preload can't load other files.
      expect(files.filter((file) => file.startsWith('out/preload/'))).toEqual(['out/preload/index.cjs'])
    })

    test('only the two native modules are outside of the archive, whose integrity is checked', () => {
      const outside = readdirSync(`${archive()}.unpacked`, { recursive: true, withFileTypes: true })
      expect(outside.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort()).toEqual(
        ['keytar.node', `${name}-x64.node`].sort(),
      )
      expect(readdirSync(resources()).sort()).toEqual(
        ['app.asar', 'app.asar.unpacked', 'licences.txt', ...beside].sort(),
      )
      const { size } = statSync(archive())
      test.info().annotations.push({ type: 'app.asar', description: `${String(size)} bytes` })
      expect(size).toBeLessThan(5_000_000)
    })

    test('the package for another processor has its own native modules and is otherwise the same', () => {
      const [here, there] = [archive(), archive('arm64')].map(filesIn)
      expect(there).toContain(`node_modules/better-sqlite3/prebuilds/${name}-arm64.node`)
      expect(there?.map((path) => path.replace(`${name}-arm64`, `${name}-x64`)).sort()).toEqual(here?.sort())
    })

    test('fuses: the binary is no Node, accepts no debugger, and runs nothing but the archive', () => {
      expect(fusesOf(join(packed(system), binary))).toBe(FUSES)
    })

    test('contains the license of each package, also of those in the bundles', () => {
      const licences = readFileSync(join(resources(), 'licences.txt'), 'utf8')
      const names = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \([\w.-]+\)$/gm)].map(([, name]) => name)
      expect(names).toEqual(
        expect.arrayContaining(['better-sqlite3', '@github/keytar', 'svelte', '@lucide/svelte', ...inMain()]),
      )
    })
  })
}

test('tells macOS and Windows the checksum of the archive, and macOS that the app opens siteward://', () => {
  const windows = packed('win')
  expect(integrityIn(join(windows, 'Siteward.exe'))).toBe(headerHash(join(windows, 'resources', 'app.asar')))
  const contents = join(packed('mac'), MAC_CONTENTS)
  const facts = readFileSync(join(contents, 'Info.plist'), 'utf8')
  expect(facts).toContain(`<string>${headerHash(join(contents, 'Resources', 'app.asar'))}</string>`)
  expect(facts).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>siteward<\/string>\s*<\/array>/)
})

/** Returns the packages in main's bundles, from their source maps. */
function inMain(): string[] {
  const folder = inProject('out', 'main')
  const maps = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.map'))
  const sources = maps.flatMap(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { sources: string[] }).sources,
  )
  const names = sources.flatMap((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [])
  expect(names).toContain('electron-updater')
  return [...new Set(names)]
}

/** Returns the checksum that Electron compares: that of the archive's table of contents, which has those of the files. */
const headerHash = (archive: string): string =>
  createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')

test('deb, rpm and AppImage have icons, a category, actions, links, and the keychain’s dependencies', async () => {
  const [deb, rpm, appImage] = await installersOf(packed('linux'), join(folder, 'installers'))
  for (const installer of [deb, rpm, appImage]) {
    expect(installer?.entry).toMatch(/^Categories=Network;Utility;$/m)
    expect(installer?.entry).toMatch(/^MimeType=x-scheme-handler\/siteward;$/m)
    expect(installer?.entry).toMatch(/^Exec=\S+( --\S+)* %U$/m)
  }
  for (const installer of [deb, rpm]) {
    expect(installer?.entry).toMatch(
      /^\[Desktop Action add-website\]\nName=Add Website\n(Name\[..\]=.+\n){4}Exec=siteward siteward:\/\/add$/m,
    )
    expect(installer?.args.join('\n')).toMatch(/=\/usr\/share\/icons\/hicolor\/\S+\/apps\/siteward.png/)
    expect(installer?.args.join('\n')).toMatch(/\.desktop=\/usr\/share\/applications\/app\.siteward\.desktop$/m)
  }
  expect(rpm?.args).toContain('Recommends: libsecret-1.so.0()(64bit)')
})

test('the packed app starts, with its database and its keychain', async ({ userData, keychain, service }) => {
  // The development fallback can't load the prebuilt driver (docs/architecture.md#runtimes).
  const driver = ['node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node']
  if (!presentRuntime().official) cpSync(inProject(...driver), join(app, ...driver))
  const { app: running, page } = await launchApp({ userData, env: keychain, folder: app })
  await connect(page, service)
  await expect(websiteTable(page)).toBeVisible()
  expect(await page.evaluate(() => window.siteward?.getState())).toMatchObject({
    value: { keychain: 'ready', connection: { key: 'stored' } },
  })
  await quitApp(running)
})
