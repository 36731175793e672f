import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { launchOptions } from '../../../scripts/launch.mjs'
import { FALLBACK_MARK, source } from '../../../scripts/runtime/fallback.mjs'
import { downloadOfficial } from '../../../scripts/runtime/official.mjs'
import { binaryIn, runtimeOf } from '../../../scripts/runtime.mjs'

const PINNED = '45.4.1'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-runtime-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes Electron's package as its installer, or the fallback's, leaves it. */
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

  it('is the fallback if it has its mark', () => {
    install(source.version, { fallback: true })
    expect(binaryIn(folder, PINNED)).toEqual({ official: false, executable: executable() })
  })

  it.each([
    ['the official one is of another version', '45.4.0', {}],
    ['the official one is of the fallback’s version', source.version, {}],
    ['the fallback pretends to be of the pinned version', PINNED, { fallback: true }],
    ['the executable is missing', PINNED, { leftOut: 'dist/electron' }],
    ['the installation was not finished', PINNED, { leftOut: 'path.txt' }],
  ])('counts as missing if %s', (_, version, how) => {
    install(version, how)
    expect(binaryIn(folder, PINNED)).toBe(null)
  })
})

describe('the download of the official binary', () => {
  /** Writes an installer that extracts the binary, and then does something. */
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
    install(source.version, { fallback: true })
    await downloadOfficial(silent, { folder, script: installer(`writeFileSync('path.txt', 'electron')`) })
    expect(binaryIn(folder, PINNED)).toMatchObject({ official: true })
    expect(existsSync(join(folder, 'dist.before'))).toBe(false)
  })

  it('keeps the fallback if the installer is stopped midway', async () => {
    install(source.version, { fallback: true })
    await downloadOfficial(silent, { folder, script: installer(stopped) })
    expect(binaryIn(folder, PINNED)).toMatchObject({ official: false })
  })

  it('counts as missing while it is not finished', async () => {
    install(source.version, { fallback: true })
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

  test('says if it is the fallback', () => {
    expect(runtimeOf(found(true), PINNED, false).name).toBe(`Electron ${PINNED}`)
    expect(runtimeOf(found(false), PINNED, false).name).toContain(`Electron ${source.version} (development fallback:`)
  })

  test('has no sandbox only as root, in the tests too', () => {
    const passed = (isRoot: boolean) => launchOptions(runtimeOf(found(true), PINNED, isRoot), { userData: '/data' })
    expect(passed(false)).toMatchObject({ chromiumSandbox: true })
    expect(passed(false).args).not.toContain('--no-sandbox')
    expect(passed(true)).toMatchObject({ chromiumSandbox: false })
    expect(passed(true).args).toContain('--no-sandbox')
  })
})
