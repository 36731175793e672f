import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { launchOptions } from '../../../scripts/launch.mjs'
import { writeInto } from '../../../scripts/runtime/cache.mjs'
import { forgetDriver, installDriver, isDriverCached } from '../../../scripts/runtime/driver.mjs'
import { FALLBACK_MARK, fallbackRunsOn, fallbackSource } from '../../../scripts/runtime/fallback.mjs'
import { downloadOfficial, pinnedVersion } from '../../../scripts/runtime/official.mjs'
import { SetupError } from '../../../scripts/setup/error.mjs'
import { binaryIn, obtainRuntime, runtimeOf } from '../../../scripts/runtime.mjs'

const PINNED = '45.4.1'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-runtime-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes Electron's package as its installer leaves it, or as the fallback does. */
function install(version: string, { fallback = false, leftOut = '' } = {}): void {
  const files = {
    'path.txt': 'electron',
    'dist/version': version,
    'dist/electron': '',
    ...(fallback && { [`dist/${FALLBACK_MARK}`]: '' }),
  }
  mkdirSync(join(folder, 'dist'))
  for (const [name, content] of Object.entries(files)) {
    if (name !== leftOut) writeFileSync(join(folder, name), content)
  }
}

describe('the binary in Electron’s package', () => {
  const executable = () => join(folder, 'dist', 'electron')

  it('is the official one of the pinned version', () => {
    install(`v${PINNED}`)
    expect(binaryIn(folder, PINNED)).toEqual({ official: true, executable: executable() })
  })

  it('counts as the fallback if it has the mark of the fallback', () => {
    install(fallbackSource.version, { fallback: true })
    expect(binaryIn(folder, PINNED)).toEqual({ official: false, executable: executable() })
  })

  it.each([
    ['the official one is of another version', '45.4.0', {}],
    ['the official one is of the fallback’s version', fallbackSource.version, {}],
    ['the fallback pretends to be of the pinned version', PINNED, { fallback: true }],
    ['the executable is missing', PINNED, { leftOut: 'dist/electron' }],
    ['the installation was not finished', PINNED, { leftOut: 'path.txt' }],
  ])('counts as missing if %s', (_, version, how) => {
    install(version, how)
    expect(binaryIn(folder, PINNED)).toBe(null)
  })
})

describe('the download of the official binary', () => {
  /** Writes an installer that extracts the binary and then runs `then`. */
  function installer(then: string): string {
    const script = join(folder, 'install.mjs')
    const code = `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
      process.chdir(${JSON.stringify(folder)})
      writeFileSync('counted', String(existsSync('path.txt')))
      mkdirSync('dist')
      for (const [name, text] of [['version', '${PINNED}'], ['electron', '']]) writeFileSync('dist/' + name, text)
      ${then}`
    writeFileSync(script, code)
    return script
  }
  const stopped = `process.kill(process.pid, 'SIGKILL')`
  const silent = () => undefined

  it('replaces the fallback', async () => {
    install(fallbackSource.version, { fallback: true })
    await downloadOfficial(silent, { folder, script: installer(`writeFileSync('path.txt', 'electron')`) })
    expect(binaryIn(folder, PINNED)).toMatchObject({ official: true })
    expect(existsSync(join(folder, 'dist.before'))).toBe(false)
  })

  it('keeps the fallback if the installer is stopped midway', async () => {
    install(fallbackSource.version, { fallback: true })
    await downloadOfficial(silent, { folder, script: installer(stopped) })
    expect(binaryIn(folder, PINNED)).toMatchObject({ official: false })
  })

  it('counts the binary as missing until the installer has finished, even if it was stopped midway', async () => {
    install(fallbackSource.version, { fallback: true })
    await downloadOfficial(silent, { folder, script: installer(stopped) })
    expect(readFileSync(join(folder, 'counted'), 'utf8')).toBe('false')
    rmSync(join(folder, 'dist'), { recursive: true })
    rmSync(join(folder, 'path.txt'))
    await downloadOfficial(silent, { folder, script: installer(stopped) })
    expect(binaryIn(folder, PINNED)).toBe(null)
  })
})

describe('the runtime', () => {
  const found = (official: boolean) => ({ official, executable: '/electron' })

  test('has a name that says if it is the fallback', () => {
    expect(runtimeOf(found(true), PINNED, false).name).toBe(`Electron ${PINNED}`)
    expect(runtimeOf(found(false), PINNED, false).name).toContain(
      `Electron ${fallbackSource.version} (development fallback:`,
    )
  })

  test('runs without a sandbox only as root, in the tests too', () => {
    const passed = (isRoot: boolean) => launchOptions(runtimeOf(found(true), PINNED, isRoot), { userData: '/data' })
    expect(passed(false)).toMatchObject({ chromiumSandbox: true })
    expect(passed(false).args).not.toContain('--no-sandbox')
    expect(passed(true)).toMatchObject({ chromiumSandbox: false })
    expect(passed(true).args).toContain('--no-sandbox')
  })
})

describe('the choice of a runtime', () => {
  /** Simulates an installation, and records what it does and prints. */
  function machine({ downloads = false, reason = 'Error: no network', fallbackRuns = true, isCached = true } = {}) {
    const done: string[] = []
    const lines: string[] = []
    let driver = { installed: false, cached: isCached }
    const faults: ({ inDriver: boolean; text: string } | null)[] = []
    const parts = {
      lock: folder,
      electron: folder,
      failure: join(folder, 'cache', 'failure'),
      fallbackRuns,
      setUp: async (need: string) => void (need === 'compiler' && done.push('compiler')),
      download: async () => {
        done.push('download')
        if (!downloads) return reason
        rmSync(join(folder, 'dist'), { recursive: true, force: true })
        install(pinnedVersion())
        return ''
      },
      addFallback: async () => {
        done.push('fallback')
        install(fallbackSource.version, { fallback: true })
      },
      driver: {
        isInstalled: () => driver.installed,
        isCached: () => driver.cached,
        install: async () => {
          done.push(driver.cached ? 'cached driver' : 'compiled driver')
          driver = { installed: true, cached: true }
        },
        fault: () => faults.shift() ?? null,
        forget: () => (driver.cached = false),
        remove: () => (driver.installed = false),
      },
    }
    const obtain = (again = false) => obtainRuntime({ again, say: (line) => lines.push(line) }, parts as never)
    return { done, lines, faults, failure: parts.failure, obtain }
  }

  it('is the official binary if it can be downloaded', async () => {
    const { done, obtain } = machine({ downloads: true })
    expect(await obtain()).toMatchObject({ official: true, version: pinnedVersion() })
    expect(await obtain()).toMatchObject({ official: true })
    expect(done).toEqual(['download'])
  })

  it('is the fallback if the download fails', async () => {
    const { done, lines, obtain } = machine()
    expect(await obtain()).toMatchObject({ official: false, version: fallbackSource.version })
    expect(done).toEqual(['download', 'fallback', 'cached driver'])
    expect(lines).toEqual([
      `Electron ${pinnedVersion()} could not be downloaded: Error: no network`,
      '`npm start -- --fetch-electron` tries the official download again',
    ])
  })

  it.each([
    ['linux', 'x64', true],
    ['linux', 'arm64', false],
    ['darwin', 'arm64', false],
    ['win32', 'x64', false],
  ] as const)('tells whether the fallback runs on %s %s: %s', async (platform, arch, runs) => {
    expect(fallbackRunsOn(platform, arch)).toBe(runs)
  })

  it('names the command to run if neither the download nor the fallback works, and tries the download each time', async () => {
    const { done, obtain } = machine({ fallbackRuns: false })
    await expect(obtain()).rejects.toThrow(/could not be downloaded.*npx install-electron/s)
    await expect(obtain()).rejects.toThrow(SetupError)
    expect(done).toEqual(['download', 'download'])
  })

  it('does not repeat a download that has failed within a day, and says so', async () => {
    const { done, lines, failure, obtain } = machine()
    await obtain()
    const [first, said] = [done.length, lines.length]
    await obtain()
    expect(done.slice(first)).toEqual([])
    expect(lines.slice(said)).toEqual([
      `an earlier download of Electron ${pinnedVersion()} failed; \`npm start -- --fetch-electron\` tries the official download again`,
    ])
    await obtain(true)
    expect(done.slice(first)).toEqual(['download'])
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(failure, yesterday, yesterday)
    await obtain()
    expect(done.slice(first)).toEqual(['download', 'download'])
  })

  it('tries the download again after the disk was full', async () => {
    const { done, obtain } = machine({ reason: 'Error: ENOSPC: no space left on device, write' })
    await obtain()
    await obtain()
    expect(done.filter((each) => each === 'download')).toHaveLength(2)
  })

  const damaged = { inDriver: true, text: 'better_sqlite3.node: file too short' }

  it('compiles the driver if the one in the cache is damaged', async () => {
    const { done, faults, obtain } = machine()
    faults.push(damaged)
    expect(await obtain()).toMatchObject({ official: false })
    expect(done).toEqual(['download', 'fallback', 'cached driver', 'compiler', 'compiled driver'])
  })

  it('compiles the driver once, and then reports why it does not load', async () => {
    const { done, faults, obtain } = machine()
    faults.push(damaged, damaged)
    await expect(obtain()).rejects.toThrow(damaged.text)
    expect(done.filter((each) => each === 'compiled driver')).toHaveLength(1)
  })

  it('compiles nothing again if the fallback itself does not run', async () => {
    const { done, faults, obtain } = machine()
    faults.push({ inDriver: false, text: 'libgtk-3.so.0: cannot open shared object file' })
    await expect(obtain()).rejects.toThrow('libgtk-3.so.0')
    expect(done).not.toContain('compiled driver')
  })
})

describe('the driver in the cache', () => {
  beforeEach(() => vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache')))
  afterEach(() => vi.unstubAllEnvs())

  const to = () => join(folder, 'Release', 'driver.node')
  const written = () => readFileSync(to(), 'utf8')
  /** Installs the driver. If the compiler runs, it writes `text`. */
  const installAs = (text: string) =>
    installDriver(() => undefined, {
      to: to(),
      compileInto: (temporary) => writeFileSync(join(temporary, 'driver.node'), text),
    })

  it('is compiled once, and again after it was forgotten', async () => {
    expect(isDriverCached()).toBe(false)
    await installAs('first')
    await installAs('second')
    expect([isDriverCached(), written()]).toEqual([true, 'first'])
    forgetDriver()
    await installAs('third')
    expect(written()).toBe('third')
  })
})

describe('a full disk', () => {
  it('is reported with what to do', () => {
    const full = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    expect(() => writeInto(join(folder, 'made'), 5e6, full)).toThrow('There is not enough disk space')
    expect(() => writeInto(join(folder, 'made'), 5e6, full)).toThrow(SetupError)
  })
})
